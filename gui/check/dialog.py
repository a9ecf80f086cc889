"""The window of the certificate: each promise of the file with what was found, and what may have been sent twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.store.read.certificates import read_unclean_ends
from gui.cancellable import Cancellable
from gui.check.file_check import check
from gui.check.words import Told, ends_text, promises, verdict
from gui.dialogs.button_row import button_row
from gui.explain.facts import Facts
from gui.foreign_text import shown
from gui.labels import plain_label, set_tone
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.errors import FronteiraError
    from core.store.rows import UncleanEnd

Answer = tuple[Told, tuple["UncleanEnd", ...]]


class CertificateDialog(QDialog):
    """Shows what was found; without it the file is checked first, which can be called off by closing."""

    def __init__(self, path: Path, name: str, parent: QWidget | None = None, found: Told | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Check of the file – {0}").format(shown(name, 120)))
        self.resize(640, 520)
        self._found: Told | None = None
        self._running: Cancellable | None = None
        self._build()
        self._lay_out()
        self._close.clicked.connect(self.reject)
        self._copy.clicked.connect(self._on_copy)
        self._begin(path, found)

    def _build(self) -> None:
        self.verdict = plain_label(self.tr("Checking the file…"), "title", wrap=True)
        self._hint = plain_label(
            self.tr(
                "Every link, record and counter is counted again. A large file takes minutes; the crawl may go on."
            ),
            "muted",
            wrap=True,
        )
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Checking"))
        self.facts = Facts()
        self.facts.setAccessibleName(self.tr("What was checked"))
        self._repeated_title = plain_label(self.tr("Unclean ends, and what may have been sent twice"), "heading")
        self.repeated = QPlainTextEdit()
        self.repeated.setReadOnly(True)
        self.repeated.setFont(code_font())
        self.repeated.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.repeated.setTabChangesFocus(True)
        self.repeated.setAccessibleName(self.tr("Requests that may have been sent twice"))
        self._copy = QPushButton(self.tr("Copy"))
        self._close = QPushButton(self.tr("Cancel"))
        self._close.setDefault(True)
        keeps_place = self.facts.sizePolicy()
        keeps_place.setRetainSizeWhenHidden(True)
        self.facts.setSizePolicy(keeps_place)
        for widget in (self.facts, self._repeated_title, self.repeated, self._copy):
            widget.hide()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(self.verdict)
        layout.addWidget(self._hint)
        layout.addWidget(self._progress)
        layout.addWidget(self.facts, 3)
        layout.addWidget(self._repeated_title)
        layout.addWidget(self.repeated, 2)
        layout.addLayout(button_row(self._copy, self._close))

    def done(self, result: int) -> None:
        if self._running is not None:
            self._running.cancel()
        super().done(result)

    def _begin(self, path: Path, found: Told | None) -> None:
        self._running = Cancellable(lambda cancelled, _tell: read(path, found, cancelled), self)
        self._running.finished.connect(self._show)
        self._running.failed.connect(self._on_failed)
        self._running.start()

    @Slot(object)
    def _show(self, answer: Answer | None) -> None:
        self._settle()
        if answer is None:
            return
        self._found, ends = answer
        sentence, tone = verdict(self._found)
        self.verdict.setText(sentence)
        set_tone(self.verdict, tone)
        self.facts.show_groups((promises(self._found),))
        self.facts.show()
        self._copy.show()
        self.repeated.setPlainText(ends_text(ends))
        for widget in (self._repeated_title, self.repeated):
            widget.setVisible(bool(ends))

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._settle()
        self.verdict.setText(str(fault))
        set_tone(self.verdict, "bad")

    def _settle(self) -> None:
        self._running = None
        self._hint.hide()
        self._progress.hide()
        self._close.setText(self.tr("Close"))

    @Slot()
    def _on_copy(self) -> None:
        if self._found is not None:
            QGuiApplication.clipboard().setText("\n".join((*self._found.sentences, self.repeated.toPlainText())))


def read(path: Path, found: Told | None, cancelled: Callable[[], bool]) -> Answer | None:
    """The audit, where none was kept, and the ends of the file; None where nobody wants it. For a thread."""
    if found is None:
        made = check(path, cancelled)
        if made is None:
            return None
        found = made[0]
    return found, read_unclean_ends(path)
