"""All keyboard shortcuts, read from the menu itself, so that the list is never wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from gui.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction


class ShortcutsDialog(QDialog):
    """Two columns: the keys and what they do."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setMinimumWidth(420)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(7)
        with_keys = [action for action in actions if not action.shortcut().isEmpty()]
        for row, action in enumerate(with_keys):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(plain_label(action.text().replace("&", "").rstrip("…")), row, 0)
            grid.addWidget(plain_label(keys, "muted"), row, 1, Qt.AlignmentFlag.AlignRight)
        close = QPushButton(self.tr("Close"))
        close.setProperty("kind", "primary")
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(14)
        layout.addWidget(plain_label(self.tr("Keyboard shortcuts"), "title"))
        layout.addLayout(grid)
        layout.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
