"""What a recrawl would ask again, as the window asks before it begins one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.read.reader import Reader
from tests.small_crawl import SmallCrawl

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_due_is_counted_and_the_next_moment_known(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a", "/b"]})
    at = crawl.at
    crawl.finish()
    reader = Reader(crawl.path)
    number, following = reader.due(at)
    assert number == 0
    assert following is not None
    assert following > at
    assert reader.due(at + 10 * 365 * 86_400) == (3, None)
    reader.close()


def test_a_later_run_has_a_time_of_its_own(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": ["/a"]})
    crawl.now += 5
    crawl.finish()
    crawl.open(recrawl="all")
    crawl.now += 1
    crawl.crawl({})
    crawl.finish()
    reader = Reader(crawl.path)
    status = reader.status()
    reader.close()
    assert status.run == 2
    assert 0 < status.run_elapsed < status.elapsed
