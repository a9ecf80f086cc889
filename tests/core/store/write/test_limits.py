"""Limits on pages count each URL once, give back what is blocked or excluded, and go on when raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

MANY = [f"/p/{number}" for number in range(20)]


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({"max_pages": 5}, "total-limit: 16 URLs left"),
        ({"max_pages_per_host": 5}, "host-limit: 16 URLs left at shop.test"),
        ({"patterns": [{"pattern": "/p/", "max_pages": 4}]}, "pattern-limit: /p/ 16 URLs left"),
    ],
)
def test_reached_limit_says_which_and_what_is_left(tmp_path: Path, budget: dict[str, object], reason: str) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets=budget))
    assert len(crawl.crawl({"/": MANY})) == 5
    assert crawl.writer.readmit_limited(crawl.at) == 0
    assert crawl.writer.leftovers() == reason
    crawl.assert_sound()


@pytest.mark.parametrize(
    ("budget", "raised"),
    [
        ({"max_pages": 5}, {"max_pages": 8}),
        ({"max_pages_per_host": 5}, {"max_pages_per_host": 8}),
        ({"patterns": [{"pattern": "/p/", "max_pages": 4}]}, {"patterns": [{"pattern": "/p/", "max_pages": 7}]}),
    ],
)
def test_raised_limit_goes_on_and_counts_what_was_fetched_before(
    tmp_path: Path, budget: dict[str, object], raised: dict[str, object]
) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets=budget))
    crawl.crawl({"/": MANY})
    crawl.change(settings_of(budgets=raised))
    assert len(crawl.crawl({})) == 3
    crawl.reopen()
    assert crawl.crawl({}) == []
    assert crawl.writer.leftovers()
    crawl.change(settings_of())
    assert len(crawl.crawl({})) == 13
    assert crawl.writer.leftovers() == ""
    crawl.assert_sound()


def test_failures_count_once_and_retries_do_not(tmp_path: Path) -> None:  # FRO-04
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_pages": 6}))
    (root,) = crawl.turn().work
    turn = crawl.turn(crawl.page(root, *MANY))
    assert len(turn.work) == 5
    turn = crawl.turn(*(crawl.failure(work, 503, retry_in=5.0) for work in turn.work))
    assert set(crawl.states().values()) == {"done", "waiting"}
    assert turn.work == ()
    crawl.reopen()
    turn = crawl.turn(after=6.0)
    assert [work.tries for work in turn.work] == [1] * 5
    turn = crawl.turn(*(crawl.failure(work, 503) for work in turn.work))
    assert turn.idle
    assert len(crawl.states()) == 6
    assert (crawl.counter("pages"), crawl.counter("requests")) == (6, 11)
    crawl.assert_sound()


def test_blocked_urls_give_their_places_back(tmp_path: Path) -> None:
    settings = settings_of(budgets={"max_pages": 6}, politeness={"robots": True})
    crawl = SmallCrawl(tmp_path / "a.crawl", settings)
    (robots,) = crawl.turn().work
    (root,) = crawl.turn(crawl.robots(robots, "User-agent: *\nDisallow: /no/")).work
    crawl.turn(crawl.page(root, *(f"/no/{number}" for number in range(4)), *MANY))
    requested = crawl.crawl({})
    assert crawl.writer.readmit_limited(crawl.at) == 4
    requested += crawl.crawl({})
    states = list(crawl.states().values())
    assert (states.count("blocked"), states.count("done") + states.count("leased")) == (4, 6)
    assert crawl.one("SELECT count(*) FROM refused") == 15
    crawl.assert_sound()


def test_excluded_urls_give_their_place_under_a_pattern_back(tmp_path: Path) -> None:
    limits = {"patterns": [{"pattern": "/p/", "max_pages": 4}]}
    settings = settings_of(budgets=limits, politeness={"concurrency": 1})
    crawl = SmallCrawl(tmp_path / "a.crawl", settings)
    (root,) = crawl.turn().work
    (flying,) = crawl.turn(crawl.page(root, *MANY)).work
    crawl.change(settings_of(budgets=limits, scope={"exclude": ["/p/1", "/p/2"]}))
    crawl.turn(crawl.page(flying))
    crawl.crawl({})
    crawl.writer.readmit_limited(crawl.at)
    crawl.crawl({})
    done = [path for path, state in crawl.states().items() if state == "done" and path != "/"]
    assert len(done) == 4
    assert crawl.counter("pattern./p/") == 4
    crawl.assert_sound()


def test_pattern_limit_added_later_counts_what_is_known(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.crawl({"/": MANY[:3]})
    limits = {"patterns": [{"pattern": "/p/", "max_pages": 5}]}
    crawl.finish()
    crawl.open(recrawl="all")
    crawl.change(settings_of(budgets=limits))
    crawl.crawl({"/": MANY})
    assert crawl.counter("pattern./p/") == 5
    assert len([path for path in crawl.states() if path.startswith("/p/")]) == 5
    crawl.change(settings_of())
    crawl.crawl({})
    crawl.change(settings_of(budgets=limits))
    assert crawl.counter("pattern./p/") == 20


def test_traps_are_cut_and_listed_with_their_reason(tmp_path: Path) -> None:  # FRO-08
    settings = settings_of(budgets={"max_depth": 4, "max_parameter_sets": 10, "max_url_length": 200})

    def site(target: str) -> list[str]:
        facets = [f"/list?colour={number}&size={number * 2}" for number in range(40)]
        return [
            *("/real/1", "/real/2"),
            f"/a{target}" if target.startswith("/a/") else "/a/a",
            f"/calendar/{target.count('/') and len(target)}",
            f"{target.partition('?')[0]}?q={'x' * (len(target) * 2)}" if "q=" in target else "/search?q=x",
            *facets,
        ]

    crawl = SmallCrawl(tmp_path / "a.crawl", settings)
    requested = crawl.crawl(site)
    words = set(crawl.reasons().values())
    assert {"depth", "trap: path repeats", "trap: parameters"} <= words
    assert {"/real/1", "/real/2"} <= set(requested)
    assert len([target for target in requested if target.startswith("/list")]) == 10
    assert max(len(target) for target in requested) <= 200
    crawl.assert_sound()
