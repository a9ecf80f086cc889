"""One chart: a title with the value under the crosshair, a faint raw line under a moving average, marks and gaps.

It draws only what is in view, no more points than pixels, with lines one pixel wide (wider is slow) and without
OpenGL. Its curves are made once and given new data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
import PySide6  # noqa: F401  # pyqtgraph takes the binding that is imported first
from PySide6.QtCore import QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from gui.charts.axes import RunningAxis, ValueAxis, running_time, short_number
from gui.charts.bands import Bands, offline_bands
from gui.charts.curve import moving_average, nearest, peaks, visible_part, with_gaps
from gui.charts.marks import Marks
from gui.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gui.charts.chart_spec import ChartSpec
    from gui.charts.marks import Mark
    from gui.charts.samples import Samples
    from gui.tokens import Tokens

    Floats = NDArray[np.float64]

TURN_MS = 12
FILL, RAW = 26, 80  # of 255: how faint the ground and the raw line are


class Pane(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Dragging and the wheel move time only; a double click asks to follow again."""

    follow_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setMouseEnabled(x=True, y=False)
        self.setLimits(xMin=0, minXRange=2)
        self.setDefaultPadding(0)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.follow_wanted.emit()


class Chart(QFrame):
    """A card with one plot. `hovered(x)` while the pointer is over it, `left` when it is gone."""

    hovered = Signal(float)
    left = Signal()

    def __init__(self, spec: ChartSpec) -> None:
        super().__init__()
        self.spec = spec
        self.setProperty("class", "card")
        self.setMinimumHeight(160)
        self.setAccessibleName(spec.title)
        self._x: Floats = np.empty(0)
        self._y: Floats = np.empty(0)
        self._mean: Floats = np.empty(0)
        self._at: float | None = None
        self._now: float | None = None
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(TURN_MS * spec.series)
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self.pane = Pane()
        self._bottom, self._left = RunningAxis(), ValueAxis()
        self.plot = pg.PlotWidget(viewBox=self.pane, axisItems={"bottom": self._bottom, "left": self._left})
        self.plot.hideButtons()
        self.plot.plotItem.layout.setContentsMargins(0, 7, 0, 0)  # room for half the highest label
        self.plot.setFrameShape(QFrame.Shape.NoFrame)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._fill = pg.PlotCurveItem(connect="all", fillLevel=0, pen=None)
        self._raw = pg.PlotCurveItem(connect="finite", antialias=True)
        self._line = pg.PlotCurveItem(connect="finite", antialias=True)
        self._cross = pg.InfiniteLine(angle=90, movable=False)
        self._dot = pg.ScatterPlotItem(size=7)
        self.marks = Marks(self.pane)
        self.bands = Bands(self.pane)
        for item in (self._fill, self._raw, self._line, self._cross, self._dot):
            self.pane.addItem(item, ignoreBounds=True)
        self._cross.hide()
        self._dot.hide()
        self._title = plain_label(self.spec.title, "heading")
        self._unit = ElidedLabel(self.spec.unit, "muted")
        self._value = plain_label("–", "heading")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._unit, 1)
        row.addWidget(self._value)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 9, 8, 4)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.plot, 1)

    def _connect(self) -> None:
        self._redraw.timeout.connect(self._draw)
        self.plot.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.pane.sigXRangeChanged.connect(self._on_range_changed)
        self.pane.sigResized.connect(self._on_range_changed)

    def set_samples(self, samples: Samples, *, by_pages: bool) -> None:
        """New data, drawn in a moment for the range in view."""
        self._bottom.pages = by_pages
        x = samples.column("pages" if by_pages else "elapsed")
        y = samples.column(self.spec.column) * self.spec.scale
        self._x, self._y = with_gaps(x.copy(), y, samples.column("elapsed"))
        self._mean = moving_average(self._y, self.spec.smooth)
        self._say()
        self._draw_soon()

    def show_now(self, value: float | None) -> None:
        """The value of this moment, which may be newer than the last sample; None: that of the last sample."""
        if value != self._now:
            self._now = value
            if self._at is None:
                self._say()

    def set_marks(self, marks: Sequence[Mark], last: float) -> None:
        """Starts, stops, kills and settings as thin lines; times without a network shaded, at most up to `last`."""
        self.marks.show(marks)
        self.bands.show(offline_bands(marks, last))

    def set_colours(self, tokens: Tokens) -> None:
        """Take the theme's colours."""
        series = tokens.series[self.spec.series]
        self.plot.setBackground(tokens.card)
        for axis in (self._bottom, self._left):
            axis.setPen(pg.mkPen(tokens.line_strong))
            axis.setTextPen(pg.mkPen(tokens.muted))
            axis.setStyle(tickLength=0, tickTextOffset=5)
            axis.setGrid(False)
        self._fill.setBrush(pg.mkBrush(_faint(series, FILL)))
        smooth = self.spec.smooth > 1
        self._raw.setPen(pg.mkPen(_faint(series, RAW), width=1) if smooth else None)
        self._line.setPen(pg.mkPen(series, width=1))
        self._cross.setPen(pg.mkPen(tokens.muted, width=1, style=Qt.PenStyle.DashLine))
        self._dot.setPen(pg.mkPen(tokens.card))
        self._dot.setBrush(pg.mkBrush(series))
        self.marks.set_colours(tokens)
        self.bands.set_colours(tokens)

    def show_at(self, at: float | None) -> None:
        """Put the crosshair at x, or take it away and say the newest value."""
        self._at = at
        self._say()

    @Slot(object)
    def _on_mouse_moved(self, place: QPointF) -> None:
        if self.pane.sceneBoundingRect().contains(place):
            self.hovered.emit(self.pane.mapSceneToView(place).x())
        else:
            self.left.emit()

    @Slot()
    def _on_range_changed(self) -> None:
        self._draw_soon()

    def leaveEvent(self, _event: object) -> None:
        self.left.emit()

    def _draw_soon(self) -> None:
        """Once for all that changed; the charts take turns, so that the window is never held up by all of them."""
        if not self._redraw.isActive():
            self._redraw.start()

    @Slot()
    def _draw(self) -> None:
        low, high = self.pane.viewRange()[0]
        part = visible_part(self._x, low, high)
        x, y, mean = self._x[part], self._y[part], self._mean[part]
        buckets = max(100, int(self.pane.width()))
        self._line.setData(*peaks(x, mean, buckets))
        if self.spec.smooth > 1:
            self._raw.setData(*peaks(x, y, buckets))
        ground_x, ground_y = peaks(x, mean, buckets)
        self._fill.setData(ground_x, np.nan_to_num(ground_y, nan=0.0))
        top = float(np.nanmax(y)) if np.isfinite(y).any() else 0.0
        self.pane.setYRange(0, top * 1.08 if top > 0 else 1.0, padding=0)

    def _say(self) -> None:
        if self._at is None and self._now is not None:
            self._show(self.spec.say(self._now), self.spec.unit, None)
            return
        known = np.flatnonzero(np.isfinite(self._y))
        if not len(known):
            self._show("–", self.spec.unit, None)
        elif self._at is None:
            self._show(self._words(known[-1]), self.spec.unit, None)
        else:
            index = nearest(self._x, self._at)
            where = short_number(self._x[index]) if self._bottom.pages else running_time(self._x[index])
            self._show(self._words(index), f"{self.spec.unit} · at {where}", index)

    def _words(self, index: int) -> str:
        value = self._y[index] / self.spec.scale
        return self.spec.say(float(value)) if np.isfinite(value) else "–"

    def _show(self, value: str, unit: str, index: int | None) -> None:
        self._value.setText(value)
        self._unit.set_foreign_text(unit)
        self._cross.setVisible(index is not None)
        known = index is not None and bool(np.isfinite(self._mean[index]))
        self._dot.setVisible(known)
        if known:
            self._dot.setData([self._x[index]], [self._mean[index]])
        if index is not None:
            self._cross.setValue(self._x[index])


def _faint(colour: str, alpha: int) -> QColor:
    made = QColor(colour)
    made.setAlpha(alpha)
    return made
