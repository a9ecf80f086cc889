"""A message about something that went wrong: plain text that can be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.foreign_text import shown
from gui.labels import plain_label

if TYPE_CHECKING:
    from core.errors import FronteiraError


class FaultDialog(QDialog):
    """Says what happened and what to do. Nothing was changed."""

    def __init__(self, parent: QWidget, title: str, sentence: str, advice: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(shown(title, 120))
        self.setMinimumWidth(460)
        self._text = f"{sentence}\n{advice}".strip()
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setAutoDefault(False)
        self._close = QPushButton(self.tr("Close"))
        self._close.setProperty("kind", "primary")
        self._close.setDefault(True)
        self._lay_out(title, sentence, advice)
        self._copy.clicked.connect(self._on_copy)
        self._close.clicked.connect(self.accept)
        self._close.setFocus()

    def _lay_out(self, title: str, sentence: str, advice: str) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(plain_label(title, "title", wrap=True))
        for text, tone in ((sentence, ""), (advice, "muted")):
            if text:
                label = plain_label(text, tone, wrap=True)
                label.setTextInteractionFlags(
                    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
                )
                layout.addWidget(label)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._copy)
        row.addWidget(self._close)
        layout.addLayout(row)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


def fault_dialog(parent: QWidget, title: str, fault: FronteiraError) -> FaultDialog:
    """The message for a fault of the world."""
    return FaultDialog(parent, title, fault.sentence, fault.advice)
