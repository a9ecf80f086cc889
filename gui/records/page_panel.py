"""The page beside a record type: what the rules read, what can be pointed at, what it offers, its source, the key.

All of it is asked of a process of its own (core/preview/rule_process.py): no rule and no page holds up the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.preview.questions import LookAt, PageLook, TryType
from core.preview.rule_process import RuleProcess
from gui.foreign_text import shown, tooltip
from gui.labels import card, plain_label, set_tone
from gui.records.asking import Answered, latest
from gui.records.kept import Wanted, matches
from gui.records.key_panel import KeyPanel
from gui.records.offers_tree import OffersTree
from gui.records.page_choice import PageChoice
from gui.records.pointing import Pointing
from gui.records.values_tree import ValuesTree
from gui.records.words import trial_words
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.extract.trial import Trial
    from core.preview.page_source import PageSource
    from core.settings import CrawlSettings, RecordType
    from gui.theme import Theme

TRIAL_PAUSE_MS = 250  # in typing
VALUES, PARTS, OFFERS, SOURCE, KEY = range(5)


class PagePanel(QWidget):
    """Nothing is read or started before it is seen. `tried(Trial | None)` for the form, `key_checked(short, whole)`;

    `field_wanted(Pointed)` and `offer_wanted(RecordOffer, fields)` when the person takes something from the page.
    """

    tried = Signal(object)
    key_checked = Signal(str, str)
    field_wanted = Signal(object)
    offer_wanted = Signal(object, object)

    def __init__(self, theme: Theme, draft: Callable[[], CrawlSettings | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._draft = theme, draft
        self._path: Path | None = None
        self._kind: RecordType | None = None
        self._look = PageLook()
        self.process = RuleProcess()
        self._trying = latest(self.process, self, TRIAL_PAUSE_MS)
        self._looking = latest(self.process, self, 0)
        self._build()
        self._lay_out()
        self._connect()
        self._show_page(None)

    def _build(self) -> None:
        self.choice = PageChoice(self._draft)
        self.values = ValuesTree(self._theme)
        self.pointing = Pointing(self.process)
        self.offers = OffersTree()
        self.source = QPlainTextEdit()
        self.source.setReadOnly(True)
        self.source.setTabChangesFocus(True)
        self.source.setFont(code_font())
        self.source.setAccessibleName(self.tr("Source of the page"))
        self.source.setMinimumHeight(120)
        self.key = KeyPanel()
        self._trial_said = plain_label("", "muted", wrap=True)
        self._remark_said = plain_label("", "muted", wrap=True)
        self._page_said = plain_label("", "muted", wrap=True)
        self._offers_said = plain_label("", "muted", wrap=True)
        self.take_button = QPushButton(self.tr("Add fields"))
        self.choices = QButtonGroup(self)
        self._pages = QStackedWidget()

    def _lay_out(self) -> None:
        frame, inner = card()
        row = QHBoxLayout()
        row.setSpacing(2)
        pages = (
            (self.tr("Values"), self.tr("What the rules read from this page"), self._values_page()),
            (self.tr("Point"), self.tr("Choose a text of the page to make a field of it"), self.pointing),
            (self.tr("Offers"), self.tr("What the page itself offers as fields"), self._offers_page()),
            (self.tr("Source"), self.tr("The page as text"), self._column(self._page_said, self.source)),
            (self.tr("Key"), self.tr("Whether the natural key holds on the stored pages"), self.key),
        )
        for at, (title, hint, page) in enumerate(pages):
            button = QPushButton(title)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setChecked(at == VALUES)
            button.setToolTip(tooltip(hint))
            button.setAccessibleDescription(hint)
            self.choices.addButton(button, at)
            row.addWidget(button)
            self._pages.addWidget(page)
        row.addStretch(1)
        inner.addWidget(self.choice)
        inner.addLayout(row)
        inner.addWidget(self._pages, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def _column(self, *parts: QWidget) -> QWidget:
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for part in parts:
            layout.addWidget(part, int(part is parts[-1]))
        return column

    def _values_page(self) -> QWidget:
        column = self._column(self._trial_said, self.values)
        layout = column.layout()
        if layout is not None:
            layout.addWidget(self._remark_said)
        self._remark_said.hide()
        return column

    def _offers_page(self) -> QWidget:
        column = self._column(self.offers)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._offers_said, 1)
        row.addWidget(self.take_button)
        layout = column.layout()
        if isinstance(layout, QVBoxLayout):
            layout.addLayout(row)
        return column

    def _connect(self) -> None:
        self.choices.idClicked.connect(self.select_page)
        self.choice.page_came.connect(self._show_page)
        self.values.currentItemChanged.connect(self._show_remark)
        self.pointing.field_wanted.connect(self.field_wanted)
        self.offers.taken.connect(self.offer_wanted)
        self.offers.moved.connect(self._show_offer)
        self.take_button.clicked.connect(self.offers.take)
        self.key.checked.connect(self.key_checked)
        self._trying.ready.connect(self._on_tried)
        self._looking.ready.connect(self._on_looked)

    def set_file(self, path: Path | None) -> None:
        """Another crawl, or none."""
        self._path = path
        self._refresh()

    def set_record(self, kind: RecordType | None) -> None:
        """The record type as it is typed now; the same once more shows its values again."""
        self._kind = kind
        self._refresh()

    @Slot(int)
    def select_page(self, page: int) -> None:
        """Show one of VALUES, PARTS, OFFERS, SOURCE, KEY."""
        self.choices.button(page).setChecked(True)
        self._pages.setCurrentIndex(page)
        self._show_source()

    def showEvent(self, _event: object) -> None:
        self._refresh()

    @property
    def trial_said(self) -> str:
        """What is told about the values."""
        return self._trial_said.text()

    def _refresh(self) -> None:
        """Look for pages, try the rules and the key: each only where something else is wanted than before."""
        settings, kind = self._draft(), self._kind
        if self._path is None or settings is None or kind is None:
            self.choice.look_for(None)
            self.key.look_at(None, None)
            return
        if not self.isVisible():
            return
        self.pointing.set_rows(kind.rows)
        wanted = Wanted(self._path, kind.match, settings.normalise)
        self.choice.look_for(wanted)
        self.key.look_at(wanted, kind)
        self._try()

    def _try(self) -> None:
        page, kind, settings = self.choice.page, self._kind, self._draft()
        if page is not None and kind is not None and settings is not None:
            self._trying.ask(TryType(page, kind, settings.politeness.noindex))

    @Slot(object)
    def _show_page(self, page: PageSource | None) -> None:
        """Another page, or none: what was known of the one before is gone."""
        self._show_look(PageLook())
        self.values.clear()
        if page is None:
            self._say_trial(self.tr("Choose or fetch a page above to see here what the rules read from it."))
            self.tried.emit(None)
            return
        self._looking.ask(LookAt(page))
        self._try()

    @Slot(object)
    def _on_looked(self, answered: Answered) -> None:
        if answered.question.page is not self.choice.page:
            return
        too_slow = PageLook(note=self.tr("This page takes too long to read."))
        self._show_look(answered.answer if answered.in_time else too_slow)

    def _show_look(self, look: PageLook) -> None:
        self.pointing.show_parts(self.choice.page, look.parts)
        self.offers.show_offers(look.offers)
        self._look = look
        self.source.clear()
        self._show_source()
        cut = self.tr("Only the beginning is shown.") if look.cut else ""
        self._page_said.setText(look.note or cut)
        self._page_said.setVisible(bool(look.note or cut))
        self._offers_said.setText("")
        if self.choice.page is not None and not look.offers and look.source:
            self._offers_said.setText(
                self.tr("This page has no JSON-LD, no telling meta tags and no block that repeats.")
            )
        self.take_button.setEnabled(False)

    def _show_source(self) -> None:
        """Only where it is looked at: a long text takes its time."""
        if self._pages.currentIndex() == SOURCE and self.source.document().isEmpty():
            self.source.setPlainText(readable(self._look.source))

    @Slot(object)
    def _on_tried(self, answered: Answered) -> None:
        question: TryType = answered.question
        if question.page is not self.choice.page or question.kind != self._kind:
            return
        if not answered.in_time:
            self.values.clear()
            self._say_trial(self.tr("The rules take too much time or memory on this page."), "bad")
            self.tried.emit(None)
            return
        trial: Trial = answered.answer
        self.values.show_trial(trial, question.kind)
        text, tone = trial_words(trial, question.kind)
        settings = self._draft()
        if settings is not None and not matches(question.page.url, question.kind.match, settings.normalise):
            text = self.tr("The crawl reads no {0} here: “On pages” does not match. {1}").format(
                shown(question.kind.name, 60), text
            )
            tone = "warning"
        self._say_trial(text, tone)
        self.tried.emit(trial)

    @Slot()
    def _show_remark(self) -> None:
        """Of the chosen field, whole: the column is narrow."""
        remark = self.values.remark()
        self._remark_said.setText(remark)
        self._remark_said.setVisible(bool(remark))

    def _say_trial(self, text: str, tone: str = "muted") -> None:
        self._trial_said.setText(text)
        set_tone(self._trial_said, tone)

    @Slot()
    def _show_offer(self) -> None:
        chosen = self.offers.current()
        self.take_button.setEnabled(chosen is not None)
        if chosen is None:
            return
        offer, fields = chosen
        words = self.tr("One record for each of {0} rows").format(offer.count) if offer.rows else ""
        self._offers_said.setText(words)
        self.take_button.setText(
            self.tr("Add field") if len(fields) == 1 else self.tr("Add {0} fields").format(len(fields))
        )


def readable(source: str) -> str:
    """A page's text line by line, without what would reorder or hide it."""
    return "\n".join(shown(line, 2000) for line in source.split("\n")[:20_000])
