"""Leaving the window: what was typed and not applied, what becomes of running engines, and waiting for them.

It asks at most two questions and then lets the engines drain or go on; only when all that is settled may the window
close. Any answer that stays leaves everything as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.closing import CloseChoice, Closing
from gui.dialogs.close import STAY, close_question
from gui.dialogs.question import Answer, Question

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.open_crawls import OpenCrawls
    from gui.preferences import Preferences
    from gui.view import View

DISCARD = "discard"


class Leaving(QObject):
    """`settled` when the window may close."""

    settled = Signal()
    told = Signal(str)
    failed = Signal(str)

    def __init__(self, window: QWidget, preferences: Preferences, crawls: OpenCrawls, views: tuple[View, ...]) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._crawls = crawls
        self._views = views
        self._closing: Closing | None = None
        self._asking: Question | None = None
        self._settled = False

    @property
    def is_settled(self) -> bool:
        return self._settled

    def begin(self) -> None:
        """The person wants to leave; asking twice asks once."""
        if self._closing is not None or self._asking is not None:
            return
        if any(view.has_unsaved() for view in self._views):
            self._ask(self._drafts_question(), self._on_drafts_answered)
        else:
            self._ask_about_engines()

    @Slot()
    def ask_again(self) -> None:
        """Forget the remembered choice."""
        self._preferences.set_close_choice(CloseChoice.ASK)

    def _drafts_question(self) -> Question:
        return Question(
            self._window,
            self.tr("Some settings were not applied"),
            (self.tr("What you typed in Setup is lost when the window closes."),),
            (Answer(DISCARD, self.tr("Close without applying")), Answer(STAY, self.tr("Stay here"), "primary")),
            harmless=STAY,
        )

    def _ask(self, question: Question, then: object) -> None:
        self._asking = question
        question.answered.connect(then)
        question.open()

    @Slot(str)
    def _on_drafts_answered(self, answer: str) -> None:
        self._asking = None
        if answer == DISCARD:
            self._ask_about_engines()

    def _ask_about_engines(self) -> None:
        running = [crawl for crawl in self._crawls.with_engines if not crawl.is_ending]
        if running and self._preferences.close_choice is CloseChoice.ASK:
            self._ask(close_question(self._window, [crawl.name for crawl in running]), self._on_engines_answered)
        else:
            self._wait(self._preferences.close_choice)

    @Slot(str)
    def _on_engines_answered(self, answer: str) -> None:
        question, self._asking = self._asking, None
        if answer == STAY or question is None:
            return
        choice = CloseChoice(answer)
        if question.remember.isChecked():
            self._preferences.set_close_choice(choice)
        self._wait(choice)

    def _wait(self, choice: CloseChoice) -> None:
        running = self._crawls.with_engines
        if running and choice is not CloseChoice.KEEP:
            self.told.emit(self.tr("Finishing the requests in flight, then closing…"))
        self._closing = Closing(running, choice, self)
        self._closing.finished.connect(self._on_finished)
        self._closing.failed.connect(self._on_failed)
        self._closing.begin()

    @Slot()
    def _on_finished(self) -> None:
        self._settled = True
        self.settled.emit()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._closing = None
        self.failed.emit(sentence)
