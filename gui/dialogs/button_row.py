"""The buttons of a dialog, at its right edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton


def button_row(*buttons: QPushButton) -> QHBoxLayout:
    """The one that does what the dialog is for comes last."""
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
