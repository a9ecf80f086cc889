"""A full disk, another program's lock, a second engine: a clear fault, and nothing lost (SQL-03, SQL-04)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest

from core.errors import CorruptFile, DiskFull, EngineHeld, FileLocked, StorageError
from core.store.lock import EngineLock, holder, lock_path
from core.store.responses import Responses, responses_path
from core.store.results import Response
from core.store.wishes import Wishes
from tests.small_crawl import SmallCrawl

if TYPE_CHECKING:
    from pathlib import Path

MANY = [f"/{'long' * 20}/{number}" for number in range(3000)]


def test_full_disk_is_told_and_the_crawl_goes_on_once_there_is_room(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    pages = crawl.one("PRAGMA page_count")
    crawl.writer._connection.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(DiskFull):
        crawl.turn(crawl.page(root, *MANY))
    crawl.writer.fail(crawl.now, crawl.at, "disk: full")
    crawl.writer.close()
    assert crawl.states() == {"/": "leased"}
    crawl.open()
    assert len(crawl.crawl({"/": MANY})) == 3001
    crawl.assert_sound()


FULL_CHILD = """
import resource, signal, sys
from pathlib import Path
from core.errors import StorageError
from tests.small_crawl import SmallCrawl
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
crawl = SmallCrawl.__new__(SmallCrawl)
crawl.path, crawl.now = Path(sys.argv[1]), 2000.0
crawl.open()
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
try:
    crawl.crawl(lambda target: [f"{target}{'long' * 10}{number}" for number in range(9)])
except StorageError as fault:
    print(fault.sentence)
"""


@pytest.mark.skipif(os.name == "nt", reason="resource limits are POSIX")
def test_write_that_the_system_refuses_leaves_a_sound_file(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.kill()
    child = subprocess.run(
        [sys.executable, "-c", FULL_CHILD, str(crawl.path)], capture_output=True, text=True, check=False
    )
    assert "a.crawl" in child.stdout, child.stderr
    crawl.assert_sound()
    assert len(crawl.states()) > 1


def test_foreign_lock_is_told_and_costs_nothing(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.writer._connection.set_busy_timeout(10)
    other = apsw.Connection(str(crawl.path))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(FileLocked, match=r"a\.crawl"):
        crawl.turn(crawl.page(root, "/a"))
    other.execute("ROLLBACK")
    other.close()
    assert crawl.states() == {"/": "leased"}
    crawl.reopen()
    assert crawl.crawl({"/": ["/a"]}) == ["/", "/a"]
    crawl.assert_sound()


def test_writer_that_reads_first_waits_for_another_program(tmp_path: Path) -> None:  # SQL-03
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    other = apsw.Connection(str(crawl.path))
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO wish(at, kind) VALUES (1, 'keep')")
    done = threading.Timer(0.05, lambda: other.execute("COMMIT"))
    done.start()
    crawl.turn(crawl.page(root, "/a"))
    done.join()
    other.close()
    assert crawl.states() == {"/": "done", "/a": "leased"}


def test_wishes_left_between_two_cycles_do_not_disturb_the_writer(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    wishes = Wishes(crawl.path)
    works = crawl.turn().work
    for number in range(20):
        wishes.keep()
        works = crawl.turn(*(crawl.page(work, f"/{number}") for work in works)).work
    wishes.close()
    assert len(crawl.writer.ask().wishes) == 20
    assert crawl.writer.ask().wishes == ()
    crawl.assert_sound()


def test_fault_of_the_disk_names_the_file() -> None:
    from pathlib import Path

    from core.store.faults import fault_of, system_fault

    path = Path("shop.crawl")
    assert isinstance(fault_of(apsw.FullError("full"), path), DiskFull)
    assert isinstance(fault_of(apsw.BusyError("busy"), path), FileLocked)
    assert isinstance(fault_of(apsw.IOError("input"), path), StorageError)
    assert isinstance(system_fault(OSError(28, "No space left on device"), path), DiskFull)
    with pytest.raises(apsw.SQLError):
        fault_of(apsw.SQLError("a fault of ours"), path)


SECOND = """
import sys
from pathlib import Path
from core.errors import EngineHeld
from core.store.lock import EngineLock
try:
    lock = EngineLock.acquire(Path(sys.argv[1]))
