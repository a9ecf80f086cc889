"""The button that opens the re-parse of a crawl's stored pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from gui.records.reparse_dialog import ReparseDialog

if TYPE_CHECKING:
    from pathlib import Path


class ReparseButton(QPushButton):
    """Ready where there is a crawl file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self.setText(self.tr("Re-parse…"))
        self.setToolTip(self.tr("See what the applied record types would change over the stored pages"))
        self.setEnabled(False)
        self.clicked.connect(self._on_clicked)

    def set_file(self, path: Path | None) -> None:
        """The crawl whose stored pages are parsed."""
        self._path = path
        self.setEnabled(path is not None)

    @Slot()
    def _on_clicked(self) -> None:
        if self._path is not None:
            ReparseDialog(self._path, self.window()).open()
