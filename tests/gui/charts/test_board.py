"""The four charts: linked, following, with marks; curves are made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.store.rows import LogRow
from gui.charts.board import Board
from gui.charts.samples import COLUMNS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme


def steady(count: int) -> np.ndarray:
    table = np.ones((count, len(COLUMNS)))
    table[:, COLUMNS.index("id")] = np.arange(1, count + 1)
    table[:, COLUMNS.index("elapsed")] = np.arange(count)
    table[:, COLUMNS.index("pages")] = np.arange(count) * 10
    table[:, COLUMNS.index("frontier")] = np.arange(count) + 1000
    return table


@pytest.fixture
def board(qtbot: QtBot, theme: Theme) -> Board:
    made = Board(theme)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    return made


def test_hovering_one_chart_shows_the_value_in_all(board: Board) -> None:
    board.add(steady(500))
    board.charts[0].hovered.emit(250.2)
    assert board.charts[0]._value.text() == "1,250"
    assert all("at 4:10" in chart._unit.text() for chart in board.charts)
    board.charts[2].left.emit()
    assert board.charts[0]._value.text() == "1,499"


def test_charts_follow_until_moved_by_hand_and_again_on_demand(board: Board) -> None:
    board.add(steady(100))
    assert board.charts[3].pane.viewRange()[0][1] == pytest.approx(99)
    board.charts[0].pane.sigRangeChangedManually.emit([True, False])
    assert not board.following
    board.charts[0].pane.setXRange(0, 20, padding=0)
    more = steady(200)[100:]
    board.add(more)
    assert board.charts[3].pane.viewRange()[0][1] == pytest.approx(20)
    board.charts[1].pane.follow_wanted.emit()
    assert board.charts[3].pane.viewRange()[0][1] == pytest.approx(199)


def test_the_last_ten_minutes(board: Board) -> None:
    board.add(steady(3000))
    board._range.setCurrentIndex(2)
    assert board.charts[0].pane.viewRange()[0] == pytest.approx([2399, 2999])


def test_against_pages(board: Board) -> None:
    board.add(steady(100))
    board.set_marks((LogRow(1, 0.0, 50.0, "info", "kill", "", "", "Killed"),))
    board._axis.setCurrentIndex(1)
    assert board.charts[0].pane.viewRange()[0][1] == pytest.approx(990)
    assert board.charts[0].marks._lines[0].value() == pytest.approx(500)


def test_marks_are_reused_and_plain(board: Board) -> None:
    hostile = LogRow(1, 0.0, 5.0, "info", "settings", "", "", "<img src=x>")
    board.set_marks((hostile, LogRow(2, 0.0, 9.0, "info", "stop", "", "", "Stopped")))
    lines = list(board.charts[0].marks._lines)
    board.set_marks((hostile,))
    assert board.charts[0].marks.visible == 1
    assert board.charts[0].marks._lines == lines
    assert not lines[1].isVisible()
    assert "<img" not in lines[0].toolTip()


def test_a_day_of_samples_draws_no_more_points_than_pixels_and_the_same_items(board: Board, qtbot: QtBot) -> None:
    items = len(board.charts[0].pane.addedItems)
    for start in range(0, 86_400, 7200):
        block = steady(start + 7200)[start:]
        block[100:400, COLUMNS.index("discovery_ratio")] = np.nan
        board.add(block)
    qtbot.waitUntil(lambda: not any(chart._redraw.isActive() for chart in board.charts), timeout=5000)
    drawn = board.charts[1]._line.getData()[0]
    assert len(drawn) <= 3 * 1000
    assert np.isnan(board.charts[1]._line.getData()[1]).any()
    assert len(board.charts[0].pane.addedItems) == items
    assert board.samples.capacity <= 65_536


def test_an_empty_board_shows_dashes(board: Board) -> None:
    board.add(steady(10))
    board.clear()
    assert [chart._value.text() for chart in board.charts] == ["–"] * 4
