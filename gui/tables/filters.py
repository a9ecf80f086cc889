"""The fields above a table: a search box that also takes a typed filter, and the choices of the table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QWidget

from core.errors import BadInput
from core.store.read.columns import Condition
from core.store.read.where import parse_where
from gui.foreign_text import shown, tooltip
from gui.tables.choices import Choice, Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.read.columns import TableSpec
    from gui.tables.choices import Shown
    from gui.theme import Theme

MOST_VALUES = 1000  # entries of a choice that come from the crawl
MEANT = re.compile(r"([A-Za-z]\w*)(?:\s*(?:!=|[=<>])|\s+(?:contains|starts)\s)", re.IGNORECASE)  # as a filter
SPACED = re.compile(r"\w+\s+(?:!=|[=<>])\s")  # page=2 may be a part of a URL, page = 2 is not


class Filters(QWidget):
    """`typed` while the person types, `chosen` when a choice was made."""

    typed = Signal()
    chosen = Signal()

    def __init__(self, theme: Theme, table: Shown) -> None:
        super().__init__()
        self._table = table
        self._spec: TableSpec | None = None
        self._choices: list[tuple[QComboBox, Choice]] = []
        self._values: dict[str, tuple[str, ...]] = {}
        self._build(theme)
        self._lay_out()
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr(self._table.hint))
        self.search.setAccessibleName(self.tr("Search this table (Ctrl+F)"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(140)
        sign = self.search.addAction(theme.icon("magnify", "faint"), QLineEdit.ActionPosition.LeadingPosition)
        theme.dress(sign, "magnify", "faint")
        for choice in self._table.choices:
            self._add(choice)
        shortcut = QShortcut(QKeySequence.StandardKey.Find, self)
        shortcut.activated.connect(self._on_find)

    def _lay_out(self) -> None:
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.search, 1)
        for box, _ in self._choices:
            self._row.addWidget(box)

    def _connect(self) -> None:
        self.search.textChanged.connect(self.typed)

    def set_spec(self, spec: TableSpec) -> None:
        """The table's columns, for typed filters."""
        self._spec = spec

    def set_values(self, name: str, column: str, title: str, values: Sequence[str]) -> None:
        """A choice whose entries come from the crawl (hosts, record types); what was chosen stays."""
        kept = tuple(values[:MOST_VALUES])
        if self._values.get(name) == kept:
            return
        self._values[name] = kept
        options = tuple(Option(shown(value, 60), (Condition(column, "=", value),)) for value in kept)
        self._replace(Choice(name, (Option(title), *options)))

    def conditions(self) -> tuple[Condition, ...]:
        """What the choices and a typed filter ask."""
        chosen = [option.conditions[:] for box, choice in self._choices for option in [_current(box, choice)]]
        return (*(condition for conditions in chosen for condition in conditions), *self._typed_filter())

    def text(self) -> str:
        """What is searched: the text of the box, unless it is a filter."""
        return "" if self._typed_filter() else self.search.text().strip()

    def is_empty(self) -> bool:
        """Whether the table shows what it shows at first."""
        return not self.search.text().strip() and all(box.currentIndex() == 0 for box, _ in self._choices)

    def complaint(self) -> str:
        """What is wrong with a text that was meant as a filter; empty for a good one, and for a text to search for."""
        text = self.search.text().strip()
        meant = MEANT.match(text)
        if meant is None or self._spec is None:
            return ""
        if self._spec.column(meant.group(1)) is None:
            return self._no_column(meant.group(1)) if SPACED.match(text) else ""
        try:
            conditions = parse_where(text)
        except BadInput as fault:
            return str(fault)
        unknown = next((each.column for each in conditions if self._spec.column(each.column) is None), "")
        return self._no_column(unknown) if unknown else ""

    def _no_column(self, name: str) -> str:
        known = ", ".join(column.name for column in self._spec.columns) if self._spec else ""
        return self.tr("This table has no column “{0}”; its columns are {1}.").format(shown(name, 60), known)

    def clear(self) -> None:
        """Show all rows again."""
        for box, _ in self._choices:
            box.setCurrentIndex(0)
        self.search.clear()

    def _typed_filter(self) -> tuple[Condition, ...]:
        """The conditions typed into the box; none where it is no filter, or names a column that is not there."""
        try:
            conditions = parse_where(self.search.text())
        except BadInput:
            return ()
        known = self._spec is not None and all(self._spec.column(each.column) for each in conditions)
        return conditions if known else ()

    def _add(self, choice: Choice) -> None:
        box = QComboBox()
        box.setAccessibleName(self.tr(choice.name))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(7)
        box.setMaxVisibleItems(16)
        box.addItems([self.tr(option.title) for option in choice.options])
        box.currentTextChanged.connect(lambda text: box.setToolTip(tooltip(text)))
        box.currentIndexChanged.connect(self.chosen)
        self._choices.append((box, choice))

    def _replace(self, choice: Choice) -> None:
        place = next((at for at, (_, old) in enumerate(self._choices) if old.name == choice.name), None)
        if place is None:
            before_it = self._choices[-1][0] if self._choices else self.search
            self._add(choice)
            self._row.addWidget(self._choices[-1][0])
            QWidget.setTabOrder(before_it, self._choices[-1][0])
            return
        box, before = self._choices[place]
        chosen = _current(box, before).title
        box.blockSignals(True)
        box.clear()
        box.addItems([option.title for option in choice.options])
        box.setCurrentIndex(max(0, box.findText(chosen)))
        box.blockSignals(False)
        self._choices[place] = (box, choice)
        if box.currentText() != chosen:
            self.chosen.emit()

    @Slot()
    def _on_find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()


def _current(box: QComboBox, choice: Choice) -> Option:
    return choice.options[max(0, box.currentIndex())]
