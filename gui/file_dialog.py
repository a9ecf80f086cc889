"""The dialog that asks for a file: the system's own where there is one, else Qt's, with room for the names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHeaderView, QTreeView

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

SIZE = (900, 560)
WIDTHS = {1: 90, 2: 110, 3: 150}  # size, kind, date


def file_dialog(parent: QWidget, title: str, place: Path | str = "", filters: str = "") -> QFileDialog:
    """Not yet open; it deletes itself when it is closed."""
    dialog = QFileDialog(parent, title, str(place), filters)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    table = dialog.findChild(QTreeView, "treeView")  # none in a dialog of the system
    if isinstance(table, QTreeView):
        dialog.resize(*SIZE)
        header = table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            header.resizeSection(column, width)
    return dialog
