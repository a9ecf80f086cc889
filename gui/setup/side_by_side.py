"""Two columns of a page: side by side where there is room for both, else one below the other; scrolled if need be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

GAP = 12


class SideBySide(QScrollArea):
    """Each column is a stack of parts; `stretch` gives the first part of each the room that is left."""

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget], *, stretch: bool) -> None:
        super().__init__()
        self._columns = (_column(left, stretch=stretch), _column(right, stretch=stretch))
        inner = QWidget()
        self._layout = Squeezable(inner) if stretch else QBoxLayout(QBoxLayout.Direction.LeftToRight, inner)
        self._layout.setContentsMargins(0, 0, 4, 0)
        self._layout.setSpacing(GAP)
        for column in self._columns:
            self._layout.addWidget(column, 1)
        self.setWidgetResizable(True)
        self.setWidget(inner)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields come into view when they take the focus

    @property
    def is_stacked(self) -> bool:
        """Whether one column stands below the other now."""
        return self._layout.direction() is QBoxLayout.Direction.TopToBottom

    def resizeEvent(self, event: QResizeEvent) -> None:
        wanted = sum(column.minimumSizeHint().width() for column in self._columns) + GAP + 4
        fits = wanted <= self.viewport().width()
        self._layout.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)


class Squeezable(QBoxLayout):
    """Asks for the least height only: one that follows the width (of labels that wrap) is the most that is wished."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight, parent)

    def hasHeightForWidth(self) -> bool:
        return False


def _column(parts: Sequence[QWidget], *, stretch: bool) -> QWidget:
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GAP)
    for at, part in enumerate(parts):
        layout.addWidget(part, int(stretch and at == 0))
    if not stretch:
        layout.addStretch(1)
    return column
