"""Settings that change while a crawl runs: in force within a second, without a lost or a forbidden request."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from core.explain import explain
from core.settings import Budgets, CrawlSettings, Pages, Scope
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

SLOW = {"concurrency": 1, "delay": 0.02}


def endless(asked: Asked) -> bytes:
    """Every page leads to a page of the calendar and to one of the shop; the pages to /stop/N end."""
    number = int(asked.target.rpartition("/")[2] or 0)
    return page(f"/calendar/{number + 1}", f"/shop/{number + 1}", title=asked.target)


def site_of(count: int) -> ScriptedSite:
    site = ScriptedSite({"/shop/0": endless})
    site.answers |= {f"/{room}/{number}": endless for room in ("calendar", "shop") for number in range(count)}
    return site


def long_crawl(site: ScriptedSite, **changes: object) -> CrawlSettings:
    sections: dict[str, object] = {"budgets": Budgets(max_depth=1000), "politeness": politeness(**SLOW)}
    return quick(f"{site.root}/shop/0", **{**sections, **changes})


def test_an_exclusion_holds_within_a_second_and_comes_back_when_it_is_taken_away(tmp_path: Path) -> None:
    with site_of(60) as site:
        crawl = Crawl(tmp_path, long_crawl(site))
        written = 0.0

        def exclude() -> None:
            nonlocal written
            site.wait_for(lambda: len(site.asked) > 20)
            crawl.set(long_crawl(site, scope=Scope(exclude=("/calendar/",))))
            written = time.monotonic()

        assert crawl.run(exclude).exit_status == 0
        late = [asked for asked in site.asked if asked.target.startswith("/calendar/") and asked.at > written + 1.0]
        assert late == []
        excluded = [row for row in crawl.urls().values() if row.state == "excluded"]
        assert {row.reason for row in excluded} == {"pattern: /calendar/"}
        assert crawl.status().urls["refused"] > 0
        before = site.count("/calendar/59")
        crawl.set(long_crawl(site))
        assert crawl.run().exit_status == 0
        assert (before, site.count("/calendar/59")) == (0, 1)
    assert crawl.status().urls["excluded"] == crawl.status().urls["refused"] == 0
    assert {row.state for row in crawl.urls().values()} == {"done", "failed"}  # the calendar ends with a 404


def test_an_extension_that_is_blocked_while_it_runs_is_asked_for_no_more_and_comes_back(tmp_path: Path) -> None:
    links = [f"/{number}.pdf" for number in range(60)]
    with ScriptedSite({"/": page(*links)}) as site:
        site.answers |= {link: page(title=link) for link in links}
        slow = politeness(**SLOW)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", politeness=slow, scope=Scope(skip_extensions=())))
        written = 0.0

        def block() -> None:
            nonlocal written
            site.wait_for(lambda: len(site.asked) > 5)
            crawl.set(quick(f"{site.root}/", politeness=slow, scope=Scope(skip_extensions=("pdf",))))
            written = time.monotonic()

        assert crawl.run(block).exit_status == 0
        assert [asked.target for asked in site.asked if asked.at > written + 1.0] == []
        left = {path: row.reason for path, row in crawl.urls().items() if row.state == "excluded"}
        assert left
        assert set(left.values()) == {"extension"}
        assert not explain(crawl.path, f"{site.root}{min(left)}").allowed
        crawl.set(quick(f"{site.root}/", scope=Scope(skip_extensions=())))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == sorted(["/robots.txt", "/", *links])


def test_a_second_hop_that_waits_for_its_turn_heeds_a_new_exclusion(tmp_path: Path) -> None:
    """A redirect to another spelling of its own page is followed within one lease, however long the delay is."""
    with ScriptedSite({"/p?b=1&a=1": moved("/p?a=1&b=1"), "/p?a=1&b=1": page()}) as site:
        seed = f"{site.root}/p?b=1&a=1"
        paces = politeness(robots=False, delay=1.5, per_host=1)
        crawl = Crawl(tmp_path, quick(seed, politeness=paces))

        def exclude() -> None:
            site.wait_for(lambda: len(site.asked) == 1)
            crawl.set(quick(seed, politeness=paces, scope=Scope(exclude=("/p",))))

        assert crawl.run(exclude).exit_status == 0
        assert site.targets() == ["/p?b=1&a=1"]
        (row,) = crawl.urls().values()
        assert (row.state, row.reason) == ("excluded", "pattern: /p")
        assert crawl.status().requests == 1
        assert crawl.rows("SELECT requests, status_3xx FROM host") == [(1, 1)]

        crawl.set(quick(seed, politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
        assert site.targets()[1:] == ["/p?b=1&a=1", "/p?a=1&b=1"]


NARROWER: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "include": ({}, {"include": ("/kept/",)}, "pattern: not included"),
    "hosts": ({"hosts": ("127.0.0.1", "localhost")}, {"hosts": ("127.0.0.1",)}, "scope"),
    "follow": ({}, {"follow": False}, "scope"),
}


@pytest.mark.parametrize("change", NARROWER)
def test_a_narrower_scope_holds_within_a_second_and_comes_back_when_it_is_widened(tmp_path: Path, change: str) -> None:
    wide, narrow, reason = NARROWER[change]
    with ScriptedSite({"/moved": moved("/start"), "/start": page()}) as site:
        left = site.at("localhost") if change == "hosts" else site.root
        links = [f"{left}/{number}" for number in range(60)]
        site.answers["/"] = page(*links)
        site.answers |= {f"/{number}": page(title=str(number)) for number in range(60)}

        def settings(scope: dict[str, Any]) -> CrawlSettings:
            return quick(f"{site.root}/", f"{site.root}/moved", politeness=politeness(**SLOW), scope=Scope(**scope))

        crawl = Crawl(tmp_path, settings(wide))
        written = 0.0

        def shrink() -> None:
            nonlocal written
            site.wait_for(lambda: len(site.asked) > 8)
            crawl.set(settings(narrow))
            written = time.monotonic()

        assert crawl.run(shrink).exit_status == 0
        assert [asked.target for asked in site.asked if asked.at > written + 1.0] == []
        out = {row.url: row.reason for row in crawl.urls().values() if row.state == "excluded"}
        assert out
        assert set(out) <= set(links)
        assert set(out.values()) == {reason}
        told = explain(crawl.path, min(out))
        assert (told.allowed, told.reason) == (False, reason)
        crawl.set(settings(wide))
        assert crawl.run().exit_status == 0
        pages = [target for target in site.targets() if target != "/robots.txt"]
        assert sorted(pages) == sorted(["/", "/moved", "/start", *(f"/{number}" for number in range(60))])


@pytest.mark.parametrize("narrow", [{"include": ("/kept/",)}, {"follow": False}])
def test_seeds_and_what_they_redirect_to_stay_in_a_narrower_scope(tmp_path: Path, narrow: dict[str, Any]) -> None:
    """Also a URL that a link led to first, and that the analyst typed after that."""
    slow = politeness(concurrency=1, delay=0.2)
    with ScriptedSite({"/": page("/typed", "/link"), "/moved": moved("/end"), "/end": page()}) as site:
        site.answers |= {path: page(title=path) for path in ("/typed", "/link")}
        seeds = (f"{site.root}/moved", f"{site.root}/")
        crawl = Crawl(tmp_path, quick(*seeds, politeness=slow))

        def shrink() -> None:
            site.wait_for(lambda: site.count("/") == 1)
            crawl.wait_until(lambda: "/typed" in crawl.urls())
            crawl.set(quick(*seeds, f"{site.root}/typed", politeness=slow, scope=Scope(**narrow)))

        assert crawl.run(shrink).exit_status == 0
    assert {path: state for path, state in crawl.states().items() if path != "/link"} == dict.fromkeys(
        ("/", "/moved", "/end", "/typed"), "done"
    )


@pytest.mark.parametrize("reference", ['<img src="/x">', '<a rel="nofollow" href="/x">x</a>'])
@pytest.mark.parametrize("deepest", [2, 3])
def test_a_reference_that_is_not_followed_makes_no_way_shorter(tmp_path: Path, reference: str, deepest: int) -> None:
    """The only way that may be followed is three links long, whatever shows or mentions the page before."""
    with ScriptedSite({"/": f'{reference}<a href="/1">1</a>', "/1": page("/2"), "/2": page("/x", title="2")}) as site:
        site.answers["/x"] = page(title="X")
        shown = Pages(resources=True)
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=shown, budgets=Budgets(max_depth=2)))
        crawl.run()
        assert crawl.refused() == {f"{site.root}/x": "depth"}
        changed = Budgets(max_depth=deepest, max_seconds=1000)
        crawl.set(quick(f"{site.root}/", pages=shown, budgets=changed))
        assert crawl.run().exit_status == 0
        assert site.count("/x") == (deepest == 3)


def test_raising_a_limit_while_it_runs_admits_what_was_refused(tmp_path: Path) -> None:
    with site_of(40) as site:
        crawl = Crawl(tmp_path, long_crawl(site, budgets=Budgets(max_depth=1000, max_pages=30)))

        def raise_limit() -> None:
            site.wait_for(lambda: len(site.asked) > 15)
            crawl.set(long_crawl(site, politeness=politeness()))

        assert crawl.run(raise_limit).exit_status == 0
        assert site.count("/shop/39") == 1


def test_pace_and_slots_change_while_it_runs(tmp_path: Path) -> None:
    with ScriptedSite({"/": page(*(f"/{number}" for number in range(40)))}) as site:
        site.answers |= {f"/{number}": Reply(page(title=str(number)), hold=0.05) for number in range(40)}
        slow = quick(f"{site.root}/", politeness=politeness(delay=0.3, concurrency=1))
        crawl = Crawl(tmp_path, slow)

        def quicken() -> None:
            site.wait_for(lambda: len(site.asked) > 3)
            crawl.set(quick(f"{site.root}/", politeness=politeness(concurrency=8, per_host=8)))

        started = time.monotonic()
        assert crawl.run(quicken).exit_status == 0
        assert time.monotonic() - started < 8  # the slow pace would take twelve seconds


def test_settings_that_cannot_be_used_leave_the_old_ones_in_force(tmp_path: Path) -> None:
    with site_of(20) as site:
        crawl = Crawl(tmp_path, long_crawl(site))

        def spoil() -> None:
            site.wait_for(lambda: len(site.asked) > 5)
            crawl.set(long_crawl(site, scope=Scope(exclude=("re:(",))))

        assert crawl.run(spoil).exit_status == 0
        assert site.count("/shop/19") == 1
    assert any("cannot be used" in line for line in crawl.log("settings"))


def test_new_seeds_are_taken_up_while_it_runs(tmp_path: Path) -> None:
    with site_of(20) as site:
        site.answers["/more"] = page(title="More")
        crawl = Crawl(tmp_path, long_crawl(site))

        def add() -> None:
            site.wait_for(lambda: len(site.asked) > 5)
            crawl.set(quick(f"{site.root}/shop/0", f"{site.root}/more", budgets=Budgets(max_depth=1000)))

        assert crawl.run(add).exit_status == 0
    assert crawl.states()["/more"] == "done"


def test_concurrency_of_the_command_line_outlives_a_change_of_settings(tmp_path: Path) -> None:
    with ScriptedSite({"/": page(*(f"/{number}" for number in range(20)))}) as site:
        site.answers |= {f"/{number}": Reply(page(title=str(number)), hold=0.05) for number in range(20)}
        crawl = Crawl(tmp_path, quick(f"{site.root}/", fetch=fetch(timeout=9.0)))

        def change() -> None:
            site.wait_for(lambda: len(site.asked) > 4)
            crawl.set(quick(f"{site.root}/"))

        assert crawl.run(change, concurrency=1).exit_status == 0
        starts = [asked.at for asked in site.asked if asked.target not in {"/", "/robots.txt"}]
    assert min(later - earlier for earlier, later in pairwise(starts)) >= 0.049
