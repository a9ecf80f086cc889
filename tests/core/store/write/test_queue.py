"""Which URLs of a host come next: best first, lower fronts by turns, newest first in depth-first order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

BONUSES = [
    {"pattern": "/high/", "bonus": 100},
    {"pattern": "/middle/", "bonus": -50},
    {"pattern": "/low/", "bonus": -90},
]
ONE_AT_A_TIME = {"concurrency": 1}


def requested(tmp_path: Path, links: list[str], **priority: object) -> list[str]:
    """The order in which the links of a page are requested."""
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(priority=priority, politeness=ONE_AT_A_TIME))
    return crawl.crawl({"/": links})[1:]


def links_of(high: int, middle: int, low: int) -> list[str]:
    numbers = {"low": low, "middle": middle, "high": high}
    return [f"/{front}/{number}" for front, count in numbers.items() for number in range(count)]


def test_high_waits_little_and_low_never_starves(tmp_path: Path) -> None:
    order = requested(tmp_path, links_of(100, 40, 40), patterns=BONUSES)
    first = [target.split("/")[1] for target in order[:96]]
    assert first.count("high") >= 66
    assert first.count("low") >= 8
    assert first.count("middle") >= 8
    assert len(order) == 180


@pytest.mark.parametrize(
    "counts",
    [(0, 0, 1), (1, 0, 0), (0, 12, 0), (12, 0, 0), (0, 0, 16), (16, 1, 1), (11, 1, 30), (0, 40, 0), (13, 0, 2)],
)
def test_every_url_comes_once_however_the_fronts_are_filled(tmp_path: Path, counts: tuple[int, int, int]) -> None:
    order = requested(tmp_path, links_of(*counts), patterns=BONUSES)
    assert sorted(order) == sorted(links_of(*counts))


def test_oldest_first_in_breadth(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(40)]
    assert requested(tmp_path, links) == links


def test_newest_first_where_depth_is_wanted(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(16)]
    assert requested(tmp_path, links, order="depth") == links[::-1]


def test_host_is_idle_only_when_nothing_is_left(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    assert not crawl.turn().idle
    turn = crawl.turn(crawl.page(root))
    assert (turn.work, turn.idle) == ((), True)
