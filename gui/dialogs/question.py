"""A question with named answers, the harmless one first in line for Enter and Escape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.foreign_text import shown
from gui.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent

WIDTH = 420


@dataclass(frozen=True, slots=True)
class Answer:
    """A button: what is sent when it is pressed, its text and its look (primary, danger or "")."""

    key: str
    text: str
    kind: str = ""


class Question(QDialog):
    """Asks once. `answered(key)` is sent exactly once; closing it is the harmless answer."""

    answered = Signal(str)

    def __init__(
        self, parent: QWidget, title: str, paragraphs: tuple[str, ...], answers: tuple[Answer, ...], harmless: str
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(shown(title))
        self.setMinimumWidth(WIDTH)
        self._harmless = harmless
        self._sent = False
        self.buttons: dict[str, QPushButton] = {}
        self.remember = QCheckBox(self.tr("Remember my choice"))
        self.remember.hide()
        self._lay_out(title, paragraphs, answers)

    def _lay_out(self, title: str, paragraphs: tuple[str, ...], answers: tuple[Answer, ...]) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(plain_label(shown(title), "title", wrap=True))
        for paragraph in paragraphs:
            layout.addWidget(plain_label(paragraph, wrap=True))
        layout.addWidget(self.remember)
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.addStretch(1)
        for answer in answers:
            row.addWidget(self._button(answer))
        layout.addLayout(row)
        self.buttons[self._harmless].setFocus()  # so that Space is harmless too

    def _button(self, answer: Answer) -> QPushButton:
        button = QPushButton(answer.text)
        button.setProperty("kind", answer.kind)
        button.setAutoDefault(False)
        if answer.key == self._harmless:
            button.setDefault(True)
        button.clicked.connect(lambda _on=False, key=answer.key: self._send(key))
        self.buttons[answer.key] = button
        return button

    def offer_to_remember(self) -> None:
        self.remember.show()

    @Slot()
    def reject(self) -> None:
        self._send(self._harmless)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._tell(self._harmless)
        super().closeEvent(event)

    def _send(self, key: str) -> None:
        self._tell(key)
        self.done(0)
        self.close()

    def _tell(self, key: str) -> None:
        if not self._sent:
            self._sent = True
            self.answered.emit(key)
