"""Thin vertical lines in a chart where something happened: start, stop, kill, new settings, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyqtgraph as pg
import PySide6  # noqa: F401  # pyqtgraph takes the binding that is imported first
from PySide6.QtCore import Qt

from gui.foreign_text import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.tokens import Tokens

MOST = 100  # beyond that a chart is a fence: the newest are shown


@dataclass(frozen=True, slots=True)
class Mark:
    """`x` in the chart's own unit, `kind` as in the log, `words` for the tooltip."""

    x: float
    kind: str
    words: str


class Marks:
    """The marks of one pane; lines are made once and moved."""

    def __init__(self, pane: pg.ViewBox) -> None:
        self._pane = pane
        self._lines: list[pg.InfiniteLine] = []
        self._marks: tuple[Mark, ...] = ()
        self._tokens: Tokens | None = None

    def show(self, marks: Sequence[Mark]) -> None:
        """Show these, and no others."""
        shown = tuple(marks[-MOST:])
        if shown == self._marks:
            return
        self._marks = shown
        while len(self._lines) < len(shown):
            line = pg.InfiniteLine(angle=90, movable=False)
            self._pane.addItem(line, ignoreBounds=True)
            self._lines.append(line)
        for line in self._lines[len(shown) :]:
            line.hide()
        for line, mark in zip(self._lines, shown, strict=False):
            line.setValue(mark.x)
            line.setToolTip(tooltip(mark.words))
            line.show()
        self._paint()

    def set_colours(self, tokens: Tokens) -> None:
        """Take the theme's colours."""
        self._tokens = tokens
        self._paint()

    @property
    def visible(self) -> int:
        """How many are shown."""
        return len(self._marks)

    def _paint(self) -> None:
        if self._tokens is None:
            return
        plain = self._tokens.line_strong
        warning = self._tokens.warning
        colours = {"kill": self._tokens.bad, "stop": warning, "start": self._tokens.good, "offline": warning}
        for line, mark in zip(self._lines, self._marks, strict=False):
            line.setZValue({"kill": -8, "stop": -9}.get(mark.kind, -10))
            line.setPen(pg.mkPen(colours.get(mark.kind, plain), width=1, style=Qt.PenStyle.DotLine))
