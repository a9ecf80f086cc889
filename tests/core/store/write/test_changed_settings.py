"""Settings that change during a crawl: no request ignores them, and the rows follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.results import SourceResult
from core.store.write import sweeps
from tests.small_crawl import PACE, SmallCrawl, settings_of, write_settings

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work

URLS = [f"/{'bad' if number % 5 < 3 else 'good'}/{number}" for number in range(500)]
BAD = settings_of(scope={"exclude": ["/bad/"]}, politeness={"concurrency": 4})
ALL = settings_of(politeness={"concurrency": 4})


def halfway(path: Path) -> tuple[SmallCrawl, tuple[Work, ...]]:
    """A crawl with 500 known URLs, and the four that are in flight; twelve more are in the host's buffer."""
    crawl = SmallCrawl(path, ALL)
    (root,) = crawl.turn().work
    return crawl, crawl.turn(crawl.page(root, *URLS)).work


def test_pattern_added_takes_effect_before_the_next_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "PIECE", 50)
    crawl, in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    requested = crawl.crawl({}, in_flight)
    assert len(requested) == 200 - sum("good" in work.url.target for work in in_flight)
    assert not [target for target in requested if target.startswith("/bad/")]
    crawl.assert_sound()


def test_pattern_added_while_stopped_hits_what_is_queued_and_comes_back_when_removed(tmp_path: Path) -> None:  # FRO-09
    crawl, _in_flight = halfway(tmp_path / "a.crawl")
    crawl.kill()
    write_settings(crawl.path, BAD, crawl.at)
    crawl.open()
    assert crawl.begun.interrupted == 4
    requested = crawl.crawl({})
    assert (len(requested), {target[:6] for target in requested}) == (200, {"/good/"})
    excluded = crawl.ask("SELECT DISTINCT reason FROM url WHERE state = 5")
    assert excluded == [("pattern: /bad/",)]
    crawl.change(ALL)
    assert len(crawl.crawl({})) == 300
    crawl.assert_sound()


def test_an_excluded_url_says_which_of_the_patterns_in_force_keeps_it_out(tmp_path: Path) -> None:
    crawl, in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    requested = crawl.crawl({}, in_flight)
    crawl.change(settings_of(scope={"exclude": ["/b"]}))
    assert crawl.crawl({}) == []
    assert crawl.ask("SELECT DISTINCT reason FROM url WHERE state = 5") == [("pattern: /b",)]
    crawl.assert_sound()
    crawl.change(ALL)
    assert len(requested) + len(crawl.crawl({})) == 500 - len(in_flight)


def test_url_in_flight_that_a_new_pattern_hits_is_not_tried_again(tmp_path: Path) -> None:
    crawl, in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    crawl.turn()
    bad = [work for work in in_flight if "bad" in work.url.target]
    crawl.turn(*(crawl.failure(work, 503, retry_in=1.0) for work in bad))
    assert {crawl.states()[work.url.target] for work in bad} == {"excluded"}
    crawl.assert_sound()


def test_request_cut_off_before_a_pattern_was_added_is_not_sent_again(tmp_path: Path) -> None:
    crawl, _in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    for _ in range(30):
        crawl.turn(granting=False)
    crawl.reopen()
    assert not [target for target in crawl.crawl({}) if target.startswith("/bad/")]
    crawl.assert_sound()


def test_sweep_that_takes_out_a_buffered_url_counts_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "PIECE", 7)
    crawl, in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    for _ in range(60):
        turn = crawl.turn(*(crawl.page(work) for work in in_flight[:1]))
        in_flight = (*in_flight[1:], *turn.work)
        assert crawl.ask("SELECT pending, excluded FROM host") == [
            tuple(crawl.one("SELECT count(*) FROM url WHERE state = ?", state) for state in (0, 5))
        ]


def test_sweep_cut_short_by_a_kill_begins_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "PIECE", 50)
    crawl, _in_flight = halfway(tmp_path / "a.crawl")
    crawl.change(BAD)
    crawl.turn()
    crawl.reopen()
    crawl.crawl({})
    assert list(crawl.states().values()).count("excluded") >= 296
    crawl.assert_sound()


def test_waiting_sitemap_survives_a_change_of_settings(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"per_host": 1}))
    crawl.writer.seed([], [crawl.link("/one.xml", kind="sitemap"), crawl.link("/two.xml", kind="sitemap")], crawl.at)
    (first,) = crawl.turn().work
    crawl.change(settings_of(name="other", politeness={"per_host": 1}))
    done = []
    work = first
    for _ in range(2):
        assert work.purpose == "sitemap"
        done.append(work.url.target)
        turn = crawl.turn(SourceResult(work, crawl.failure(work).answer, PACE, failed=True))
        (work,) = turn.work
    assert sorted(done) == ["/one.xml", "/two.xml"]
    assert work.purpose == "page"


def test_apply_brings_rows_in_line_without_a_request(tmp_path: Path) -> None:
    crawl, _in_flight = halfway(tmp_path / "a.crawl")
    crawl.kill()
    write_settings(crawl.path, BAD, crawl.at)
    from core.store.write.writer import Writer

    writer = Writer(crawl.path)
    writer.apply(crawl.now, crawl.at)
    writer.close()
    assert crawl.one("SELECT excluded FROM host") >= 297
    assert crawl.counter("requests") == 5


@pytest.mark.parametrize("reason", ["robots off", "an override", "another token"])
def test_urls_that_robots_txt_blocked_come_back_when_it_no_longer_counts(tmp_path: Path, reason: str) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"robots": True}))
    (robots,) = crawl.turn().work
    (root,) = crawl.turn(crawl.robots(robots, "User-agent: Fronteira\nDisallow: /no")).work
    crawl.turn(crawl.page(root, "/no", "/yes"))
    assert crawl.states()["/no"] == "blocked"
    changed = {
        "robots off": settings_of(),
        "an override": settings_of(
            politeness={"robots": True, "robots_override": [{"host": "shop.test", "reason": "ours"}]}
        ),
        "another token": settings_of(politeness={"robots": True}, fetch={"user_agent": "Other"}),
    }[reason]
    crawl.change(changed)
    assert "/no" in crawl.crawl({})
    crawl.assert_sound()
