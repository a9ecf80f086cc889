"""Sitemaps and archives as seed sources: read once, in parts, again after a kill, retried at their time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.store.results import SourceEntry, SourceResult
from core.store.write.sources import DEEPEST
from tests.small_crawl import PACE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from core.store.results import Work


def started(path: Path) -> tuple[SmallCrawl, Work]:
    crawl = SmallCrawl(path, settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    (work,) = crawl.turn().work
    return crawl, work


def read(crawl: SmallCrawl, work: Work, *paths: str, **more: Any) -> SourceResult:
    links = [crawl.link(path) for path in paths]
    entries = tuple(SourceEntry(link.fetch, link.key) for link in links)
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
        turn = crawl.turn(read(crawl, work, children=(crawl.link(f"/{level}.xml", kind="sitemap"),)))
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
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    assert crawl.turn(read(crawl, work)).idle
    assert crawl.one("SELECT count(*) FROM seed_source") == 1


def test_refused_url_of_a_sitemap_comes_back_in_list_mode_when_its_limit_is_raised(tmp_path: Path) -> None:
    listed = {"follow": False, "hosts": ["shop.test"]}
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope=listed, budgets={"max_pages": 2}))
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    works = {work.purpose: work for work in crawl.turn().work}
    crawl.turn(read(crawl, works["sitemap"], "/a", "/b"), crawl.page(works["page"]))
    assert crawl.reasons() == {"/b": "total-limit"}
    crawl.change(settings_of(scope=listed))
    crawl.crawl({})
    assert "/b" in crawl.states()


def test_next_page_of_an_archive_is_a_source_of_its_own_that_outlives_a_kill(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/cdx", kind="archive")], crawl.at)
    (work,) = crawl.turn().work
    assert work.purpose == "archive"
    crawl.turn(read(crawl, work, "/a", children=(crawl.link("/cdx?page=1", kind="archive"),)), granting=False)
    crawl.reopen()
    works = {work.purpose: work for work in crawl.turn().work}
    assert works["archive"].url.target == "/cdx?page=1"
    crawl.reopen()  # killed while it was being read
    (again,) = (work for work in crawl.turn(after=60.0).work if work.purpose == "archive")
    crawl.turn(read(crawl, again, "/b"))
    assert crawl.ask("SELECT state, found, level FROM seed_source ORDER BY id") == [("done", 1, 0), ("done", 1, 1)]
    crawl.assert_sound()


def test_pages_of_an_archive_may_be_many_and_end_at_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEEPEST, "archive", 12)
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/cdx", kind="archive")], crawl.at)
    turn = crawl.turn()
    for number in range(30):
        if not turn.work:
            break
        (work,) = turn.work
        turn = crawl.turn(read(crawl, work, children=(crawl.link(f"/cdx?page={number}", kind="archive"),)))
    assert crawl.one("SELECT count(*) FROM seed_source") == 13
    assert turn.idle


def test_only_what_the_analyst_listed_and_failed_is_read_again_after_a_change(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    (child,) = crawl.turn(read(crawl, work, children=(crawl.link("/child.xml", kind="sitemap"),))).work
    crawl.turn(read(crawl, child, failed=True))
    crawl.writer.seed([], [crawl.link("/bad.xml", kind="sitemap")], crawl.at)
    (bad,) = crawl.turn().work
    assert crawl.turn(read(crawl, bad, failed=True)).idle
    crawl.change(settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}, budgets={"max_pages": 9}))
    crawl.writer.seed([], [], crawl.at)
    assert [work.url.target for work in crawl.turn().work] == ["/bad.xml"]


def test_paging_that_broke_off_goes_on_in_a_recrawl(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/cdx", kind="archive")], crawl.at)
    (work,) = crawl.turn().work
    (second,) = crawl.turn(read(crawl, work, children=(crawl.link("/cdx?page=1", kind="archive"),))).work
    assert crawl.turn(read(crawl, second, failed=True)).idle
    crawl.writer.end(crawl.now, crawl.at, "finished", "")
    crawl.reopen()
    assert crawl.turn(after=60.0).work == ()
    crawl.writer.end(crawl.now, crawl.at, "finished", "")
    crawl.reopen(recrawl="due")
    assert [work.url.target for work in crawl.turn(after=60.0).work] == ["/cdx?page=1"]


def feed(path: Path) -> tuple[SmallCrawl, Work]:
    crawl = SmallCrawl(path, settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}))
    crawl.writer.seed([], [crawl.link("/feed", kind="feed")], crawl.at)
    (work,) = crawl.turn().work
    return crawl, work


def test_next_page_of_a_feed_outlives_a_kill_and_knows_where_the_feed_begins(tmp_path: Path) -> None:
    crawl, work = feed(tmp_path / "a.crawl")
    assert work.first == ""
    for number in range(1, 4):
        following = crawl.link(f"/feed?page={number}", kind="feed", rel="next")
        crawl.turn(read(crawl, work, f"/{number}", children=(following,)), granting=False)
        crawl.reopen()
        (work,) = (found for found in crawl.turn(after=60.0).work if found.purpose == "feed")
        crawl.reopen()  # killed while it was being read
        (work,) = (found for found in crawl.turn(after=60.0).work if found.purpose == "feed")
        assert (work.url.target, work.first) == (f"/feed?page={number}", "http://shop.test/feed")
    assert crawl.one("SELECT count(*) FROM seed_source") == 4
    crawl.assert_sound()


def test_second_kind_of_an_address_outlives_a_kill(tmp_path: Path) -> None:
    crawl, work = feed(tmp_path / "a.crawl")
    assert work.also == ()
    crawl.writer.seed([], [crawl.link("/feed", kind="archive")], crawl.at)
    crawl.turn(read(crawl, work, "/a"), granting=False)
    crawl.reopen()
    (again,) = (found for found in crawl.turn(after=60.0).work if found.purpose == "feed")
    assert again.also == ("archive",)
    crawl.turn(read(crawl, again, "/a"), granting=False)
    assert crawl.ask("SELECT state, found, new FROM seed_source") == [("done", 1, 1)]
    crawl.writer.seed([], [crawl.link("/feed", kind="archive"), crawl.link("/feed", kind="feed")], crawl.at)
    assert crawl.one("SELECT count(*) FROM seed_source WHERE state = 'pending'") == 0
    crawl.assert_sound()


def test_source_found_by_the_site_and_written_later_counts_as_written(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    part = crawl.link("/part.xml", kind="sitemap")
    (child,) = crawl.turn(read(crawl, work, children=(part,))).work
    crawl.turn(read(crawl, child, failed=True))
    crawl.writer.seed([], [part], crawl.at)
    crawl.change(settings_of(seeds={"urls": []}, scope={"hosts": ["shop.test"]}, budgets={"max_pages": 9}))
    crawl.writer.seed([], [part], crawl.at)
    assert [work.url.target for work in crawl.turn().work] == ["/part.xml"]


def test_what_a_source_names_and_is_refused_is_not_new(tmp_path: Path) -> None:
    crawl, work = started(tmp_path / "a.crawl")
    crawl.turn(read(crawl, work, "/a", "http://else.test/"))
    assert crawl.ask("SELECT found, new FROM seed_source") == [(2, 1)]
