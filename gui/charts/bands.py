"""Shaded stretches of a chart in which the crawl had no network, from the log's `offline` to what ended it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyqtgraph as pg
import PySide6  # noqa: F401  # pyqtgraph takes the binding that is imported first
from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gui.charts.marks import Mark
    from gui.tokens import Tokens

BEGIN = "offline"
ENDS = frozenset(("online", "start", "stop", "kill", "finish"))
MOST = 50  # the newest are shown
SHADE = 36  # of 255
BEHIND = -30  # everything else


@dataclass(frozen=True, slots=True)
class Band:
    """From `low` to `high` in the chart's own unit."""

    low: float
    high: float


def offline_bands(marks: Iterable[Mark], last: float) -> tuple[Band, ...]:
    """The stretches without a network; one that has not ended reaches to `last`, the newest sample."""
    bands: list[Band] = []
    since: float | None = None
    for mark in marks:
        if mark.kind == BEGIN and since is None:
            since = mark.x
        elif mark.kind in ENDS and since is not None:
            bands.append(Band(since, max(since, mark.x)))
            since = None
    if since is not None:
        bands.append(Band(since, max(since, last)))
    return tuple(bands[-MOST:])


class Bands:
    """The stretches of one pane; their items are made once and moved."""

    def __init__(self, pane: pg.ViewBox) -> None:
        self._pane = pane
        self._items: list[pg.LinearRegionItem] = []
        self._shown: tuple[Band, ...] = ()
        self._tokens: Tokens | None = None

    def show(self, bands: Sequence[Band]) -> None:
        """Show these, and no others."""
        if tuple(bands) == self._shown:
            return
        self._shown = tuple(bands)
        while len(self._items) < len(bands):
            self._items.append(self._made())
        for item in self._items[len(bands) :]:
            item.hide()
        for item, band in zip(self._items, bands, strict=False):
            item.setRegion((band.low, band.high))
            item.show()

    def set_colours(self, tokens: Tokens) -> None:
        """Take the theme's colours."""
        self._tokens = tokens
        for item in self._items:
            self._paint(item)

    @property
    def shown(self) -> tuple[Band, ...]:
        return self._shown

    def _made(self) -> pg.LinearRegionItem:
        item = pg.LinearRegionItem(movable=False)
        item.setZValue(BEHIND)
        item.setAcceptHoverEvents(False)
        self._pane.addItem(item, ignoreBounds=True)
        self._paint(item)
        return item

    def _paint(self, item: pg.LinearRegionItem) -> None:
        if self._tokens is None:
            return
        shade = QColor(self._tokens.warning)
        shade.setAlpha(SHADE)
        item.setBrush(pg.mkBrush(shade))
        for edge in item.lines:
            edge.setPen(pg.mkPen(None))
        item.update()
