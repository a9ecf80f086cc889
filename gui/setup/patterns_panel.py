"""Exclusions and inclusions, tried live against the URLs the crawl found last."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from core.settings import Normalise
from gui.figures import count
from gui.labels import ElidedLabel, card, plain_label, set_tone
from gui.latest import Latest
from gui.setup.draft import get, put
from gui.setup.known_bar import KnownBar
from gui.setup.part import Finding, Part
from gui.setup.pattern_count import CountQuestion, KnownCount
from gui.setup.pattern_rows import PatternRows
from gui.setup.pattern_trial import Answer, Question, try_patterns
from gui.setup.pattern_urls import PatternUrls
from gui.theme import code_font

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings
    from gui.theme import Theme

EXAMPLES = "/calendar/  or  /*?sort=  or  *.shop.example  or  re:/p/\\d+$"
KEYS = ("scope.exclude", "scope.include")


class PatternsPanel(Part):
    """One table for each of the two lists; below it the pattern that is looked at, and what it matches."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._urls: tuple[str, ...] = ()
        self._seeds: tuple[str, ...] = ()
        self._path: Path | None = None
        self._normalise = Normalise()
        self._lists = {key: PatternRows(theme, self) for key in KEYS}
        self._key = KEYS[0]
        self._testing = Latest(lambda question: try_patterns(question, time.monotonic), self)
        self._build()
        self._lay_out()
        self._connect()
        self._on_list_chosen()

    def _build(self) -> None:
        self._choices = {key: QPushButton() for key in KEYS}
        self._group = QButtonGroup(self)
        for button in self._choices.values():
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            self._group.addButton(button)
        self._choices[KEYS[0]].setChecked(True)
        self.add_button = QPushButton(self.tr("Add pattern"))
        self.add_button.setProperty("kind", "quiet")
        self._theme.dress(self.add_button, "plus")
        self.remove_button = QPushButton()
        self.remove_button.setToolTip(self.tr("Remove this pattern (Delete)"))
        self.remove_button.setAccessibleName(self.tr("Remove this pattern"))
        self.remove_button.setProperty("kind", "quiet")
        self._theme.dress(self.remove_button, "trash-can-outline")
        self.table = QTableView()
        self.table.setAccessibleName(self.tr("Patterns"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(30)
        self.table.setMinimumHeight(126)
        self.line = QLineEdit()
        self.line.setFont(code_font())
        self.line.setAccessibleName(self.tr("The pattern that is looked at"))
        self._problem = plain_label("", "bad", wrap=True)
        self._remark = ElidedLabel("", "muted")
        self._verdict = ElidedLabel("", "bad")
        self.shown_urls = PatternUrls(self._theme)
        self.known = KnownBar()
        self._remove_key = QShortcut(QKeySequence.StandardKey.Delete, self.table)
        self._remove_key.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _lay_out(self) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(4)
        for button in self._choices.values():
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.add_button)
        head.addWidget(self.remove_button)
        test = QHBoxLayout()
        test.setSpacing(8)
        test.addWidget(plain_label(self.tr("Test against"), "heading"))
        test.addWidget(self._remark, 1)
        test.addWidget(self._verdict)
        inner.addLayout(head)
        inner.addWidget(self.table, 2)
        inner.addWidget(self.line)
        inner.addWidget(self._problem)
        inner.addLayout(test)
        inner.addWidget(self.shown_urls, 3)
        inner.addWidget(self.known)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def _connect(self) -> None:
        self._group.buttonClicked.connect(self._on_list_chosen)
        self.add_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_remove)
        self._remove_key.activated.connect(self._on_remove)
        self.line.textEdited.connect(self._on_line_edited)
        self._testing.ready.connect(self._on_tested)
        self.known.counted.connect(self._on_counted)
        for rows in self._lists.values():
            rows.edited.connect(self._on_edited)

    @property
    def rows(self) -> PatternRows:
        return self._lists[self._key]

    def show_settings(self, settings: CrawlSettings) -> None:
        self._normalise = settings.normalise
        self._seeds = settings.seeds.urls
        for key, rows in self._lists.items():
            texts = get(settings, key)
            if tuple(text for text in rows.texts if text) != texts:
                rows.set_texts(texts)
        self._show_titles()
        if self._current() < 0 and self.rows.rowCount():
            self._select(0)
        self._show_current()
        self.test()

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        for key, rows in self._lists.items():
            settings = put(settings, key, tuple(text.strip() for text in rows.texts if text.strip()))
        return settings

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        # The live test says the same beside the row, from the same function.
        return tuple(finding for finding in findings if not finding.problem.key.startswith(KEYS))

    def set_urls(self, urls: tuple[str, ...]) -> None:
        """The URLs that the crawl found last."""
        if urls != self._urls:
            self._urls = urls
            self.test()

    def set_file(self, path: Path | None) -> None:
        """The crawl whose known URLs may be counted."""
        self._path = path
        self.known.set_known(0)
        self.test()

    def set_seeds(self, seeds: tuple[str, ...]) -> None:
        """What patterns are tried on until the crawl has found URLs."""
        if seeds != self._seeds:
            self._seeds = seeds
            self.test()

    def add(self, key: str, text: str) -> None:
        """Add a pattern and look at it; one that is there already is only looked at."""
        self._choices[key].setChecked(True)
        self._on_list_chosen()
        row = self.rows.texts.index(text) if text in self.rows.texts else self.rows.add(text)
        self._select(row)
        self.line.setFocus()

    def test(self) -> None:
        """Try the patterns again."""
        self._ask_known()
        urls = self._urls or self._seeds
        self._testing.ask(Question(self.rows.texts, self._current(), urls, self._normalise))

    def _ask_known(self) -> None:
        path, patterns = self._path, self.rows.texts
        there = path is not None and CountQuestion(path, patterns, self._key == KEYS[0], self._normalise)
        self.known.set_question(there or None)
        self.known.set_current(self._current())

    def _current(self) -> int:
        index = self.table.currentIndex()
        return index.row() if index.isValid() else -1

    def _select(self, row: int) -> None:
        if row >= 0:
            index = self.rows.index(row, 0)
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(index, flags)
            self.table.scrollTo(index)
        self._show_current()

    def _show_titles(self) -> None:
        names = {KEYS[0]: self.tr("Exclude"), KEYS[1]: self.tr("Only include")}
        for key, button in self._choices.items():
            number = len([text for text in self._lists[key].texts if text])
            button.setText(f"{names[key]}  {number}" if number else names[key])

    def _show_current(self) -> None:
        row = self._current()
        there = 0 <= row < self.rows.rowCount()
        self.line.setEnabled(there)
        self.remove_button.setEnabled(there)
        text = self.rows.texts[row] if there else ""
        if self.line.text() != text:
            self.line.setText(text)
        self.line.setPlaceholderText(EXAMPLES if there else self.tr("Choose or add a pattern"))
        self._problem.setText(self.rows.problem(row))
        self._problem.setVisible(bool(self.rows.problem(row)))

    @Slot()
    def _on_list_chosen(self) -> None:
        self._key = next(key for key, button in self._choices.items() if button.isChecked())
        self.table.setModel(self.rows)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.table.setColumnWidth(1, 96)
        self.table.setColumnWidth(2, 124)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_chosen)
        self._select(0 if self.rows.rowCount() else -1)
        self._show_titles()
        self.test()

    @Slot(QModelIndex, QModelIndex)
    def _on_row_chosen(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_current()
        self.test()

    @Slot()
    def _on_add(self) -> None:
        empty = self.rows.texts.index("") if "" in self.rows.texts else self.rows.add()
        self._select(empty)
        self.line.setFocus()

    @Slot()
    def _on_remove(self) -> None:
        row = self._current()
        if row >= 0:
            self.rows.remove(row)
            self._select(min(row, self.rows.rowCount() - 1))

    @Slot(str)
    def _on_line_edited(self, text: str) -> None:
        self.rows.set_text(self._current(), text.strip())

    @Slot()
    def _on_edited(self) -> None:
        self._show_titles()
        self._show_current()
        self.test()
        self.changed.emit()

    @Slot(object)
    def _on_counted(self, answer: KnownCount | None) -> None:
        for rows in self._lists.values():
            rows.set_known(answer.counts if answer is not None and rows is self.rows else None)

    @Slot(object)
    def _on_tested(self, answer: Answer) -> None:
        self.rows.set_answer(answer.counts, answer.problems)
        self.shown_urls.show_hits(answer.hits)
        self._show_current()
        several = self.tr("latest {0} known URLs").format(count(len(answer.hits)))
        self._remark.set_foreign_text(several if self._urls else self.tr("the seeds, until the crawl has found URLs"))
        row = self._current()
        if row >= 0 and self.rows.texts[row] and answer.hits and not answer.matched and row not in answer.problems:
            self._remark.set_foreign_text(self.tr("no URL matches; patterns look like {0}").format(EXAMPLES))
        word = self.tr("excluded") if self._key == KEYS[0] else self.tr("let in")
        text = self.tr("{0} of {1} shown would be {2}").format(count(answer.matched), count(len(answer.hits)), word)
        self._verdict.set_foreign_text(text if self._current() >= 0 and answer.hits else "")
        set_tone(self._verdict, "bad" if answer.matched and self._key == KEYS[0] else "muted")
