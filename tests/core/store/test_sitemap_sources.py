"""Sitemaps as seed sources: read once, in parts, again after a kill, retried at their time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.store.results import SitemapEntry, SourceResult
from tests.small_crawl import PACE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work


def started(path: Path) -> tuple[SmallCrawl, Work]:
    crawl = SmallCrawl(path, settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/sitemap.xml")], crawl.at)
    (work,) = crawl.turn().work
    return crawl, work


def read(crawl: SmallCrawl, work: Work, *paths: str, **more: Any) -> SourceResult:
    links = [crawl.link(path) for path in paths]
    entries = tuple(SitemapEntry(link.fetch, link.key) for link in links)
    return SourceResult(work, crawl.page(work).answer, PACE, entries=entries, **more)


def test_urls_of_a_sitemap_are_queued_and_counted(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    turn = crawl.turn(read(crawl, work, "/a", "/b", "/a"))
    assert sorted(page.url.target for page in turn.work) == ["/a", "/b"]
    assert crawl.ask("SELECT state, found, new FROM seed_source") == [("done", 3, 2)]
    crawl.assert_sound()


def test_sitemap_is_read_in_parts_under_one_lease(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    crawl.turn(read(crawl, work, "/a", done=False))
    assert crawl.ask("SELECT state, found FROM seed_source") == [("pending", 1)]
    assert crawl.one("SELECT count(*) FROM lease WHERE purpose = 'sitemap'") == 1
    crawl.turn(read(crawl, work, "/b", part=1))
    assert crawl.ask("SELECT state, found, new FROM seed_source") == [("done", 2, 2)]
    assert crawl.counter("bytes") == 100
    crawl.assert_sound()


def test_sitemap_cut_off_by_a_kill_is_read_again_and_counts_once(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    crawl.turn(read(crawl, work, "/a", "/b", done=False), granting=False)
    crawl.reopen()
    again = next(found for found in crawl.turn().work if found.purpose == "sitemap")
    crawl.turn(read(crawl, again, "/a", "/b", "/c"))
    assert crawl.ask("SELECT state, found, new FROM seed_source") == [("done", 3, 3)]
    crawl.assert_sound()


def test_index_brings_its_children_and_stops_at_the_third_level(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    for level in range(1, 6):
        turn = crawl.turn(read(crawl, work, children=(crawl.link(f"/{level}.xml"),)))
        if not turn.work:
            break
        (work,) = turn.work
    assert crawl.one("SELECT max(level) FROM seed_source") == 3
    assert turn.idle


def test_retry_keeps_its_time_over_a_kill(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    crawl.turn(read(crawl, work, retry_at=crawl.at + 60.0))
    crawl.reopen()
    turn = crawl.turn()
    assert (turn.work, turn.idle) == ((), False)
    (again,) = crawl.turn(after=61.0).work
    assert (again.purpose, again.tries) == ("sitemap", 1)


def test_same_sitemap_given_twice_is_read_once(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    crawl.writer.seed([], [crawl.link("/sitemap.xml")], crawl.at)
    assert crawl.turn(read(crawl, work)).idle
    assert crawl.one("SELECT count(*) FROM seed_source") == 1


def test_refused_url_of_a_sitemap_comes_back_in_list_mode_when_its_limit_is_raised(tmp_path: Path) -> None:
    listed = {"follow": False, "hosts": ["shop.test"]}
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope=listed, budgets={"max_pages": 2}))
    crawl.writer.seed([], [crawl.link("/sitemap.xml")], crawl.at)
    works = {work.purpose: work for work in crawl.turn().work}
    crawl.turn(read(crawl, works["sitemap"], "/a", "/b"), crawl.page(works["page"]))
    assert crawl.reasons() == {"/b": "total-limit"}
    crawl.change(settings_of(scope=listed))
    crawl.crawl({})
    assert "/b" in crawl.states()
