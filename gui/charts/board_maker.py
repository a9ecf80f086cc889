"""Makes the charts without holding up the window: their library is loaded beside its thread, then chart by chart.

Loading takes half a second and a chart ten to twenty milliseconds: together they would be seen as a jerk.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gui.courier import Courier

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.charts.chart import Chart
    from gui.courier import Words
    from gui.theme import Theme


class BoardMaker(QObject):
    """`ready(board)` comes once, some time after `start`; starting twice makes one board."""

    ready = Signal(object)  # Board

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._theme = theme
        self._charts: list[Chart] = []
        self._started = False
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._on_next)
        self._courier = Courier(self)
        self._courier.finished.connect(self._on_loaded)

    @Slot()
    def start(self) -> None:
        """Begin, unless it has begun."""
        if not self._started:
            self._started = True
            self._courier.start()
            threading.Thread(target=_load, args=(self._courier.words,), name="charts' library", daemon=True).start()

    @Slot(object)
    def _on_loaded(self, _none: None) -> None:
        self._next.start()

    @Slot()
    def _on_next(self) -> None:
        """One chart a turn of the event loop, then the board around them."""
        from gui.charts.board import Board
        from gui.charts.chart import Chart
        from gui.charts.chart_spec import CHARTS

        if len(self._charts) < len(CHARTS):
            chart = Chart(CHARTS[len(self._charts)])
            chart.setParent(self._owner)  # it goes with its view, in the window's thread, also when that goes too soon
            self._charts.append(chart)
            self._next.start()
        else:
            self.ready.emit(Board(self._theme, tuple(self._charts)))


def _load(words: Words) -> None:
    import gui.charts.board  # noqa: F401  # half a second, of which the window's thread feels nothing

    words.finish(None)
