"""A disk that is full at any write: told, nothing lost, and the crawl goes on once there is room."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw
import pytest

from core.errors import DiskFull
from core.store.ballast import ROOM, Ballast
from core.store.crawl_file import backup, create
from core.store.read.reader import Reader
from core.store.rescue.salvage import salvage
from core.store.write.last_words import end_failed
from tests.full_disk import Disk, full_disk
from tests.small_crawl import NOON, SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LINKS = {"/": [f"/{'long' * 40}/{number}" for number in range(60)] + ["/a"], "/a": ["/b"]}


# SQLite asks no more what became of a write as it closes; then nobody takes the made disk's error.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def names(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


@pytest.fixture
def disk() -> Iterator[Disk]:
    with full_disk() as made:
        yield made


def pid_of(crawl: SmallCrawl) -> int:
    return int(crawl.one("SELECT pid FROM session ORDER BY id DESC LIMIT 1"))


def worked(crawl: SmallCrawl) -> None:
    """What an engine does in a second: results with records, a settings change, a log line, an end."""
    (root,) = crawl.turn().work
    found = {"records": (record("1", '{"a": 1}'), record("2", '{"a": 2}'))}
    turn = crawl.turn(crawl.page(root, *LINKS["/"], parsed=found), after=2.0)
    crawl.change(settings_of(scope={"exclude": ["/*long*/1"]}))
    turn = crawl.turn(*(crawl.page(work, *LINKS.get(work.url.target, ())) for work in turn.work), after=2.0)
    crawl.writer.log(crawl.at, crawl.now, "info", "page", "something")
    crawl.finish()


def test_a_disk_full_at_any_write_costs_nothing(tmp_path: Path, disk: Disk) -> None:
    number, cut = 0, 0
    while True:
        path = tmp_path / f"{number}.crawl"
        crawl = SmallCrawl(path)
        disk.writes, disk.full_at = 0, number + 1
        try:
            worked(crawl)
        except DiskFull:
            cut += 1
        else:
            break
        finally:
            if disk.is_full:
                for last in (crawl.writer.close, crawl.kill):  # an engine closes; then its process is gone
                    with suppress(DiskFull, apsw.ConnectionClosedError):
                        last()
            disk.full_at = None
        end_failed(path, pid_of(crawl), crawl.at, "disk: full")
        reader = Reader(path)
        status = reader.status()
        ended = {("crashed", "disk: full"), ("finished", "")}  # the latter where only the file's folding failed
        assert (status.state, status.reason) in ended
        reader.close()
        crawl.open()
        crawl.crawl(LINKS)
        crawl.assert_sound()
        assert len(crawl.states()) + len(crawl.reasons()) == 63
        crawl.finish()
        number += 7
    assert cut > 5


@pytest.mark.parametrize("make", ["new", "backup", "salvage"])
def test_a_file_that_finds_no_room_is_not_there(tmp_path: Path, disk: Disk, make: str) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl(LINKS)
    crawl.finish()
    to = tmp_path / "b.crawl"
    makes: dict[str, Callable[[], object]] = {
        "new": lambda: create(to, settings_of()),
        "backup": lambda: backup(crawl.path, to),
        "salvage": lambda: salvage(crawl.path, to, NOON),
    }
    number = 1
    while True:
        disk.writes, disk.full_at = 0, number
        try:
            makes[make]()
        except DiskFull:
            assert names(tmp_path) == ["a.crawl"]
        else:
            break
        number += 5
    assert number > 1


def test_ballast_takes_room_without_a_name_and_gives_it_back(tmp_path: Path) -> None:
    ballast = Ballast(tmp_path)
    assert os.fstat(ballast._file.fileno()).st_size == ROOM
    assert names(tmp_path) == [] or os.name == "nt"
    ballast.drop()
    ballast.drop()
    assert names(tmp_path) == []


def test_last_words_do_not_change_a_session_that_has_ended(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.finish()
    end_failed(crawl.path, pid_of(crawl), crawl.at, "disk: full")
    assert crawl.ask("SELECT outcome, reason FROM session") == [("finished", "")]
    assert crawl.one("SELECT count(*) FROM log WHERE kind = 'failure'") == 0
