"""Paints the cells of a large table.

Qt's own way asks the model seven times a cell and goes through the style sheet: 40 ms for a screen of rows. Here a
cell is one look-up and one line of text: a sixth of that, so that scrolling stays smooth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.store.read.columns import NUMBERS
from gui.tables.cells import at_right
from gui.theme import tabular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from core.store.read.columns import Column
    from gui.tables.model import TableModel
    from gui.theme import Theme

PADDING = 11  # left and right, as in the header
FIGURES = NUMBERS | {"time"}


@dataclass(frozen=True, slots=True)
class Manner:
    """How the cells of one column are written. A URL is shortened in the middle: its end tells more than its folder."""

    font: QFont
    metrics: QFontMetrics
    flags: int
    elide: Qt.TextElideMode


class CellDelegate(QStyledItemDelegate):
    """For a TableModel only."""

    def __init__(self, model: TableModel, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._theme = model, theme
        self._view = parent
        self._manners: tuple[Manner, ...] = ()

    def set_columns(self, columns: Sequence[Column]) -> None:
        """The columns as the model has them."""
        self._manners = tuple(self._manner(column) for column in columns)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        text, colour = self._model.look(index.row(), index.column())
        manner = self._manners[index.column()]
        rect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.colour("selection"))
        painter.setPen(self._theme.colour("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if text:
            place = rect.adjusted(PADDING, 0, -PADDING, 0)
            painter.setFont(manner.font)
            painter.setPen(colour)
            painter.drawText(place, manner.flags, manner.metrics.elidedText(text, manner.elide, place.width()))

    def _manner(self, column: Column) -> Manner:
        plain = self._view.font()
        font = tabular(plain) if column.kind in FIGURES else plain
        side = Qt.AlignmentFlag.AlignRight if at_right(column) else Qt.AlignmentFlag.AlignLeft
        flags = int(side | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
        elide = Qt.TextElideMode.ElideMiddle if column.kind == "url" else Qt.TextElideMode.ElideRight
        return Manner(font, QFontMetrics(font), flags, elide)
