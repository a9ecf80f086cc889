"""A robots.txt that lies at another host, as the writer leases it: one chain, whatever dies or expires on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.results import RobotsResult
from tests.small_crawl import PACE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.results import Work

THERE = "http://rules.test/robots.txt"


def led(tmp_path: Path) -> tuple[SmallCrawl, Work]:
    """A crawl whose robots.txt redirected to another host, and the lease there."""
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(politeness={"robots": True}))
    (first,) = crawl.turn().work
    assert first.purpose == "robots"
    answer = crawl.page(first).answer
    (there,) = crawl.turn(RobotsResult(first, answer, PACE, "elsewhere", moved=crawl.link(THERE))).work
    return crawl, there


def test_the_look_goes_on_under_a_lease_of_the_other_host(tmp_path: Path) -> None:
    crawl, there = led(tmp_path)
    assert (there.purpose, there.url.text, there.depth) == ("robots", THERE, 1)
    assert (there.host, there.id) == (2, 1)
    assert (there.first, there.rules_of) == ("http://shop.test/robots.txt", 1)
    assert crawl.ask("SELECT name, requests FROM host ORDER BY id") == [("shop.test", 1), ("rules.test", 1)]
    turn = crawl.turn(crawl.robots(there, "User-agent: *\nDisallow: /x"))
    assert [work.url.target for work in turn.work] == ["/"]
    assert crawl.ask("SELECT robots_state FROM origin ORDER BY id") == [("rules",), ("unknown",)]
    crawl.crawl({"/": ["/x", "/a"]}, turn.work)
    assert crawl.states() == {"/": "done", "/x": "blocked", "/a": "done"}


def test_a_killed_look_begins_again_at_its_own_host(tmp_path: Path) -> None:
    crawl, _ = led(tmp_path)
    crawl.kill()
    crawl.reopen()
    (again,) = crawl.turn(after=10.0).work
    assert (again.url.text, again.depth) == ("http://shop.test/robots.txt", 0)


def test_a_lease_there_that_expires_lets_its_origin_ask_again(tmp_path: Path) -> None:
    crawl, _ = led(tmp_path)
    works = [*crawl.turn(after=100_000.0).work, *crawl.turn(after=1.0).work]
    assert [work.url.text for work in works] == ["http://shop.test/robots.txt"]
