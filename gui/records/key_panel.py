"""Whether the natural key holds on the kept pages: of itself on a sample while rules are typed, on all by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.store.words import quantity
from gui.cancellable import Cancellable
from gui.foreign_text import shown, tooltip
from gui.labels import plain_label, set_tone
from gui.records.key_check import KeyAnswer, KeyProgress, KeyQuestion, check_key, is_checkable, question_of
from gui.records.words import key_in_short, key_words

if TYPE_CHECKING:
    from core.errors import FronteiraError
    from core.preview.key_tally import KeyReport
    from core.settings import RecordType
    from gui.records.kept import Wanted

PAUSE_MS = 900  # in typing, before a sample is tried


class KeyPanel(QWidget):
    """`checked(short, whole)` whenever there is something else to say against the key: in a line, and in full."""

    checked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: Wanted | None = None
        self._kind: RecordType | None = None
        self._answer: KeyAnswer | None = None
        self._running: Cancellable | None = None
        self._asked: KeyQuestion | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._build()
        self._lay_out()
        self.button.clicked.connect(self._on_clicked)
        self._pause.timeout.connect(self._on_pause)
        self._show()

    def _build(self) -> None:
        self._said = plain_label("", "muted", wrap=True)
        self.button = QPushButton()
        self.button.setToolTip(self.tr("Reads every stored page of this type, without a request"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Stored pages that were checked"))
        self.examples = QTreeWidget()
        self.examples.setHeaderLabels([self.tr("What"), self.tr("Example")])
        self.examples.setAccessibleName(self.tr("Examples"))
        self.examples.setUniformRowHeights(True)
        self.examples.setColumnWidth(0, 220)
        self.examples.setMinimumHeight(90)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addWidget(self._progress, 1)
        row.addStretch(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._said)
        layout.addLayout(row)
        layout.addWidget(self.examples, 1)

    @property
    def said(self) -> str:
        """What is told about the key."""
        return self._said.text()

    @property
    def is_busy(self) -> bool:
        """Whether a check is under way, or about to be."""
        return self._running is not None or self._pause.isActive()

    def look_at(self, wanted: Wanted | None, kind: RecordType | None) -> None:
        """Another type, or the same as it is typed now: what was found about other rules counts for nothing."""
        if (wanted, kind) == (self._wanted, self._kind):
            return
        self._wanted, self._kind, self._answer = wanted, kind, None
        self.cancel()
        self._pause.stop()
        if wanted is not None and kind is not None and is_checkable(kind):
            self._pause.start()
        self._show()

    def cancel(self) -> None:
        """Call off what runs."""
        if self._running is not None:
            self._running.cancel()

    @Slot()
    def _on_pause(self) -> None:
        self._start(whole=False)

    @Slot()
    def _on_clicked(self) -> None:
        if self._running is not None and self._asked is not None and self._asked.is_whole:
            self.cancel()
        else:
            self.cancel()
            self._pause.stop()
            self._start(whole=True)

    def _start(self, *, whole: bool) -> None:
        if self._wanted is None or self._kind is None:
            return
        question = question_of(self._wanted, self._kind, whole=whole)
        self._asked = question
        self._running = Cancellable(lambda cancelled, tell: check_key(question, cancelled, tell), self)
        self._running.told.connect(self._on_told)
        self._running.finished.connect(self._on_finished)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(self._on_called_off)
        self._progress.setRange(0, 0)
        self._running.start()
        self._show()

    @Slot(object)
    def _on_told(self, progress: KeyProgress) -> None:
        if self._asked is not None and self._asked.is_whole:
            self._progress.setRange(0, progress.total)
            self._progress.setValue(progress.report.pages)
            self._fill(progress.report)

    @Slot(object)
    def _on_finished(self, answer: KeyAnswer) -> None:
        self._running = None
        self._answer = answer
        self._show()

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._running = None
        self._show()
        self._say(str(fault), "bad")

    @Slot()
    def _on_called_off(self) -> None:
        self._running = None
        self._show()

    def _show(self) -> None:
        kind, busy = self._kind, self._running is not None
        checkable = kind is not None and is_checkable(kind) and self._wanted is not None
        whole = busy and self._asked is not None and self._asked.is_whole
        self.button.setText(self.tr("Cancel") if whole else self.tr("Check all stored pages"))
        self.button.setEnabled(checkable)
        self._progress.setVisible(whole)
        self._fill(self._answer.report if self._answer is not None else None)
        if self._answer is not None:
            text, tone = key_words(self._answer)
            self._say(text, tone)
            self.checked.emit(key_in_short(self._answer), text if tone == "warning" else "")
            return
        self._say(self._waiting_words(checkable=checkable, busy=busy))
        self.checked.emit("", "")

    def _waiting_words(self, *, checkable: bool, busy: bool) -> str:
        kind = self._kind
        if kind is not None and not kind.key_fields:
            return self.tr("Without a natural key the page's canonical URL is the key: there is nothing to check.")
        if not checkable:
            return self.tr("The key names a field that is not there yet.") if kind is not None else ""
        return self.tr("Checking…") if busy or self._pause.isActive() else self.tr("Not checked yet.")

    def _say(self, text: str, tone: str = "muted") -> None:
        self._said.setText(text)
        set_tone(self._said, tone)

    def _fill(self, report: KeyReport | None) -> None:
        self.examples.clear()
        if report is not None:
            self.examples.addTopLevelItems(self._groups(report))
            self.examples.expandAll()
        self.examples.setVisible(self.examples.topLevelItemCount() > 0)

    def _groups(self, report: KeyReport) -> list[QTreeWidgetItem]:
        shared = [(shown(each.key, 60), _where(each.first, each.second)) for each in report.shared_examples]
        other = [(f"{shown(each.before, 40)} → {shown(each.now, 40)}", each.url) for each in report.other_examples]
        without = [("", url) for url in report.without_examples]
        groups = (
            (self.tr("Without a key"), quantity(report.without, "page"), without),
            (self.tr("One key, several records"), quantity(report.shared, "key"), shared),
            (self.tr("Another key than before"), quantity(report.other, "page"), other),
        )
        return [_group(title, number, examples) for title, number, examples in groups if examples]


def _where(first: str, second: str) -> str:
    return f"{first} (twice)" if first == second else f"{first} and {second}"


def _group(title: str, number: str, examples: list[tuple[str, str]]) -> QTreeWidgetItem:
    group = QTreeWidgetItem([title, number])
    for what, where in examples:
        item = QTreeWidgetItem([what, shown(where)])
        item.setToolTip(1, tooltip(where))
        group.addChild(item)
    return group
