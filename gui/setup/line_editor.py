"""A text editor with line numbers whose lines can carry a message of their own, shown beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip, QWidget

from gui.foreign_text import shown, tooltip
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from PySide6.QtGui import QTextBlock

    from gui.theme import Theme

MOST_MARKED = 500  # underlined at once; all messages are still shown beside their lines


@dataclass(frozen=True, slots=True)
class Mark:
    """What is said beside a line; `tone` is good, bad, warning or faint. A faint line is only greyed."""

    message: str
    tone: str = "bad"


class LineEditor(QPlainTextEdit):
    """Plain text, lines counted from 1. Tab leaves the field, so that the keyboard is never caught in it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: dict[int, Mark] = {}
        self._gutter = Gutter(self)
        self.setFont(code_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.blockCountChanged.connect(self._on_block_count_changed)
        self.updateRequest.connect(self._on_update_wanted)
        theme.changed.connect(self._on_theme_changed)
        self._on_block_count_changed()

    def set_marks(self, marks: Mapping[int, Mark]) -> None:
        """The messages by line number."""
        self._marks = dict(marks)
        self.setExtraSelections([self._selection(line, mark) for line, mark in list(marks.items())[:MOST_MARKED]])
        self.viewport().update()
        self._gutter.update()

    @property
    def marks(self) -> dict[int, Mark]:
        return dict(self._marks)

    def event(self, event: QEvent) -> bool:
        """The tooltip of a marked line is its message, whole."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.viewport().mapFromGlobal(event.globalPos())
            mark = self._marks.get(self.cursorForPosition(place).blockNumber() + 1)
            QToolTip.showText(event.globalPos(), tooltip(mark.message) if mark else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._marks:
            return
        painter = QPainter(self.viewport())
        for block, place in self._visible():
            mark = self._marks.get(block.blockNumber() + 1)
            if mark and mark.message:
                self._paint_message(painter, block, place, mark)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inner = self.contentsRect()
        self._gutter.setGeometry(QRect(inner.left(), inner.top(), self._gutter.sizeHint().width(), inner.height()))

    def paint_numbers(self, painter: QPainter, width: int) -> None:
        """The numbers of the lines that are seen; for the gutter."""
        painter.setFont(self.font())
        for block, place in self._visible():
            mark = self._marks.get(block.blockNumber() + 1)
            painter.setPen(self._theme.colour(mark.tone if mark else "faint"))
            line = QRect(0, int(place.top()), width - 10, self.fontMetrics().height())
            painter.drawText(line, int(Qt.AlignmentFlag.AlignRight), str(block.blockNumber() + 1))

    def _paint_message(self, painter: QPainter, block: QTextBlock, place: QRectF, mark: Mark) -> None:
        metrics = self.fontMetrics()
        start = int(place.left()) + metrics.horizontalAdvance(block.text()) + 24
        room = self.viewport().width() - start - 8
        if room < 120:  # a long line: the message takes its end
            start, room = self.viewport().width() - 300, 292
        line = QRect(start, int(place.top()), room, int(metrics.height()) + 2)
        message = metrics.elidedText(shown(mark.message), Qt.TextElideMode.ElideRight, room)
        ground = QRect(line.left() - 6, line.top(), metrics.horizontalAdvance(message) + 12, line.height())
        painter.fillRect(ground, self._theme.colour(f"{mark.tone}_tint"))
        painter.setPen(self._theme.colour(mark.tone))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), message)

    def _visible(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        block = self.firstVisibleBlock()
        offset: QPointF = self.contentOffset()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                return
            yield block, place
            block = block.next()

    def _selection(self, line: int, mark: Mark) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        look = QTextCharFormat()
        colour = QColor(self._theme.colour(mark.tone))
        look.setForeground(colour)
        if mark.tone != "faint":
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            look.setUnderlineColor(colour)
        cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format = look
        return selection

    @Slot()
    def _on_block_count_changed(self) -> None:
        self.setViewportMargins(self._gutter.sizeHint().width(), 0, 0, 0)

    @Slot(QRect, int)
    def _on_update_wanted(self, _place: QRect, _scrolled: int) -> None:
        self._gutter.update()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.set_marks(self._marks)


class Gutter(QWidget):
    """The column of numbers; it belongs to the editor beside it."""

    def __init__(self, editor: LineEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        digits = max(2, len(str(self._editor.blockCount())))
        return QSize(self._editor.fontMetrics().horizontalAdvance("9" * digits) + 24, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._editor.paint_numbers(QPainter(self), self.width())
