"""A known URL that a source names with a date: when it is looked at again, and how early within its host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.explain import explain
from core.store.names import UrlState
from core.store.results import SourceEntry, SourceResult
from tests.small_crawl import PACE, SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work

DAY = 86_400.0


def crawled(path: Path, *, finish: bool = True) -> SmallCrawl:
    """A crawl of `/` and `/a`, done."""
    crawl = SmallCrawl(path, settings_of())
    crawl.crawl({"/": ["/a"]})
    if finish:
        crawl.finish()
    return crawl


def sitemap(crawl: SmallCrawl) -> Work:
    """The lease of a sitemap that is met now."""
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    (work,) = (work for work in crawl.turn().work if work.purpose == "sitemap")
    return work


def tells(crawl: SmallCrawl, work: Work, path: str, *date: float, **more: Any) -> SourceResult:
    link = crawl.link(path)
    entry = SourceEntry(link.fetch, link.key, *date)
    return SourceResult(work, crawl.page(work).answer, PACE, entries=(entry,), **more)


def row(crawl: SmallCrawl, path: str = "/a") -> Any:
    (found,) = crawl.ask(
        "SELECT state, due, lastmod, priority, front, last_fetched, interval FROM url LEFT JOIN page ON url_id = id "
        "WHERE path = ?",
        path,
    )
    return found


def test_a_page_that_changed_after_its_last_look_is_due_from_then_on(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    _, due, *_, fetched, _ = row(crawl)
    crawl.turn(tells(crawl, work, "/a", fetched + 0.001))
    state, sooner, lastmod, *_ = row(crawl)
    assert (state, lastmod) == (UrlState.DONE, fetched + 0.001)
    assert sooner == fetched + 0.001 < due
    crawl.finish()
    crawl.open()
    assert [work.url.target for work in crawl.turn().work] == ["/a"]
    crawl.assert_sound()


@pytest.mark.parametrize("before", [0.0, 1.0, 400 * DAY])
def test_a_page_that_changed_before_its_last_look_is_due_as_it_was(tmp_path: Path, before: float) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    _, due, *_, fetched, _ = row(crawl)
    crawl.turn(tells(crawl, work, "/a", fetched - before))
    assert row(crawl)[1] == due
    crawl.assert_sound()


def test_a_date_in_the_future_puts_nothing_off(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    _, due, *_ = row(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at + 9_000 * DAY))
    assert row(crawl)[1] == due


def test_a_bare_day_that_is_new_may_mean_what_came_later_on_that_day(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    _, due, *_, fetched, _ = row(crawl)
    day = (fetched - 3_600.0, fetched + 3_600.0)
    crawl.turn(tells(crawl, work, "/a", *day, done=False))
    assert row(crawl)[1] == due  # the day may have been there before the page was fetched
    crawl.ask("UPDATE url SET lastmod = ? WHERE path = '/a'", day[0] - DAY)
    crawl.turn(tells(crawl, work, "/a", *day, part=1))
    assert row(crawl)[1] == day[1] < due


def test_a_recrawl_looks_at_once_at_what_a_sitemap_says_has_changed(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    crawl.now += 10 * 3_600
    crawl.open(recrawl="due")
    work = sitemap(crawl)
    (changed,) = crawl.turn(tells(crawl, work, "/a", crawl.at - 60.0)).work
    assert (changed.url.target, changed.purpose) == ("/a", "page")
    assert crawl.crawl({}, (changed,)) == []
    assert row(crawl)[0] == UrlState.DONE
    assert row(crawl)[1] > crawl.at
    assert crawl.one("SELECT value FROM counter WHERE name = 'pages' AND run = 2") == 1
    crawl.assert_sound()


def test_a_recrawl_looks_once_at_a_page_however_often_it_is_named(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    crawl.now += 10 * 3_600
    crawl.open(recrawl="due")
    work = sitemap(crawl)
    (changed,) = crawl.turn(tells(crawl, work, "/a", crawl.at - 60.0, done=False)).work
    crawl.turn(crawl.page(changed))
    turn = crawl.turn(tells(crawl, work, "/a", crawl.at + 60.0, part=1))
    assert (turn.work, turn.idle) == ((), True)
    assert row(crawl)[1] < crawl.at + 60.0  # the next run looks
    crawl.assert_sound()


def test_a_kill_behind_the_sitemap_loses_nothing_of_it(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl")
    crawl.now += 10 * 3_600
    crawl.open(recrawl="due")
    work = sitemap(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at - 60.0), granting=False)
    crawl.reopen()
    assert [work.url.target for work in crawl.turn().work] == ["/a"]
    crawl.assert_sound()


def test_what_waits_or_is_in_flight_keeps_its_time(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of())
    (seed,) = crawl.turn().work
    (waits,) = crawl.turn(crawl.page(seed, "/a")).work
    crawl.turn(crawl.failure(waits, 503, retry_in=600.0))
    _, due, *_ = row(crawl)
    work = sitemap(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at - 60.0))
    assert row(crawl)[:2] == (UrlState.WAITING, due)
    crawl.assert_sound()


@pytest.mark.parametrize(("age", "gain"), [(DAY, 10), (20 * DAY, 5), (90 * DAY, 0)])
def test_the_priority_follows_and_explain_tells_the_same(tmp_path: Path, age: float, gain: int) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 9}))
    (seed,) = crawl.turn().work
    crawl.turn(crawl.page(seed, "/a"), granting=False)
    *_, points, front, _, _ = row(crawl)
    work = sitemap(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at - age), granting=False)
    assert row(crawl)[3:5] == (points + gain, front)
    assert explain(crawl.path, f"{SITE}/a").priority == points + gain
    crawl.assert_sound()


def test_the_front_follows_the_priority(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of())
    (seed,) = crawl.turn().work
    crawl.turn(crawl.page(seed, "/a"), granting=False)
    crawl.ask("UPDATE url SET priority = 65, front = 1 WHERE path = '/a'")
    crawl.turn(tells(crawl, sitemap(crawl), "/a", crawl.at), granting=False)
    assert row(crawl)[3:5] == (75, 0)


def test_the_newest_word_counts_whichever_source_says_it(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    first = row(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at - 5 * DAY, done=False))
    newest = row(crawl)
    crawl.turn(tells(crawl, work, "/a", crawl.at - 500 * DAY, part=1))
    assert row(crawl) == newest
    assert newest[3] == first[3] + 10


def test_a_source_that_names_no_date_changes_nothing(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "a.crawl", finish=False)
    work = sitemap(crawl)
    before = row(crawl)
    crawl.turn(tells(crawl, work, "/a"))
    assert row(crawl) == before


def test_a_change_that_was_announced_for_later_is_not_slept_through(tmp_path: Path) -> None:
    """A sitemap dates the page's last change an hour after the page is fetched."""
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of())
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    works = {work.purpose: work for work in crawl.turn().work}
    found = crawl.turn(tells(crawl, works["sitemap"], "/a", crawl.at + 3600.0)).work
    crawl.crawl({}, [*found, works["page"]])
    _, due, lastmod, *_, fetched, interval = row(crawl)
    assert due == lastmod
    assert fetched < due < fetched + interval
    crawl.finish()
