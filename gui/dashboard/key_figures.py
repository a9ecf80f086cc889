"""The strip of key figures at the top of the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.foreign_text import tooltip
from gui.labels import ElidedLabel, set_tone
from gui.theme import tabular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.dashboard.words import Figure

VALUE_LOOK = "font-size: 14.5pt; font-weight: 600;"


class KeyFigure(QWidget):
    """A title, a large value, a note."""

    def __init__(self) -> None:
        super().__init__()
        self._figure: Figure | None = None
        self._title = ElidedLabel("", "muted")
        self._value = ElidedLabel()
        self._value.setFont(tabular(self._value.font()))
        self._value.setStyleSheet(VALUE_LOOK)
        self._note = ElidedLabel("", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for label in (self._title, self._value, self._note):
            layout.addWidget(label)

    def show_figure(self, figure: Figure) -> None:
        """Set the three texts."""
        if figure == self._figure:
            return
        self._figure = figure
        self._title.set_foreign_text(self.tr(figure.title))
        self._value.set_foreign_text(figure.value)
        self._value.setAccessibleName(f"{figure.title}: {figure.value}")
        self._note.set_foreign_text(figure.note)
        set_tone(self._note, figure.tone)
        self.setToolTip(tooltip(figure.hint))
        if figure.hint:
            self._note.setToolTip(tooltip(figure.hint))


class KeyFigures(QFrame):
    """All figures in one row, with rules between them."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("class", "card")
        self._figures: list[KeyFigure] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 9, 12, 9)
        self._row.setSpacing(12)

    def show_figures(self, figures: Sequence[Figure]) -> None:
        """One widget a figure, made once."""
        while len(self._figures) < len(figures):
            self._add()
        for widget, figure in zip(self._figures, figures, strict=True):
            widget.show_figure(figure)

    def _add(self) -> None:
        if self._figures:
            rule = QFrame()
            rule.setProperty("class", "rule")
            rule.setFixedWidth(1)
            self._row.addWidget(rule)
        self._figures.append(KeyFigure())
        self._row.addWidget(self._figures[-1], 1)
