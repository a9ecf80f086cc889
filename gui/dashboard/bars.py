"""Two cards under the charts: how far the budgets are used up, and what was left out and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QVBoxLayout

from gui.figures import count
from gui.foreign_text import shown
from gui.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.dashboard.words import Budget

MOST_REASONS = 8


class Bars(QFrame):
    """A card of rows: a title, a bar, words; `empty` says why there are none."""

    def __init__(self, title: str, empty: str) -> None:
        super().__init__()
        self.setProperty("class", "card")
        self._empty = ElidedLabel(empty, "muted")  # a label that wraps would make the page ask for its full height
        self._shown: tuple[tuple[str, str, float], ...] | None = None
        self._rows: list[tuple[ElidedLabel, QProgressBar, ElidedLabel]] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 12)
        layout.setSpacing(6)
        layout.addWidget(plain_label(title, "heading"))
        layout.addWidget(self._empty)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        layout.addLayout(self._grid)
        layout.addStretch(1)

    def show_bars(self, rows: Sequence[tuple[str, str, float]]) -> None:
        """Title, words and share (0 to 1) of each row."""
        if tuple(rows) == self._shown:
            return
        self._shown = tuple(rows)
        while len(self._rows) < len(rows):
            self._add()
        self._empty.setVisible(not rows)
        for index, (title, bar, words) in enumerate(self._rows):
            for widget in (title, bar, words):
                widget.setVisible(index < len(rows))
            if index < len(rows):
                title.set_foreign_text(rows[index][0])
                words.set_foreign_text(rows[index][1])
                bar.setValue(round(rows[index][2] * 1000))
                bar.setAccessibleName(shown(f"{rows[index][0]}: {rows[index][1]}"))

    def _add(self) -> None:
        bar = QProgressBar()
        bar.setRange(0, 1000)
        bar.setTextVisible(False)
        row = (ElidedLabel("", "muted"), bar, ElidedLabel())
        at = len(self._rows)
        for column, widget in enumerate(row):
            self._grid.addWidget(widget, at, column, Qt.AlignmentFlag.AlignVCenter)
        self._rows.append(row)


def budget_rows(budgets: Sequence[Budget]) -> list[tuple[str, str, float]]:
    """Budgets as rows."""
    return [(budget.title, f"{budget.words} ({budget.share:.0%})", budget.share) for budget in budgets]


def reason_rows(reasons: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, float]]:
    """The most frequent reasons; the bar compares them with the first, the rest is one row."""
    if not reasons:
        return []
    most = reasons[0][2]
    rows = [(words, count(number), number / most) for _, words, number in reasons[:MOST_REASONS]]
    rest = sum(number for _, _, number in reasons[MOST_REASONS:])
    return [*rows, ("Other reasons", count(rest), min(1.0, rest / most))] if rest else rows
