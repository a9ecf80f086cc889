"""Where the system has no file dialog, Qt's shows whole names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QTreeView, QWidget

from gui.file_dialog import file_dialog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


def test_names_have_the_most_room(tmp_path: Path, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = file_dialog(parent, "Open", tmp_path, "All files (*)")
    if not dialog.testOption(QFileDialog.Option.DontUseNativeDialog):
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    table = dialog.findChild(QTreeView, "treeView")
    assert isinstance(table, QTreeView)
    widths = [table.columnWidth(column) for column in range(4)]
    assert widths[0] > max(widths[1:])
    dialog.close()
