"""What a kill leaves of a file in the making is removed by the next one, and nothing else is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import apsw
import pytest

from core.errors import ManyNames
from core.store.aside import ABANDONED_AFTER, sweep
from core.store.crawl_file import connect, create, inspect, open_writer
from core.store.read.reader import Reader
from core.store.wishes import Wishes
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

LEFT = ".a.crawl.0123456789ab.new"


def names(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def aged(path: Path, seconds: float = ABANDONED_AFTER + 1) -> Path:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))
    return path


def left(folder: Path, name: str = LEFT) -> Path:
    path = folder / name
    apsw.Connection(str(path)).execute("CREATE TABLE t(x)")
    return path


def test_old_leftovers_go_with_the_next_new_file_in_the_folder(tmp_path: Path) -> None:
    aged(left(tmp_path))
    aged(left(tmp_path, ".other name.crawl.ffffffffffff.new"))
    (cut_off := tmp_path / ".c.crawl.aaaaaaaaaaaa.new").write_bytes(b"SQLite format 3\x00 and no more")
    aged(cut_off)
    create(tmp_path / "b.crawl", settings_of())
    assert names(tmp_path) == ["b.crawl"]


def test_what_is_young_or_in_use_or_not_ours_stays(tmp_path: Path) -> None:
    young = left(tmp_path, ".young.crawl.0123456789ab.new")
    held = aged(left(tmp_path))
    connection = apsw.Connection(str(held))
    connection.execute("BEGIN IMMEDIATE")
    others = [tmp_path / name for name in (".a.crawl.new", "a.crawl.0123456789ab.new", ".a.crawl.0123456789ab.old")]
    for other in others:
        other.touch()
        aged(other)
    sweep(tmp_path, held.stat().st_mtime + ABANDONED_AFTER + 2)
    assert {young, held, *others} <= set(tmp_path.iterdir())
    connection.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from core.store import aside, crawl_file
from tests.small_crawl import settings_of
before = aside._publish
def dies(*given):
    before(*given)
    os.kill(os.getpid(), signal.SIGKILL)
aside._publish = dies
crawl_file.create(Path(sys.argv[1]), settings_of())
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")
def test_a_file_whose_maker_died_at_its_last_step_is_whole_and_has_one_name(tmp_path: Path) -> None:
    path = tmp_path / "a.crawl"
    child = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 2
    open_writer(path).close()
    assert names(tmp_path) == ["a.crawl"]


def test_a_file_of_two_names_is_read_and_not_written(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a"]})
    crawl.finish()
    os.link(crawl.path, tmp_path / "b.crawl")
    for name in ("a.crawl", "b.crawl"):
        path = tmp_path / name
        with pytest.raises(ManyNames, match="2 names") as caught:
            open_writer(path)
        assert "fronteira backup" in caught.value.advice
        with pytest.raises(ManyNames):
            Wishes(path)
        reader = Reader(path)
        assert reader.status().pages == 2
        reader.close()
    assert names(tmp_path) == ["a.crawl", "b.crawl"]
    (tmp_path / "b.crawl").unlink()
    open_writer(crawl.path).close()


@pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="only Linux lists its locks")  # noqa: PTH110
def test_a_look_at_a_file_leaves_the_locks_of_this_process_alone(tmp_path: Path) -> None:
    """POSIX drops them all when any descriptor of the file is closed."""

    def locks() -> list[str]:
        with open("/proc/locks", encoding="ascii") as file:  # noqa: PTH123
            mine = (line.split() for line in file if f" {os.getpid()} " in line and f":{number} " in line)
            return sorted(" ".join(words[1:]) for words in mine)

    create(tmp_path / "a.crawl", settings_of())
    number = (tmp_path / "a.crawl").stat().st_ino
    database = connect(tmp_path / "a.crawl")
    before = locks()
    assert before
    inspect(tmp_path / "a.crawl")
    assert locks() == before
    database.close()
