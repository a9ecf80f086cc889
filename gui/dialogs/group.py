"""A name for a new group of the sidebar."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gui.labels import plain_label


class GroupDialog(QDialog):
    """`named(group)` when a name was given."""

    named = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("New group"))
        self.setMinimumWidth(340)
        self._field = QLineEdit()
        self._field.setMaxLength(80)
        self._field.setAccessibleName(self.tr("Name of the group"))
        self._accept = QPushButton(self.tr("Add to group"))
        self._accept.setProperty("kind", "primary")
        self._accept.setDefault(True)
        self._accept.setEnabled(False)
        cancel = QPushButton(self.tr("Cancel"))
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self._accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(10)
        layout.addWidget(plain_label(self.tr("Name of the group"), "heading"))
        layout.addWidget(self._field)
        layout.addLayout(row)
        self._field.textChanged.connect(self._on_changed)
        self._accept.clicked.connect(self._on_accept)
        cancel.clicked.connect(self.reject)

    @Slot(str)
    def _on_changed(self, text: str) -> None:
        self._accept.setEnabled(bool(text.strip()))

    @Slot()
    def _on_accept(self) -> None:
        self.named.emit(self._field.text().strip())
        self.accept()