except EngineHeld as held:
    print(held.pid)
else:
    print("acquired", flush=True)
    if len(sys.argv) > 2:
        sys.stdin.read()
"""


NO_ROOM = """
import resource, signal, sys
from pathlib import Path
from core.errors import StorageError
from core.store.lock import EngineLock, lock_path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    EngineLock.acquire(Path(sys.argv[1]))
except StorageError as fault:
    print(fault.sentence, lock_path(Path(sys.argv[1])).exists())
"""


@pytest.mark.skipif(os.name == "nt", reason="resource limits are POSIX")
def test_a_lock_that_finds_no_room_is_told_and_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.crawl"
    child = subprocess.run([sys.executable, "-c", NO_ROOM, str(path)], capture_output=True, text=True, check=False)
    assert "a.crawl-lock" in child.stdout, child.stderr
    assert child.stdout.endswith("False\n")
    EngineLock.acquire(path).release()


def second(path: Path) -> str:
    child = subprocess.run([sys.executable, "-c", SECOND, str(path)], capture_output=True, text=True, check=True)
    return child.stdout.strip()


def test_second_engine_is_refused_and_told_who_holds_the_file(tmp_path: Path) -> None:  # SQL-04
    path = tmp_path / "a.crawl"
    lock = EngineLock.acquire(path)
    assert second(path) == str(os.getpid())
    with pytest.raises(EngineHeld):
        EngineLock.acquire(path)
    lock.release()
    assert not lock_path(path).exists()
    assert second(path) == "acquired"


@pytest.mark.parametrize("content", [b"no database " * 1000, b"", None])
def test_kept_responses_that_are_damaged_are_told_with_the_way_out(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.crawl"
    place = responses_path(path)
    if content is None:
        place.mkdir()
    elif content:
        place.write_bytes(content)
    else:
        with closing(apsw.Connection(str(place))) as other:
            other.execute("CREATE TABLE response(something)")
    with pytest.raises(CorruptFile, match="Delete it"):
        Responses(path).keep([Response(b"0" * 16, b"{}", b"")])


def test_a_crawl_has_one_lock_under_all_its_links(tmp_path: Path) -> None:
    path, link = tmp_path / "a.crawl", tmp_path / "link.crawl"
    path.touch()
    link.symlink_to(path)
    lock = EngineLock.acquire(path)
    with pytest.raises(EngineHeld):
        EngineLock.acquire(link)
    lock.release()


def test_an_engine_whose_lock_was_deleted_leaves_the_next_one_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.crawl"
    first = EngineLock.acquire(path)
    lock_path(path).unlink()
    second_one = EngineLock.acquire(path)
    first.release()
    assert holder(path) is not None
    second_one.release()
    assert not lock_path(path).exists()


def test_lock_of_a_killed_engine_means_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.crawl"
    child = subprocess.Popen(
        [sys.executable, "-c", SECOND, str(path), "stay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdin is not None
    assert child.stdout.readline() == "acquired\n"
    info = holder(path)
    assert info is not None
    assert info.pid == child.pid
    child.kill()
    child.wait()
    child.stdout.close()
    child.stdin.close()
    assert lock_path(path).exists()
    assert holder(path) is None
    EngineLock.acquire(path).release()


@pytest.mark.parametrize("content", ["", "{", "[]", json.dumps({"pid": "x"})])
def test_lock_file_with_any_content_is_taken(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.crawl"
    lock_path(path).write_text(content, encoding="utf-8")
    assert holder(path) is None
    EngineLock.acquire(path).release()
