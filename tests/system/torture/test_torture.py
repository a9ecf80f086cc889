"""A real engine on a site that does everything wrong at once: it ends by itself, and each trick is what it was.

The short form leaves out the tricks that only wait for the deadline; `FRONTEIRA_LONG_TESTS=1` runs all of them, with
larger bombs and a longer deadline.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.system.torture.crawled import Crawled, crawl, of_sitemap
from tests.system.torture.faults import FAULTS
from tests.system.torture.site import CONTROL_PAGES, Site
from tests.system.torture.verdict import failures, global_failures, unvisited

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = bool(os.environ.get("FRONTEIRA_LONG_TESTS"))
DEADLINE = 400.0 if LONG else 90.0  # seconds for the whole crawl
SHORT_FAULTS = tuple(fault for fault in FAULTS if not fault.slow)
MOST_GROWTH = 300  # megabytes
LONGEST_LAG = 1.0  # seconds
FIRST_REQUESTS = 1000  # among which every control page is


@dataclass(frozen=True, slots=True)
class Tortured:
    """The site and what the engine made of it."""

    site: Site
    crawled: Crawled


@pytest.fixture(scope="module")
def tortured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tortured]:
    folder = tmp_path_factory.mktemp("torture")
    faults, bomb = (FAULTS, 512) if LONG else (SHORT_FAULTS, 128)
    with Site(folder, faults, bomb=bomb) as site:
        timeout, retries = (20.0, 3) if LONG else (5.0, 1)
        crawled = crawl(site, folder, timeout=timeout, retries=retries, deadline=DEADLINE)
        yield Tortured(site, crawled)


def test_the_engine_ends_by_itself_and_says_which_limit_it_met(tortured: Tortured) -> None:
    assert tortured.crawled.exit_status in {0, 3}
    assert "Traceback" not in tortured.crawled.told
    assert "pattern-limit: /trap/" in tortured.crawled.told


def test_no_trick_is_fallen_for(tortured: Tortured) -> None:
    assert failures(tortured.site) == {}
    assert global_failures(tortured.site) == []


def test_every_trick_was_met(tortured: Tortured) -> None:
    assert unvisited(tortured.site) == set()


def test_every_outcome_is_one_that_a_correct_crawler_may_record(tortured: Tortured) -> None:
    site, crawled = tortured.site, tortured.crawled
    pages = {fault: crawled.outcome(site.address(fault)) for fault in site.faults if fault.category != "sitemap"}
    maps = {fault: of_sitemap(fault, site, crawled) for fault in site.faults if fault.category == "sitemap"}
    wrong = {fault.name: outcome for fault, outcome in {**pages, **maps}.items() if outcome not in fault.accept}
    assert wrong == {}


def test_no_outcome_is_unforeseen_and_nothing_is_left_in_flight(tortured: Tortured) -> None:
    assert tortured.crawled.unforeseen == ()
    states = {state for state, _, _ in tortured.crawled.urls.values()}
    assert states <= {"done", "failed", "blocked", "pending", "excluded"}


def test_every_control_page_is_among_the_first_requests(tortured: Tortured) -> None:
    places = {path: tortured.site.log.first("a", path) for path in CONTROL_PAGES}
    late = {path: place for path, place in places.items() if place is None or place >= FIRST_REQUESTS}
    assert late == {}


def test_memory_stays_bounded(tortured: Tortured) -> None:
    assert tortured.crawled.growth < MOST_GROWTH


def test_no_host_waits_long_for_the_engine_s_own_work(tortured: Tortured) -> None:
    assert tortured.crawled.lag < LONGEST_LAG
