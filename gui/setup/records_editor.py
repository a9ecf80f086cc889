"""The record types of a crawl: what is read out of its pages, tried on one of them while it is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.settings import RecordType
from gui.foreign_text import shown
from gui.labels import ElidedLabel, card, plain_label
from gui.records.page_panel import PagePanel
from gui.records.reparse_button import ReparseButton
from gui.setup.draft import put
from gui.setup.part import Finding, Part
from gui.setup.problem_words import message_words
from gui.setup.record_form import BEGINNING, RecordForm
from gui.setup.side_by_side import SideBySide

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.preview.offers import OfferedField, RecordOffer
    from core.preview.parts import Pointed
    from core.settings import CrawlSettings
    from gui.theme import Theme

PLACE = re.compile(r"records\[(\d+)\]\.?(.*)", re.DOTALL)


class RecordsEditor(Part):
    """A list of types, the form of the chosen one, and a page beside it. `draft` gives the settings as they are typed.

    `key_checked` when there is something else to say about a natural key.
    """

    key_checked = Signal()

    def __init__(self, theme: Theme, draft: Callable[[], CrawlSettings | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._draft = theme, draft
        self._key_warnings: list[tuple[RecordType, str]] = []  # of types as they were when their key was checked
        self._records: list[RecordType] = []
        self._findings: tuple[Finding, ...] = ()
        self._build()
        self._lay_out()
        self._connect()
        self._arrange()

    def _build(self) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Record types"))
        self.list.setFlow(QListView.Flow.LeftToRight)
        self.list.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setSpacing(2)
        self.list.setFixedHeight(38)
        self.add_button = QPushButton(self.tr("Add record type"))
        self._theme.dress(self.add_button, "plus")
        self.remove_button = QPushButton(self.tr("Remove"))
        self.remove_button.setProperty("kind", "quiet")
        self._theme.dress(self.remove_button, "trash-can-outline")
        self.reparse_button = ReparseButton()
        self.form = RecordForm(self._theme)
        self.page = PagePanel(self._theme, self._draft)
        self._empty, self._empty_layout = card()
        self.first_button = QPushButton(self.tr("Add record type"))
        self.first_button.setProperty("kind", "primary")
        self._stack = QStackedWidget()

    def _lay_out(self) -> None:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.form)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setMinimumHeight(260)
        empty = self._empty_layout
        empty.addStretch(2)
        empty.addWidget(plain_label(self.tr("No records yet"), "title"), 0, Qt.AlignmentFlag.AlignHCenter)
        text = self.tr("A record type says which pages hold a thing (a product, an article) and which fields it has.")
        sentence = plain_label(text, "muted", wrap=True)
        sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        empty.addWidget(sentence)
        empty.addWidget(self.first_button, 0, Qt.AlignmentFlag.AlignHCenter)
        empty.addStretch(3)
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self.tr("Record types"), "heading"))
        head.addWidget(ElidedLabel(self.tr("one row a thing, never twice"), "muted"), 1)
        head.addWidget(self.reparse_button)
        head.addWidget(self.remove_button)
        head.addWidget(self.add_button)
        inner.addLayout(head)
        inner.addWidget(self.list)
        inner.addWidget(scroll, 1)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(SideBySide((frame,), (self.page,), stretch=True))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._on_row_chosen)
        self.add_button.clicked.connect(self._on_add)
        self.first_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_remove)
        self.form.changed.connect(self._on_form_changed)
        self.page.tried.connect(self.form.show_trial)
        self.page.key_checked.connect(self._on_key_checked)
        self.page.field_wanted.connect(self._on_field_wanted)
        self.page.offer_wanted.connect(self._on_offer_wanted)

    def set_file(self, path: Path | None) -> None:
        """The crawl whose stored pages rules are tried on."""
        self.page.set_file(path)
        self.reparse_button.set_file(path)

    def key_warning(self) -> str:
        """What speaks against a natural key, on the stored pages, of the first type that is still as it was checked."""
        found = (
            f"{shown(record.name, 60)}: {text}"
            for record in self._records
            for checked, text in self._key_warnings
            if checked == record
        )
        return next(found, "")

    def show_settings(self, settings: CrawlSettings) -> None:
        if tuple(self._records) != settings.records:
            self._records = list(settings.records)
            self._arrange()

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        return put(settings, "records", tuple(self._records))

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        mine = [finding for finding in findings if finding.problem.key.startswith("records")]
        self._findings = tuple(mine)
        left = self._show_problems()
        self._mark_list()
        return (*(finding for finding in findings if finding not in mine), *left)

    def wrong_texts(self) -> int:
        return self.form.unkept() if self._records else 0

    def is_being_typed(self) -> bool:
        return not self.form.complaint()

    def complaint(self) -> str:
        return self.form.complaint() or self.tr("A new field is not complete yet.")

    def _arrange(self, chosen: int = 0) -> None:
        blocked = self.list.blockSignals(True)
        self.list.clear()
        for record in self._records:
            QListWidgetItem(shown(record.name) or self.tr("(no name)"), self.list)
        self.list.setCurrentRow(min(chosen, len(self._records) - 1))
        self.list.blockSignals(blocked)
        self._on_row_chosen(self.list.currentRow())

    def _show_problems(self) -> tuple[Finding, ...]:
        """Beside the fields of the chosen type; those of other types are marked in the list and told below."""
        mine: dict[str, str] = {}
        left: list[Finding] = []
        for finding in self._findings:
            found = PLACE.fullmatch(finding.problem.key)
            if found and int(found.group(1)) == self.list.currentRow():
                mine.setdefault(found.group(2), message_words(finding.problem.message))
            else:
                left.append(finding)
        homeless = self.form.set_problems(mine)
        here = f"records[{self.list.currentRow()}]"
        left += [
            f for f in self._findings if f.problem.key.removeprefix(here).lstrip(".") in homeless and f not in left
        ]
        return tuple(left)

    def _mark_list(self) -> None:
        wrong = {int(found.group(1)) for f in self._findings if (found := PLACE.fullmatch(f.problem.key))}
        for row in range(self.list.count()):
            self.list.item(row).setForeground(self._theme.colour("bad" if row in wrong else "text"))

    @Slot(int)
    def _on_row_chosen(self, row: int) -> None:
        there = 0 <= row < len(self._records)
        self._stack.setCurrentIndex(int(there))
        self.remove_button.setEnabled(there)
        if there:
            self.form.show_record(self._records[row])
            self._show_problems()
        self.page.set_record(self._records[row] if there else None)

    @Slot()
    def _on_form_changed(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._records):
            self._records[row] = self.form.record()
            self.list.item(row).setText(shown(self._records[row].name) or self.tr("(no name)"))
            self.changed.emit()
            self.page.set_record(self._records[row])

    @Slot(str, str)
    def _on_key_checked(self, short: str, whole: str) -> None:
        self.form.show_key_remark(short)
        row = self.list.currentRow()
        if 0 <= row < len(self._records):
            kind = self._records[row]
            others = [each for each in self._key_warnings if each[0].name != kind.name]
            self._key_warnings = [*others, (kind, whole)] if whole else others
        self.key_checked.emit()

    @Slot(object)
    def _on_field_wanted(self, pointed: Pointed) -> None:
        self.form.take([(pointed.name, pointed.rule)])

    @Slot(object, object)
    def _on_offer_wanted(self, offer: RecordOffer, fields: tuple[OfferedField, ...]) -> None:
        key = offer.key if fields == offer.fields else ""
        self.form.take([(field.name, field.rule) for field in fields], rows=offer.rows, key=key)

    @Slot()
    def _on_add(self) -> None:
        names = {record.name for record in self._records}
        name = next(name for name in ("record", *(f"record{n}" for n in range(2, 10_000))) if name not in names)
        self._records.append(RecordType(name=name, match="/", fields=dict(BEGINNING)))
        self._arrange(len(self._records) - 1)
        self.form.texts["name"].setFocus()
        self.form.texts["name"].selectAll()
        self.changed.emit()

    @Slot()
    def _on_remove(self) -> None:
        row = self.list.currentRow()
        if 0 <= row < len(self._records):
            del self._records[row]
            self._arrange(row)
            if not self._records:
                self.first_button.setFocus()
            self.changed.emit()
