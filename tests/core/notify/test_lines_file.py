"""The file of JSON Lines: whole lines whatever happened before, and nothing of anybody else's is lost."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING

import pytest

from core.notify.event import line
from core.notify.lines_file import LinesFile
from core.notify.way import Undelivered
from tests.core.notify.notices import notice

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.notices import Notice


def deliver(file: LinesFile, *notices: Notice) -> None:
    asyncio.run(file.deliver(notices))


@pytest.fixture
def file(tmp_path: Path) -> LinesFile:
    return LinesFile("told.jsonl", tmp_path / "shop.crawl")


def keys(file: LinesFile) -> list[str]:
    text = file.path.read_text("utf-8")
    assert text.endswith("\n")
    return [json.loads(each)["idempotency_key"] for each in text.splitlines()]


def test_a_line_says_what_happened_to_which_record(file: LinesFile) -> None:
    update = {"event": "updated", "version": 2, "key": "r1:2", "before": '{"a":1,"b":[1]}', "data": '{"a":2,"c":null}'}
    deliver(file, notice(1, **update))
    told = json.loads(file.path.read_text("utf-8"))
    assert told["changes"] == [{"field": "a", "old": 1, "new": 2}, {"field": "b", "old": [1], "new": None}]
    assert (told["event"], told["idempotency_key"], told["data"]["a"]) == ("updated", "r1:2", 2)
    assert told["at"] == "2027-01-15T08:00:00Z"


def test_a_line_torn_at_any_byte_is_mended(file: LinesFile) -> None:
    whole = line(notice(2)) + b"\n"
    for length in range(len(whole)):
        file.path.write_bytes(line(notice(1)) + b"\n" + whole[:length])
        deliver(file, notice(2), notice(3))
        assert keys(file) == ["r1:1", "r2:1", "r3:1"]


def test_the_end_of_another_program_is_left_as_it_is(file: LinesFile) -> None:
    file.path.write_bytes(b"A line of mine\nand one without an end")
    deliver(file, notice(1))
    assert file.path.read_bytes() == b"A line of mine\nand one without an end\n" + line(notice(1)) + b"\n"


def test_a_full_disk_leaves_whole_lines_and_is_told(file: LinesFile, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver(file, notice(1))
    write = os.write

    def filling(handle: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(28, "No space left on device")
        return write(handle, data[: len(data) // 2])

    monkeypatch.setattr("os.write", filling)
    with pytest.raises(Undelivered, match="No space left"):
        deliver(file, notice(2), notice(3))
    monkeypatch.undo()
    assert keys(file) == ["r1:1"]
    deliver(file, notice(2), notice(3))
    assert keys(file) == ["r1:1", "r2:1", "r3:1"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    for place in ("no/such/folder/a.jsonl", "."):
        with pytest.raises(Undelivered):
            deliver(LinesFile(place, tmp_path / "shop.crawl"), notice(1))
