"""The four charts together: one range, one crosshair, against running time or pages, refreshed twice a second.

They follow the crawl until the person drags or zooms; a double click, or a choice of range, follows again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QPushButton, QToolTip, QVBoxLayout, QWidget

from gui.charts.chart import Chart
from gui.charts.chart_spec import CHARTS
from gui.charts.marks import Mark
from gui.charts.samples import Samples
from gui.figures import clock
from gui.foreign_text import tooltip
from gui.labels import LONGEST_TIP, ElidedLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QShowEvent

    from core.store.rows import LogRow, Status
    from gui.theme import Theme

LEGEND = (
    "Strong line: a moving average over 15 samples, one a second.\n"
    "Faint line: the samples themselves.\n"
    "Dotted uprights: the crawl was started (green), stopped (yellow), killed (red), "
    "finished or given new settings (grey). Point at one to see when.\n"
    "Shaded: there was no network; nothing counts against a page or host."
)
RANGES = (("Whole crawl", 0.0), ("Last hour", 3600.0), ("Last 10 minutes", 600.0))


class Board(QWidget):
    """Shows the samples it is given, in charts made before or its own.

    `picture_wanted` and `table_wanted` when the person asks for a file.
    """

    picture_wanted = Signal()
    table_wanted = Signal()

    def __init__(self, theme: Theme, charts: tuple[Chart, ...] = ()) -> None:
        super().__init__()
        self._theme = theme
        self.charts = charts or tuple(Chart(spec) for spec in CHARTS)
        self._samples = Samples()
        self._log: tuple[LogRow, ...] = ()
        self._following = True
        self._veiled = list(
            self.charts
        )  # the first look at a plot costs ten milliseconds: one a turn of the event loop
        self._unveil = QTimer(self)
        self._unveil.timeout.connect(self._on_unveil)
        self._build()
        self._lay_out()
        self._connect()
        self._on_theme_changed()

    def _build(self) -> None:
        for chart in self.charts:
            chart.plot.hide()
        for chart in self.charts[1:]:
            chart.pane.setXLink(self.charts[0].pane)
        self._title = plain_label(self.tr("Live"), "heading")
        self._hint = ElidedLabel(self.tr("Drag to pan, wheel to zoom, double-click to follow"), "muted")
        self._hint.setToolTip(tooltip(self.tr(LEGEND), LONGEST_TIP))
        self._legend = QPushButton()
        self._legend.setProperty("kind", "quiet")
        self._legend.setToolTip(tooltip(self.tr(LEGEND), LONGEST_TIP))
        self._legend.setAccessibleName(self.tr("What the lines mean"))
        self._legend.setAccessibleDescription(self.tr(LEGEND))
        self._theme.dress(self._legend, "help-circle-outline", "muted")
        self._axis = QComboBox()
        self._axis.addItems([self.tr("By running time"), self.tr("By pages")])
        self._axis.setAccessibleName(self.tr("What the charts are drawn against"))
        self._range = QComboBox()
        self._range.addItems([self.tr(words) for words, _ in RANGES])
        self._range.setAccessibleName(self.tr("Range of the charts"))
        for choice in (self._axis, self._range):
            choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choice.setMinimumContentsLength(12)
        self._picture = self._button(self.tr("PNG…"), "image-outline", self.tr("Save a picture of the charts"))
        self._table = self._button(self.tr("CSV…"), "download", self.tr("Save the samples as a table"))

    def _button(self, text: str, icon: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tooltip(tip))
        button.setAccessibleName(tip)
        self._theme.dress(button, icon)
        return button

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._title)
        row.addWidget(self._hint)
        row.addWidget(self._legend)
        row.addStretch(1)
        for widget in (self._axis, self._range, self._picture, self._table):
            row.addWidget(widget)
        self._grid = QWidget()
        grid = QGridLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(12)
        for index, chart in enumerate(self.charts):
            grid.addWidget(chart, index // 2, index % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(row)
        layout.addWidget(self._grid, 1)

    def _connect(self) -> None:
        for chart in self.charts:
            chart.hovered.connect(self._on_hovered)
            chart.left.connect(self._on_left)
            chart.pane.follow_wanted.connect(self._on_follow_wanted)
            chart.pane.sigRangeChangedManually.connect(self._on_moved_by_hand)
        self._axis.currentIndexChanged.connect(self._on_axis_chosen)
        self._range.currentIndexChanged.connect(self._on_follow_wanted)
        self._legend.clicked.connect(self._on_legend_wanted)
        self._picture.clicked.connect(self.picture_wanted)
        self._table.clicked.connect(self.table_wanted)
        self._theme.changed.connect(self._on_theme_changed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._veiled:
            self._unveil.start()

    @Slot()
    def _on_unveil(self) -> None:
        self._veiled.pop(0).plot.show()
        if not self._veiled:
            self._unveil.stop()

    @property
    def samples(self) -> Samples:
        return self._samples

    @property
    def following(self) -> bool:
        """Whether the range moves with the crawl."""
        return self._following

    def clear(self) -> None:
        """Another crawl is shown."""
        self._samples = Samples()
        self._log = ()
        self._following = True
        for chart in self.charts:
            chart.show_now(None)
        self._draw()

    def add(self, rows: NDArray[np.float64]) -> None:
        """New samples; nothing is drawn when there are none."""
        if len(rows):
            self._samples.extend(rows)
            self._draw()

    def show_now(self, status: Status) -> None:
        """The newest values, of the same moment as the figures above the charts."""
        for chart in self.charts:
            chart.show_now(getattr(status, chart.spec.column))

    def set_marks(self, log: Sequence[LogRow]) -> None:
        """What happened in the crawl's life."""
        self._log = tuple(log)
        self._draw_marks()

    def picture(self) -> QWidget:
        """What a picture is taken of: the charts without their buttons."""
        return self._grid

    @property
    def by_pages(self) -> bool:
        return self._axis.currentIndex() == 1

    @Slot(float)
    def _on_hovered(self, at: float) -> None:
        for chart in self.charts:
            chart.show_at(at)

    @Slot()
    def _on_legend_wanted(self) -> None:
        """By keyboard and by touch there is no pointing."""
        QToolTip.showText(
            self._legend.mapToGlobal(self._legend.rect().bottomLeft()), tooltip(self.tr(LEGEND), LONGEST_TIP)
        )

    @Slot()
    def _on_left(self) -> None:
        for chart in self.charts:
            chart.show_at(None)

    @Slot()
    def _on_moved_by_hand(self) -> None:
        self._following = False

    @Slot()
    def _on_follow_wanted(self) -> None:
        self._following = True
        self._follow()

    @Slot(int)
    def _on_axis_chosen(self, _index: int) -> None:
        self._following = True
        self._draw()
        self._draw_marks()

    @Slot()
    def _on_theme_changed(self) -> None:
        for chart in self.charts:
            chart.set_colours(self._theme.tokens)

    def _draw(self) -> None:
        for chart in self.charts:
            chart.set_samples(self._samples, by_pages=self.by_pages)
        if self._following:
            self._follow()

    def _follow(self) -> None:
        low, high = self._wanted_range()
        self.charts[0].pane.setXRange(low, high, padding=0)

    def _wanted_range(self) -> tuple[float, float]:
        x = self._samples.column("pages" if self.by_pages else "elapsed")
        if not len(x):
            return 0.0, 60.0
        seconds = RANGES[self._range.currentIndex()][1]
        elapsed = self._samples.column("elapsed")
        first = int(np.searchsorted(elapsed, elapsed[-1] - seconds)) if seconds else 0
        low = 0.0 if not seconds else float(x[first])
        return low, max(float(x[-1]), low + 10)

    def _draw_marks(self) -> None:
        marks = tuple(self._mark(row) for row in self._log)
        x = self._samples.column("pages" if self.by_pages else "elapsed")
        last = float(x[-1]) if len(x) else 0.0
        for chart in self.charts:
            chart.set_marks(marks, last)

    def _mark(self, row: LogRow) -> Mark:
        x = row.elapsed
        if self.by_pages:
            x = (
                float(np.interp(x, self._samples.column("elapsed"), self._samples.column("pages")))
                if len(self._samples)
                else 0.0
            )
        return Mark(x, row.kind, f"{clock(row.at)} UTC · {row.message or row.kind}")
