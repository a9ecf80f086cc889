"""The window of Explain URL: a field, the decision in one line, and every reason below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gui.dialogs.button_row import button_row
from gui.explain.answer import Answer, Question, ask
from gui.explain.facts import Facts
from gui.explain.groups import as_text, groups, verdict
from gui.foreign_text import shown
from gui.labels import plain_label, set_tone
from gui.latest import Latest
from gui.theme import code_font

if TYPE_CHECKING:
    from pathlib import Path

PAUSE_MS = 250


class ExplainDialog(QDialog):
    """Answers as the URL is typed, and again on Enter, off the window's thread. It stays beside the window."""

    def __init__(self, path: Path, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Explain URL – {0}").format(shown(name, 120)))
        self.resize(760, 680)
        self._path = path
        self._answer = Answer()
        self._asking = Latest(ask, self, PAUSE_MS)
        self._build()
        self._lay_out()
        self._connect()
        self._show(self._answer)

    def _build(self) -> None:
        self.field = QLineEdit()
        self.field.setFont(code_font())
        self.field.setPlaceholderText("https://shop.example/p/1?sort=price")
        self.field.setAccessibleName(self.tr("URL to explain"))
        self.field.setClearButtonEnabled(True)
        self.verdict = plain_label("", "title", wrap=True)
        self.verdict.setFont(large(self.font()))
        self.facts = Facts()
        self.facts.setAccessibleName(self.tr("Reasons"))
        self._again = QPushButton(self.tr("Explain"))
        self._again.setDefault(True)
        self._again.setToolTip(self.tr("Look again: the crawl may have gone on"))
        self._copy = QPushButton(self.tr("Copy all"))
        self._close = QPushButton(self.tr("Close"))
        self._close.setAutoDefault(False)
        self._copy.setAutoDefault(False)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self._again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(row)
        layout.addWidget(self.verdict)
        layout.addWidget(self.facts, 1)
        layout.addLayout(button_row(self._copy, self._close))

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_asked)
        self._again.clicked.connect(self._on_asked)
        self._asking.ready.connect(self._show)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self.reject)

    def explain(self, text: str) -> None:
        """Explain this URL."""
        self.field.setText(text)
        self.field.setCursorPosition(0)
        self.field.setFocus()

    @Slot()
    def _on_asked(self) -> None:
        self._asking.ask(Question(self._path, self.field.text()))

    @Slot(object)
    def _show(self, answer: Answer) -> None:
        self._answer = answer
        sentence, tone = verdict(answer)
        self.verdict.setText(sentence)
        set_tone(self.verdict, tone)
        self.facts.show_groups(groups(answer))
        self._copy.setEnabled(answer.explanation is not None)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._answer))


def large(font: QFont) -> QFont:
    """The font of a decision: it keeps its size whatever its tone."""
    made = QFont(font)
    made.setPointSizeF(13)
    made.setWeight(QFont.Weight.DemiBold)
    return made
