"""What cannot be written, or read, is told in one sentence without a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from core.cli import main

FULL = Path("/dev/full")


def fronteira(*arguments: str, stdout: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments], stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "a.crawl"
    assert main(["new", str(path), "--seed", "http://127.0.0.1:9/"]) == 0
    return path


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
def test_an_answer_that_finds_no_room_is_told_in_a_sentence(crawl: Path) -> None:
    with FULL.open("w") as full:
        ended = fronteira("status", str(crawl), stdout=full.fileno())
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert ended.stderr.startswith("fronteira: The output cannot be written: No space left on device.")


def test_a_reader_that_has_gone_is_no_fault(crawl: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = fronteira("status", str(crawl), stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("damage", ['{"seeds": ', '{"seeds": 7}', "[]"])
@pytest.mark.parametrize("command", ["status", "run", "explain", "export"])
def test_damaged_settings_in_a_file_are_told_in_a_sentence(
    crawl: Path, capsys: pytest.CaptureFixture[str], damage: str, command: str
) -> None:
    connection = apsw.Connection(str(crawl))
    connection.execute("UPDATE setting SET json = ?", (damage,))
    connection.close()
    rest = {"explain": ["http://a.test/"], "export": ["--table", "urls", "--output", str(crawl.with_name("o.csv"))]}
    status = main([command, str(crawl), *rest.get(command, [])])
    told = capsys.readouterr().err
    if command == "status" and damage != '{"seeds": ':  # it needs no more than the crawl's name
        assert (status, told) == (0, "")
    else:
        assert (status, told.count("\n")) == (2, 1)
        assert f"{crawl} is damaged: settings or records in it cannot be read." in told
