"""Work is leased: it comes back after a kill or when its time is over, and never counts twice."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from core.errors import EngineHeld, FileMissing
from core.store.results import SourceEntry, SourceResult
from core.store.write import leases
from core.store.write.writer import Writer
from tests.small_crawl import PACE, SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

LONG = 12 * 30.0 + 901.0  # seconds: no permitted fetch outlasts it
TWENTY_FIVE = [f"/p/{number}" for number in range(24)]


def test_killed_engine_gives_its_five_requests_back_and_repeats_no_other(tmp_path: Path) -> None:  # FRO-01
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"concurrency": 5}))
    (first,) = crawl.turn().work
    in_flight = crawl.turn(crawl.page(first, *TWENTY_FIVE)).work
    assert len(in_flight) == 5
    crawl.reopen()
    assert crawl.begun.interrupted == 5
    assert set(crawl.states().values()) == {"done", "pending"}
    requested = crawl.crawl({})
    assert sorted(requested) == sorted(TWENTY_FIVE)
    assert crawl.counter("requests") == 1 + 5 + 24
    assert crawl.one("SELECT count(*) FROM reclaimed") == 5
    crawl.assert_sound()


def test_only_url_of_a_crawl_comes_back_after_a_kill(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    assert crawl.turn().work
    crawl.reopen()
    assert crawl.crawl({}) == ["/"]


def test_expired_lease_is_work_again_in_the_running_session(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (late,) = crawl.turn().work
    assert crawl.turn(after=LONG - 2).work == ()
    (again,) = crawl.turn(after=3).work
    assert (again.id, again.lease != late.lease) == (late.id, True)
    crawl.assert_sound()


def test_result_of_an_expired_lease_commits_nothing(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (late,) = crawl.turn().work
    (again,) = crawl.turn(after=LONG).work
    crawl.turn(crawl.page(late, "/from-the-late-one"))
    assert crawl.states() == {"/": "leased"}
    assert crawl.counter("bytes") == 0
    crawl.turn(crawl.page(again, "/right"))
    assert crawl.states() == {"/": "done", "/right": "leased"}
    crawl.assert_sound()


def test_result_of_a_lease_that_a_successor_took_back_commits_nothing(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (late,) = crawl.turn().work
    crawl.reopen()
    crawl.turn(crawl.page(late, "/lost"), granting=False)
    assert crawl.states() == {"/": "pending"}
    crawl.assert_sound()


def test_an_engine_that_another_one_followed_ends_and_writes_nothing_more(tmp_path: Path) -> None:
    first = SmallCrawl(tmp_path / "a.crawl")
    (work,) = first.turn().work
    second = Writer(first.path)
    second.begin(4711, 0.0, first.at)
    with pytest.raises(EngineHeld) as held:
        first.turn(first.page(work, "/lost"))
    assert held.value.pid == 4711
    with pytest.raises(EngineHeld):
        first.finish()
    assert first.states() == {"/": "pending"}
    second.close()


def test_an_engine_ends_when_its_file_is_moved_or_replaced(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.writer.ask()
    crawl.path.rename(tmp_path / "b.crawl")
    with pytest.raises(FileMissing):
        crawl.writer.ask()
    shutil.copy(tmp_path / "b.crawl", crawl.path)
    with pytest.raises(FileMissing):
        crawl.writer.ask()
    crawl.kill()


def test_expired_lease_frees_one_slot_only(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"per_host": 1}))
    (late,) = crawl.turn().work
    (again,) = crawl.turn(after=LONG).work
    assert crawl.turn(crawl.page(late)).work == ()
    turn = crawl.turn(crawl.page(again, "/one", "/two"))
    assert len(turn.work) == 1


def test_a_clock_that_jumps_a_day_ends_no_lease(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (work,) = crawl.turn().work
    crawl.writer.cycle([], crawl.now + 2, crawl.at + 86_400, granting=True)
    assert crawl.states() == {"/": "leased"}
    crawl.turn(crawl.page(work))
    assert crawl.states() == {"/": "done"}


def test_expired_robots_lease_is_asked_again_before_any_page(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"robots": True}))
    (first,) = crawl.turn().work
    (second,) = crawl.turn(after=LONG).work
    assert (first.purpose, second.purpose) == ("robots", "robots")
    (page,) = crawl.turn(crawl.robots(second, "")).work
    assert page.purpose == "page"


def test_part_of_a_sitemap_under_an_expired_lease_brings_nothing(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.writer.seed([], [crawl.link("/sitemap.xml", kind="sitemap")], crawl.at)
    late = next(work for work in crawl.turn().work if work.purpose == "sitemap")
    turn = crawl.turn(after=LONG)
    assert "sitemap" in [work.purpose for work in turn.work]
    link = crawl.link("/listed")
    answer = crawl.page(late).answer
    crawl.turn(SourceResult(late, answer, PACE, entries=(SourceEntry(link.fetch, link.key),), done=False))
    assert "/listed" not in crawl.states()


def test_a_request_that_had_to_be_sent_twice_counts_twice(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (work,) = crawl.turn().work
    crawl.turn(crawl.page(work, answer={"again": True}))
    assert crawl.counter("requests") == 2
    crawl.assert_sound()


def cut_off(crawl: SmallCrawl, times: int) -> None:
    """So many engines die while they wait for the one page they know."""
    for _ in range(times):
        assert len(crawl.turn(after=40.0).work) == 1
        crawl.reopen()


def test_url_over_which_engines_keep_dying_lets_the_others_go_first_and_is_not_lost(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    cut_off(crawl, 21)
    assert crawl.turn().work == ()
    assert crawl.states() == {"/": "waiting"}
    assert crawl.one("SELECT reason FROM url") == "error: its request was cut off 21 times"
    crawl.assert_sound()
    cut_off(crawl, 60)
    assert crawl.one("SELECT due FROM url") <= crawl.at + 30.0
    assert set(crawl.crawl({"/": ["/a"]})) == {"/", "/a"}
    assert set(crawl.states().values()) == {"done"}
    crawl.assert_sound()


def test_url_over_which_engines_die_for_ever_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "MOST_RECLAIMS", 30)
    crawl = SmallCrawl(tmp_path / "a.crawl")
    cut_off(crawl, 31)
    assert crawl.turn(after=40.0).work == ()
    assert crawl.states() == {"/": "failed"}
    crawl.assert_sound()


def test_requests_of_a_killed_session_keep_their_distance(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"delay": 5.0}))
    crawl.turn()
    crawl.reopen()
    turn = crawl.turn(after=1.0)
    assert turn.work == ()
    assert 3.0 < turn.until - crawl.now < 5.0


def test_seed_spellings_and_links_to_each_are_one_request(tmp_path: Path) -> None:  # FRO-06
    seeds = ["http://shop.test", f"{SITE}/", f"{SITE}/#x", f"{SITE}/?utm_source=x"]
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(seeds={"urls": seeds}))
    assert crawl.crawl({"/": seeds}) == ["/"]
    assert crawl.one("SELECT count(*) FROM seed WHERE url_id IS NOT NULL") == 4


def test_spelling_found_is_the_one_requested(tmp_path: Path) -> None:  # FRO-13
    crawl = SmallCrawl(tmp_path / "a.crawl")
    links = ["/p?b=2&a=1&utm_source=x", "/p?a=1&b=2", "/P%7E"]
    assert crawl.crawl({"/": links}) == ["/", "/p?b=2&a=1", "/P~"]
