"""The page part by part, and the field that the chosen one means: shown as it is chosen, added by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.preview.questions import PointAt
from gui.labels import ElidedLabel
from gui.records.asking import Answered, latest
from gui.records.parts_table import PartsTable
from gui.records.words import rule_words

if TYPE_CHECKING:
    from core.preview.page_source import PageSource
    from core.preview.parts import Part, Pointed
    from core.preview.rule_process import RuleProcess

PAUSE_MS = 30  # in moving through the parts


class Pointing(QWidget):
    """`field_wanted(Pointed)` when the person takes what is pointed at."""

    field_wanted = Signal(object)

    def __init__(self, process: RuleProcess, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: PageSource | None = None
        self._rows = ""
        self._pointed: Pointed | None = None
        self._adding = False  # as soon as the field that is pointed at is known
        self._asking = latest(process, self, PAUSE_MS)
        self.parts = PartsTable()
        self._said = ElidedLabel("", "muted")
        self.add_button = QPushButton(self.tr("Add field"))
        self._lay_out()
        self.parts.chosen.connect(self._on_chosen)
        self.parts.wanted.connect(self._on_add)
        self.add_button.clicked.connect(self._on_add)
        self._asking.ready.connect(self._on_pointed)
        self._show(None)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._said, 1)
        row.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.parts, 1)
        layout.addLayout(row)

    @property
    def said(self) -> str:
        """What is told about the part that is pointed at."""
        return self._said.text()

    def show_parts(self, page: PageSource | None, parts: tuple[Part, ...]) -> None:
        """Those of another page."""
        self._page = page
        self.parts.show_parts(parts)
        self._show(None)

    def set_rows(self, selector: str) -> None:
        """The row selector of the type: what stands in a row is found within it."""
        self._rows = selector

    @Slot(object)
    def _on_chosen(self, part: Part | None) -> None:
        self._adding = False
        self._show(None)
        if part is not None and self._page is not None:
            self._said.set_foreign_text("…")
            self._asking.ask(PointAt(self._page, part.number, part.attribute, self._rows))

    @Slot(object)
    def _on_pointed(self, answered: Answered) -> None:
        if answered.question.page is not self._page:
            return
        self._show(answered.answer)
        if answered.answer is None:
            self._said.set_foreign_text(self.tr("No selector finds this part alone: write an XPath or an expression."))
        elif self._adding:
            self._on_add()

    def _show(self, pointed: Pointed | None) -> None:
        self._pointed = pointed
        self.add_button.setEnabled(self.parts.current() is not None)
        if pointed is None:
            hint = self.tr("Choose a text to make a field of it.") if self.parts.count else ""
            self._said.set_foreign_text(hint)
            return
        where = self.tr(" in its row") if pointed.in_row else ""
        self._said.set_foreign_text(f"{pointed.name}{where}: {rule_words(pointed.rule)}")

    @Slot()
    def _on_add(self) -> None:
        """The field that is pointed at, once it is known which one that is."""
        self._adding = self._pointed is None and self._asking.is_waiting
        if self._pointed is not None:
            self.field_wanted.emit(self._pointed)
