"""After the day an authorisation ends with, nothing is asked of its host; what was left comes back with a new date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.store.results import RobotsResult
from tests.small_crawl import NOON, SmallCrawl, settings_of, write_settings

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

# NOON, where the tests' clock begins, is in the morning of 2027-01-15; the crawl's first day ends after 15 hours.
DAY = 86_400.0
OVER = "authorisation: until 2027-01-14"


def until(day: str, host: str = "shop.test", **more: Any) -> CrawlSettings:
    scope = {"authorised": [{"host": host, "by": "contract 17", "until": day}], **more.pop("scope", {})}
    return settings_of(scope=scope, **more)


def alarms(crawl: SmallCrawl) -> list[Any]:
    return crawl.ask("SELECT kind, host, cleared IS NULL FROM alarm ORDER BY id")


def test_host_whose_time_is_over_is_not_asked_for_anything(tmp_path: Path) -> None:
    assert NOON == 1_800_000_000.0
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-14", politeness={"robots": True}))
    assert crawl.crawl({}) == []
    assert crawl.states() == {"/": "blocked"}
    assert crawl.ask("SELECT reason FROM url") == [(OVER,)]
    assert crawl.counter("requests") == 0
    assert crawl.writer.leftovers() == f"{OVER}: 1 URL left at shop.test"
    assert alarms(crawl) == [("authorisation", "shop.test", 1)]
    ((level, message),) = crawl.ask("SELECT level, message FROM log WHERE kind = 'authorisation'")
    assert level == "warning"
    assert "contract 17" in message
    assert "2027-01-14" in message
    crawl.assert_sound()


def test_last_day_counts_to_its_end_and_what_is_in_flight_is_finished(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-15", politeness={"concurrency": 1}))
    (root,) = crawl.turn().work
    (one,) = crawl.turn(crawl.page(root, "/a", "/b", "/c")).work
    crawl.now += DAY
    turn = crawl.turn(crawl.page(one, "/d"))
    assert not turn.work
    assert sorted(crawl.states().items()) == [
        *(("/", "done"), ("/a", "done"), ("/b", "blocked"), ("/c", "blocked"), ("/d", "blocked"))
    ]
    assert crawl.writer.leftovers() == "authorisation: until 2027-01-15: 3 URLs left at shop.test"
    assert alarms(crawl) == [("authorisation", "shop.test", 1)]
    crawl.assert_sound()


def test_later_date_brings_everything_back_and_clears_the_alarm(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-14"))
    crawl.crawl({})
    crawl.change(until("2027-01-13"))  # another date, and still over
    assert crawl.crawl({}) == []
    assert crawl.ask("SELECT reason FROM url") == [("authorisation: until 2027-01-13",)]
    assert alarms(crawl) == [("authorisation", "shop.test", 1)]
    crawl.change(until("2027-12-31"))
    assert crawl.crawl({"/": ["/a"]}) == ["/", "/a"]
    assert crawl.writer.leftovers() == ""
    assert alarms(crawl) == [("authorisation", "shop.test", 0)]
    crawl.assert_sound()


def test_date_extended_while_no_engine_runs_counts_at_the_next_start(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-14"))
    crawl.crawl({})
    crawl.kill()
    write_settings(crawl.path, until("2027-12-31"), crawl.at)
    crawl.open()
    assert crawl.crawl({}) == ["/"]
    crawl.assert_sound()


def test_clock_that_was_set_right_brings_urls_back_at_the_next_start(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-15"))
    crawl.now += 40 * DAY
    crawl.kill()
    crawl.open()
    assert crawl.crawl({}) == []
    crawl.kill()
    crawl.now -= 40 * DAY
    crawl.open()
    assert crawl.crawl({}) == ["/"]


def test_other_hosts_go_on(tmp_path: Path) -> None:
    hosts = {"hosts": ["shop.test", "other.test"]}
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-14", "other.test", scope=hosts))
    assert crawl.crawl({"/": ["http://other.test/x", "/a"]}) == ["/", "/a"]
    assert crawl.states() == {"/": "done", "/a": "done", "/x": "blocked"}
    assert alarms(crawl) == [("authorisation", "other.test", 1)]
    crawl.assert_sound()


def test_seed_source_of_such_a_host_is_kept_unread_and_ends_nothing_as_finished(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-14", "maps.test"))
    crawl.writer.seed([], [crawl.link("http://maps.test/sitemap.xml", kind="sitemap")], crawl.at)
    assert crawl.crawl({}) == ["/"]
    assert crawl.writer.leftovers().startswith("authorisation: 1 source of seeds left unread")
    crawl.change(until("2027-12-31", "maps.test"))
    turns = [crawl.turn(after=1.0) for _ in range(3)]
    assert [work.url.text for turn in turns for work in turn.work] == ["http://maps.test/sitemap.xml"]


def test_unreachable_robots_txt_is_not_probed_after_the_date(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", until("2027-01-15", politeness={"robots": True}))
    (work,) = crawl.turn().work
    result = crawl.robots(work, "", access="disallow", due=crawl.at + 10)
    assert isinstance(result, RobotsResult)
    crawl.turn(result)
    crawl.now += DAY
    assert not crawl.turn().work
    assert crawl.turn().until > crawl.now + 1.0  # and the engine does not spin
    assert crawl.one("SELECT count(*) FROM lease") == 0
