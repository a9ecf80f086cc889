"""Below the live test: the same patterns on every URL the crawl knows, with progress, and examples of what they match.

A small crawl is counted by itself as the patterns change; a large one when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from gui.cancellable import Cancellable
from gui.figures import count
from gui.labels import ElidedLabel, set_tone
from gui.setup.pattern_count import CountQuestion, KnownCount, Progress, count_known

if TYPE_CHECKING:
    from core.errors import FronteiraError

BY_ITSELF = 100_000  # known URLs: a few seconds in the background
PAUSE_MS = 300


class KnownBar(QWidget):
    """`counted(KnownCount | None)`: an answer, or that the last one no longer fits the patterns."""

    counted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question: CountQuestion | None = None
        self._answer: KnownCount | None = None
        self._current = -1
        self._known = 0
        self._running: Cancellable | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._build()
        self._pause.timeout.connect(self._on_due)
        self.button.clicked.connect(self._on_clicked)
        self._show()

    def _build(self) -> None:
        self.button = QPushButton()
        self.button.setToolTip(self.tr("Tries the patterns on every URL of the crawl, in the background"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Counting"))
        self._total = ElidedLabel("", "muted")
        self.verdict = ElidedLabel("", "muted")
        self.examples = ElidedLabel("", "faint")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.button)
        row.addWidget(self._progress, 1)
        row.addWidget(self._total, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.verdict)
        layout.addWidget(self.examples)

    def set_question(self, question: CountQuestion | None) -> None:
        """These patterns are typed now; what was counted for others is void."""
        if question == self._question:
            return
        self._question = question
        self._forget()
        self._plan()

    def set_known(self, known: int) -> None:
        """How many URLs the crawl knows, as far as was seen; a running crawl is not counted again and again."""
        first = not self._known
        self._known = known
        if first:
            self._plan()
        self._show()

    def set_current(self, row: int) -> None:
        """The pattern that is looked at."""
        self._current = row
        self._show()

    def stop(self) -> None:
        """Call off what runs."""
        self._pause.stop()
        if self._running is not None:
            self._running.cancel()

    def _plan(self) -> None:
        if self._question is not None and any(self._question.patterns) and 0 < self._known <= BY_ITSELF:
            self._pause.start()

    def _forget(self) -> None:
        self.stop()
        if self._answer is not None:
            self._answer = None
            self.counted.emit(None)
        self._show()

    @Slot()
    def _on_clicked(self) -> None:
        if self._running is not None:
            self._running.cancel()
        else:
            self._on_due()

    @Slot()
    def _on_due(self) -> None:
        question = self._question
        if question is None or self._running is not None:
            return
        self._running = Cancellable(lambda cancelled, tell: count_known(question, cancelled, tell), self)
        self._running.told.connect(self._on_told)
        self._running.finished.connect(self._on_counted)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(self._on_called_off)
        self._progress.setRange(0, 0)
        self._running.start()
        self._show()

    @Slot(object)
    def _on_told(self, progress: Progress) -> None:
        if self._running is not None:
            self._progress.setRange(0, max(1, progress.total))
            self._progress.setValue(progress.done)

    @Slot(object)
    def _on_counted(self, answer: KnownCount) -> None:
        self._running = None
        if answer.question == self._question:
            self._answer = answer
            self.counted.emit(answer)
        self._show()

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._running = None
        self._show()
        self._total.set_foreign_text(str(fault))
        set_tone(self._total, "bad")

    @Slot()
    def _on_called_off(self) -> None:
        self._running = None
        self._show()

    def _show(self) -> None:
        busy = self._running is not None
        self.button.setText(self.tr("Cancel") if busy else self.tr("Count all known URLs"))
        self.button.setEnabled(busy or (self._question is not None and any(self._question.patterns)))
        self._progress.setVisible(busy)
        self._total.setVisible(not busy)
        self._total.set_foreign_text(self.tr("{0} URLs are known").format(count(self._known)) if self._known else "")
        self.verdict.set_foreign_text(self._sentence())
        self.verdict.setVisible(self._answer is not None)
        set_tone(
            self.verdict, "bad" if self._matched() and self._answer and self._answer.question.excludes else "muted"
        )
        examples = self._answer.examples[self._current] if self._answer and self._matched() else ()
        self.examples.set_foreign_text(self.tr("for example {0}").format("   ".join(examples)) if examples else "")
        self.examples.setVisible(bool(examples))

    def _matched(self) -> int:
        counts = self._answer.counts if self._answer else ()
        return (counts[self._current] or 0) if 0 <= self._current < len(counts) else 0

    def _sentence(self) -> str:
        answer = self._answer
        if answer is None:
            return ""
        words = self.tr("excluded") if answer.question.excludes else self.tr("let in")
        together = self.tr("{0} of all {1} known {2}").format(count(answer.together), count(answer.total), words)
        if not 0 <= self._current < len(answer.counts) or answer.counts[self._current] is None:
            return together
        return self.tr("{0} by this pattern · {1}").format(count(self._matched()), together)
