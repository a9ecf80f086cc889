"""Times without a network are shaded, from going offline to whatever ended it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.rows import LogRow
from gui.charts.bands import MOST, Band, offline_bands
from gui.charts.board import Board
from gui.charts.marks import Mark
from gui.tokens import DARK, LIGHT
from tests.gui.charts.test_board import steady

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme


def marks(*pairs: tuple[str, float]) -> tuple[Mark, ...]:
    return tuple(Mark(x, kind, kind) for kind, x in pairs)


@pytest.mark.parametrize(
    ("made", "bands"),
    [
        (marks(("start", 0), ("stop", 9)), ()),
        (marks(("offline", 5), ("online", 9)), (Band(5, 9),)),
        (marks(("offline", 5), ("settings", 6), ("offline", 7), ("online", 9)), (Band(5, 9),)),
        (marks(("offline", 5), ("kill", 8), ("start", 8), ("offline", 20)), (Band(5, 8), Band(20, 30))),
        (marks(("online", 5), ("offline", 40)), (Band(40, 40),)),
    ],
)
def test_a_band_reaches_from_offline_to_its_end(made: tuple[Mark, ...], bands: tuple[Band, ...]) -> None:
    assert offline_bands(made, 30) == bands


def test_the_newest_bands_are_shown_where_there_are_many() -> None:
    found = offline_bands(marks(*(pair for n in range(90) for pair in (("offline", n), ("online", n + 0.5)))), 99)
    assert len(found) == MOST
    assert found[-1] == Band(89, 89.5)


def test_the_board_shades_them_also_against_pages(theme: Theme, qtbot: QtBot) -> None:
    board = Board(theme)
    qtbot.addWidget(board)
    board.add(steady(100))
    log = (LogRow(1, 0.0, 20.0, "warning", "offline", "", "", "x"), LogRow(2, 0.0, 50.0, "info", "online", "", "", "x"))
    board.set_marks(log)
    assert [chart.bands.shown for chart in board.charts] == [(Band(20, 50),)] * 4
    item = board.charts[0].bands._items[0]
    for tokens in (LIGHT, DARK):
        board.charts[0].set_colours(tokens)
        assert item.brush.color().name() == tokens.warning
    board._axis.setCurrentIndex(1)
    assert board.charts[0].bands.shown == (Band(200, 500),)
    board.set_marks(log[:1])
    assert board.charts[0].bands.shown == (Band(200, 990),)
    board.set_marks(())
    assert not item.isVisible()
