"""A card of rows, each one value of a list in the settings: add, edit, remove, each problem below its row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gui.labels import card, plain_label, set_tone
from gui.setup.draft import get, put
from gui.setup.part import Finding, Part
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.settings import CrawlSettings
    from gui.theme import Theme

NOTHING_WRITTEN = "Expected `str` of length >= 1"  # how a text that may not be empty is refused


class Row(QWidget):
    """One value as it is typed. `value` may be refused by the check of the whole; a blank row is left out of it."""

    changed = Signal()
    remove_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.remove_button = QPushButton()
        self.remove_button.setProperty("kind", "quiet")
        self.remove_button.setAccessibleName(self.tr("Remove this row"))
        self.remove_button.setToolTip(self.tr("Remove this row"))
        theme.dress(self.remove_button, "close", "muted")
        self.problem = plain_label("", "bad", wrap=True)
        self.problem.hide()
        self.remove_button.clicked.connect(self.remove_wanted)

    def value(self) -> Any:
        """What is typed, as the settings hold it."""
        raise NotImplementedError

    def is_blank(self) -> bool:
        """Whether nothing was typed yet."""
        raise NotImplementedError

    def remark(self) -> str:
        """What is worth a warning beside what the check says."""
        return ""

    def show_finding(self, message: str, tone: str) -> None:
        """The first problem of this row; empty for none."""
        if message.startswith(NOTHING_WRITTEN):
            message = self.tr("Every field of the row is needed.")
        text, tone = (message, tone) if message else (self.remark(), "warning")
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        set_tone(self.problem, tone)

    def place(self, *fields: tuple[QWidget, int]) -> None:
        """Put the fields side by side with these stretches, the problem below them."""
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        for column, (field, stretch) in enumerate(fields):
            grid.addWidget(field, 0, column)
            grid.setColumnStretch(column, stretch)
        grid.addWidget(self.remove_button, 0, len(fields))
        grid.addWidget(self.problem, 1, 0, 1, len(fields) + 1)

    def line(self, text: str, name: str, example: str, *, code: bool = False) -> QLineEdit:
        """A field of one line."""
        field = QLineEdit(text)
        field.setAccessibleName(name)
        field.setPlaceholderText(example)
        field.setCursorPosition(0)
        if code:
            field.setFont(code_font())
        field.textEdited.connect(self.changed)
        return field


@dataclass(frozen=True, slots=True)
class ListSpec:
    """The settings key of the list and what its card says."""

    key: str
    title: str
    remark: str
    add: str


class RowList(Part):
    """`make` gives the row of a value, or an empty row for None."""

    def __init__(
        self, theme: Theme, spec: ListSpec, make: Callable[[Any | None], Row], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._spec, self._make = spec, make
        self._rows: list[Row] = []
        self._layout = QVBoxLayout()
        self._layout.setSpacing(6)
        self.add_button = QPushButton(spec.add)
        self.add_button.setProperty("kind", "quiet")
        theme.dress(self.add_button, "plus")
        self._lay_out()
        self.add_button.clicked.connect(self._on_add)

    def _lay_out(self) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self._spec.title, "heading"))
        head.addWidget(plain_label(self._spec.remark, "muted", wrap=True), 1)
        head.addWidget(self.add_button)
        inner.addLayout(head)
        inner.addLayout(self._layout)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self._rows)

    def show_settings(self, settings: CrawlSettings) -> None:
        values = get(settings, self._spec.key)
        if values != self._values():
            for row in self.rows:
                self._take_out(row)
            for value in values:
                self._put_in(self._make(value))

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        return put(settings, self._spec.key, self._values())

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        left: list[Finding] = []
        first: dict[int, tuple[str, str]] = {}
        for finding in findings:
            place = re.match(re.escape(self._spec.key) + r"\[(\d+)\]", finding.problem.key)
            if place:
                first.setdefault(int(place.group(1)), (finding.problem.message, finding.tone))
            else:
                left.append(finding)
        for number, row in enumerate(self._written()):
            row.show_finding(*first.get(number, ("", "bad")))
        return tuple(left)

    def _written(self) -> Sequence[Row]:
        return [row for row in self._rows if not row.is_blank()]

    def _values(self) -> tuple[Any, ...]:
        return tuple(row.value() for row in self._written())

    def _put_in(self, row: Row) -> None:
        self._rows.append(row)
        self._layout.addWidget(row)
        row.changed.connect(self._on_row_changed)
        row.remove_wanted.connect(self._on_remove_wanted)
        row.show_finding("", "bad")

    def _take_out(self, row: Row) -> None:
        self._rows.remove(row)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()

    @Slot()
    def _on_add(self) -> None:
        blank = next((row for row in self._rows if row.is_blank()), None)
        if blank is None:
            blank = self._make(None)
            self._put_in(blank)
        blank.setFocus()

    @Slot()
    def _on_row_changed(self) -> None:
        self.changed.emit()

    @Slot()
    def _on_remove_wanted(self) -> None:
        row = self.sender()
        if isinstance(row, Row):
            self._take_out(row)
            self.add_button.setFocus()
            self.changed.emit()
