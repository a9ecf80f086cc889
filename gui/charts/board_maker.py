"""Makes the charts without holding up the window: their library is loaded beside its thread, then chart by chart.

Loading takes half a second and a chart ten to twenty milliseconds: together they would be seen as a jerk.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from gui.charts.chart import Chart
    from gui.theme import Theme


class BoardMaker(QObject):
    """`ready(board)` comes once, some time after `start`; starting twice makes one board."""

    ready = Signal(object)  # Board
    _loaded = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._charts: list[Chart] = []
        self._started = False
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._on_next)
        self._loaded.connect(self._next.start)

    @Slot()
    def start(self) -> None:
        """Begin, unless it has begun."""
        if not self._started:
            self._started = True
            threading.Thread(target=self._load, name="charts' library", daemon=True).start()

    def _load(self) -> None:
        import gui.charts.board  # noqa: F401  # half a second, of which the window's thread feels nothing

        try:
            self._loaded.emit()
        except RuntimeError:  # the view was deleted meanwhile: nobody wants the charts
            return

    @Slot()
    def _on_next(self) -> None:
        """One chart a turn of the event loop, then the board around them."""
        from gui.charts.board import Board
        from gui.charts.chart import Chart
        from gui.charts.chart_spec import CHARTS

        if len(self._charts) < len(CHARTS):
            self._charts.append(Chart(CHARTS[len(self._charts)]))
            self._next.start()
        else:
            self.ready.emit(Board(self._theme, tuple(self._charts)))
