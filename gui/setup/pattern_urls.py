"""The URLs a pattern is tried on, one a line, with the matching part highlighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from gui.foreign_text import shown
from gui.theme import code_font

if TYPE_CHECKING:
    from gui.setup.pattern_trial import Hit
    from gui.theme import Theme

LONGEST = 400  # characters of a line


class PatternUrls(QPlainTextEdit):
    """Read only; a text that stays the same keeps its place while the highlighting moves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hits: tuple[Hit, ...] = ()
        self.setReadOnly(True)
        self.setFont(code_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self.setMinimumHeight(110)
        self.setAccessibleName(self.tr("URLs the patterns are tested against"))
        theme.changed.connect(self._on_theme_changed)

    def show_hits(self, hits: tuple[Hit, ...]) -> None:
        """The URLs with what is matched in each."""
        self._hits = hits
        text = "\n".join(shown(hit.url, LONGEST) for hit in hits)
        if text != self.toPlainText():
            place = self.verticalScrollBar().value()
            self.setPlainText(text)
            self.verticalScrollBar().setValue(place)
        whole, part = self._looks()
        selections = []
        for line, hit in enumerate(hits):
            if hit.span is not None:
                selections.append(self._selection(line, 0, len(hit.url), whole))
                selections.append(self._selection(line, *hit.span, part))
        self.setExtraSelections(selections)

    def _looks(self) -> tuple[QTextCharFormat, QTextCharFormat]:
        whole, part = QTextCharFormat(), QTextCharFormat()
        for look in (whole, part):
            look.setForeground(self._theme.colour("bad"))
        part.setBackground(self._theme.colour("bad_tint"))
        part.setFontWeight(QFont.Weight.Bold)
        return whole, part

    def _selection(self, line: int, start: int, end: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        block = self.document().findBlockByNumber(line)
        last = block.position() + max(0, block.length() - 1)
        cursor = QTextCursor(block)
        cursor.setPosition(min(block.position() + start, last))
        cursor.setPosition(min(block.position() + end, last), QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.cursor = cursor
        selection.format = look
        return selection

    @Slot()
    def _on_theme_changed(self) -> None:
        self.show_hits(self._hits)
