"""The dashboard on real crawl files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gui.dashboard.dashboard_view import DashboardView
from gui.session import OpenCrawl
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme

RATIOS = {"discovery_ratio": 2.0, "duplicate_rate": 0.1, "bytes_per_useful_page": 3000.0}


def sample(made: HandMadeCrawl, second: int) -> None:
    counts = dict.fromkeys("known pages requests bytes errors records useful".split(), second)
    made.add("sample", at=NOON + second, elapsed=second, run=1, frontier=second, **counts, **RATIOS)


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl")


@pytest.fixture
def opened(qtbot: QtBot, made: HandMadeCrawl) -> Iterator[OpenCrawl]:
    crawl = OpenCrawl(made.path)
    qtbot.waitUntil(lambda: crawl.status is not None, timeout=5000)
    yield crawl
    crawl.close()
    assert crawl.wait_closed()


def shown(qtbot: QtBot, theme: Theme, preferences: Preferences, crawl: OpenCrawl) -> DashboardView:
    view = DashboardView(theme, preferences)
    qtbot.addWidget(view)
    view.resize(1000, 700)
    crawl.status_changed.connect(view.refresh)
    view.show()
    view.set_crawl(crawl)
    return view


def test_before_the_first_run_it_says_what_to_do(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl
) -> None:
    view = shown(qtbot, theme, preferences, opened)
    assert view._empty_title.isVisible()
    assert not view._figures.isVisible()


def test_the_charts_are_made_before_they_are_needed(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl
) -> None:
    view = shown(qtbot, theme, preferences, opened)
    qtbot.waitUntil(lambda: view._board is not None, timeout=5000)
    assert view._empty_title.isVisible()


def test_samples_arrive_while_the_crawl_runs(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl
) -> None:
    view = shown(qtbot, theme, preferences, opened)
    made.run()
    made.counters(pages=7, requests=8)
    for second in range(5):
        sample(made, second)
    qtbot.waitUntil(lambda: view._board is not None and len(view._board.samples) == 5, timeout=5000)
    sample(made, 6)
    qtbot.waitUntil(lambda: view._board is not None and len(view._board.samples) == 6, timeout=5000)


def test_an_invisible_dashboard_reads_nothing(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl
) -> None:
    made.run()
    sample(made, 1)
    view = shown(qtbot, theme, preferences, opened)
    qtbot.waitUntil(lambda: view._board is not None and len(view._board.samples) == 1, timeout=5000)
    view.hide()
    asked = view._asked
    view._ask()
    assert view._asked == asked


def test_the_charts_become_a_picture(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl, tmp_path: Path
) -> None:
    made.run()
    sample(made, 1)
    view = shown(qtbot, theme, preferences, opened)
    qtbot.waitUntil(lambda: view._board is not None, timeout=5000)
    place = tmp_path / "charts.png"
    view._on_picture_placed(str(place))
    assert place.read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_written_is_told(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl, tmp_path: Path
) -> None:
    made.run()
    view = shown(qtbot, theme, preferences, opened)
    qtbot.waitUntil(lambda: view._board is not None, timeout=5000)
    with qtbot.waitSignal(view.failed, timeout=1000):
        view._on_picture_placed(str(tmp_path / "missing" / "charts.png"))
