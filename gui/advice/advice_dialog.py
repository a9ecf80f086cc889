"""Advice on spellings: what the stored answers say of each rule, to be accepted or taken back while nothing runs.

Answers are read off the GUI thread, and no request is made. Accepting writes the settings and lets `apply` bring the
keys in line.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.policy.advice import advise, with_rule
from core.store.read.evidence import read_evidence
from core.store.read.merges import count_merges
from gui.advice.advice_card import AdviceCard
from gui.advice.words import rules_in_force
from gui.labels import plain_label
from gui.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.errors import FronteiraError
    from core.policy.advice import Advice
    from core.settings import CrawlSettings, Normalise
    from gui.session import OpenCrawl


@dataclass(frozen=True, slots=True)
class Weighed:
    """A piece of advice, and how many known URLs would be the same as another; 0 where it is not proposed."""

    advice: Advice
    merged: int


def weigh(path: Path, settings: CrawlSettings, wanted: Callable[[], bool]) -> tuple[Weighed, ...]:
    """Read the answers and what they say; takes seconds in a large crawl."""
    found = advise(read_evidence(path, wanted), settings.normalise)
    return tuple(Weighed(advice, _merged(path, settings, advice, wanted)) for advice in found)


def _merged(path: Path, settings: CrawlSettings, advice: Advice, wanted: Callable[[], bool]) -> int:
    if not advice.is_proposed:
        return 0
    accepted = with_rule(settings.normalise, advice.rule, advice.parameter)
    return count_merges(path, msgspec.structs.replace(settings, normalise=accepted), wanted)[0]


class AdviceDialog(QDialog):
    """Of one open crawl; it follows the crawl's settings and whether it runs."""

    def __init__(self, crawl: OpenCrawl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Advice on spellings"))
        self.resize(760, 620)
        self._crawl = crawl
        self._closed = threading.Event()
        self._task: Task | None = None
        self._stale = self._applying = False
        self.cards: list[AdviceCard] = []
        self._build()
        self._lay_out()
        self._connect()
        self._weigh()

    def _build(self) -> None:
        self.state = plain_label("", "muted", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        self._list.setContentsMargins(0, 0, 4, 0)
        self._close = QPushButton(self.tr("Close"))
        self._close.setAutoDefault(False)

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._list)
        column.addStretch(1)
        scrolled = QScrollArea()
        scrolled.setWidgetResizable(True)
        scrolled.setWidget(inner)
        scrolled.setAccessibleName(self.tr("Advice"))
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(plain_label(self.tr("Which spellings are one page?"), "title"))
        layout.addWidget(self.state)
        layout.addWidget(scrolled, 1)
        layout.addLayout(foot)

    def _connect(self) -> None:
        self._close.clicked.connect(self.accept)
        self.finished.connect(self._on_finished)
        self._crawl.settings_changed.connect(self._on_crawl_moved)
        self._crawl.settings_applied.connect(self._on_settings_applied)
        self._crawl.engine_changed.connect(self._on_crawl_moved)
        self._crawl.status_changed.connect(self._show_state)
        self._crawl.error_raised.connect(self._on_error_raised)
        self._crawl.closed.connect(self.accept)

    def _weigh(self) -> None:
        """One reading at a time; what has changed meanwhile is read after it."""
        settings = self._crawl.settings
        self._stale = self._task is not None or settings is None
        if self._task is None and settings is not None:
            path, closed = self._crawl.path, self._closed
            self._task = Task(lambda: weigh(path, settings, lambda: not closed.is_set()), self)
            self._task.finished.connect(self._on_weighed)
            self._task.failed.connect(self._on_failed)
            self._task.start()
        self._show_state()

    @Slot(object)
    def _on_weighed(self, found: tuple[Weighed, ...]) -> None:
        self._task = None
        if self._stale:
            self._weigh()
            return
        self._show_cards(found)
        self._show_state()

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._task = None
        self.state.setText(str(fault))

    def _show_cards(self, found: tuple[Weighed, ...]) -> None:
        for card in self.cards:
            self._list.removeWidget(card)
            card.deleteLater()
        settings = self._crawl.settings
        normalise = settings.normalise if settings else None
        self.cards = []
        if normalise is not None:
            self.cards = [AdviceCard.of_advice(item.advice, item.merged, normalise) for item in found]
            self.cards += [AdviceCard.in_force(*rule, normalise) for rule in rules_in_force(normalise)]
        for card in self.cards:
            card.wanted.connect(self._on_wanted)
            self._list.addWidget(card)

    @Slot()
    def _show_state(self) -> None:
        active = self._crawl.is_active
        if self._task is not None:
            words = self.tr("Looking at the stored answers…")
        elif self._crawl.is_crawling:
            words = self.tr("While the crawl runs its rules stay. Stop it to accept one or take one back.")
        elif self._applying or active:
            words = self.tr("At work…")
        elif self.cards:
            words = self.tr("Drawn from answers that are stored; no request is made.")
        else:
            words = self.tr("No two spellings of a page are known yet that a rule would make one.")
        self.state.setText(words)
        for card in self.cards:
            card.set_enabled(not active and not self._applying and self._task is None)

    @Slot(object)
    def _on_wanted(self, normalise: Normalise) -> None:
        settings = self._crawl.settings
        if settings is not None and not self._crawl.is_active:
            self._applying = True
            self._crawl.apply(msgspec.structs.replace(settings, normalise=normalise))
            self._show_state()

    @Slot(int)
    def _on_settings_applied(self, _version: int) -> None:
        if self._applying:
            self._applying = False
            self._crawl.carry_out()

    @Slot(str)
    def _on_error_raised(self, _text: str) -> None:
        """The window shows it; the settings stay as they were."""
        self._applying = False
        self._show_state()

    @Slot()
    def _on_crawl_moved(self) -> None:
        self._weigh()

    @Slot()
    def _on_finished(self) -> None:
        self._closed.set()
