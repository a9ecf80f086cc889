"""A bar for each run: how many records were new, changed and gone in it. The chosen runs stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.changes.parts import DRAWN, PARTS
from gui.figures import count
from gui.foreign_text import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from core.store.read.runs import RunRow
    from gui.theme import Theme

HEIGHT = 64  # pixels
WIDEST, GAP = 26, 4
MOST = 60  # runs that are drawn: the newest


class RunBars(QWidget):
    """`run_chosen(number)` when a bar is clicked."""

    run_chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._runs: tuple[RunRow, ...] = ()
        self._chosen = (0, 0)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Records that were new, changed and gone in each run"))
        theme.changed.connect(self.update)

    def show_runs(self, runs: Sequence[RunRow], chosen: tuple[int, int]) -> None:
        """All runs, and the two that are compared."""
        self._runs, self._chosen = tuple(runs)[-MOST:], chosen
        words = (f"{self.tr('Run')} {run.number}: {self._words(run)}" for run in self._runs[-5:])
        self.setAccessibleDescription("; ".join(words))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        most = max((sum(part.of(run) for part in DRAWN) for run in self._runs), default=0)
        for run, place in zip(self._runs, self._places(), strict=True):
            self._draw(painter, run, place, most)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            run = self._at(event.pos().x())
            if run is not None:
                QToolTip.showText(
                    event.globalPos(), tooltip(f"{self.tr('Run')} {run.number}: {self._words(run)}"), self
                )
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        run = self._at(round(event.position().x()))
        if run is not None:
            self.run_chosen.emit(run.number)

    def _draw(self, painter: QPainter, run: RunRow, place: QRectF, most: int) -> None:
        """The parts above one another; `most` fills the height."""
        within = self._chosen[0] < run.number <= self._chosen[1]
        base = QColor(self._theme.tokens.line_strong)
        painter.fillRect(QRectF(place.left(), place.bottom(), place.width(), 2 if within else 1), base)
        bottom = place.bottom()
        for part in DRAWN:
            number = part.of(run)
            height = max(1.0, place.height() * number / most) if number else 0.0
            colour = QColor(part.colour(self._theme.tokens))
            colour.setAlphaF(1.0 if within else 0.35)
            painter.fillRect(QRectF(place.left(), bottom - height, place.width(), height), colour)
            bottom -= height

    def _places(self) -> list[QRectF]:
        number = max(1, len(self._runs))
        width = min(WIDEST, max(2.0, (self.width() - GAP * number) / number))
        return [QRectF(index * (width + GAP), 4, width, HEIGHT - 8) for index in range(len(self._runs))]

    def _at(self, x: int) -> RunRow | None:
        pairs = zip(self._runs, self._places(), strict=True)
        return next((run for run, place in pairs if place.left() <= x <= place.right()), None)

    def _words(self, run: RunRow) -> str:
        return ", ".join(f"{count(part.of(run))} {self.tr(part.word)}" for part in PARTS)
