"""Draws a line of the sidebar: a state dot, the name, and what the crawl is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Slot
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gui.crawl_words import state_words
from gui.sidebar.crawl_list import ROW_ROLE, Row, summary

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from gui.sidebar.glance import Glance
    from gui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
CRAWL_HEIGHT = 46
HEADING_HEIGHT = 34
TEXT_LEFT = 28


class CrawlDelegate(QStyledItemDelegate):
    """Colour is for the state only; the name is what is read first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._alert = theme.icon("alert", "warning")
        theme.changed.connect(self._on_theme_changed)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._alert = self._theme.icon("alert", "warning")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW_ROLE)
        lines = option.fontMetrics.height()
        return QSize(80, max(CRAWL_HEIGHT, 2 * lines + 12) if row.glance else max(HEADING_HEIGHT, lines + 14))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.glance is None:
            self._paint_heading(painter, rect, row.title)
        else:
            self._paint_ground(painter, rect, option.state)
            self._paint_dot(painter, rect, row.glance)
            self._paint_texts(painter, rect, row.title, row.glance)
        painter.restore()

    def _paint_heading(self, painter: QPainter, rect: QRect, title: str) -> None:
        painter.setFont(weighted(painter.font(), QFont.Weight.DemiBold, 0.95))
        painter.setPen(self._theme.colour("muted"))
        place = rect.adjusted(8, 8, -8, -2)
        _draw(painter, place, title)

    def _paint_ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        role = "selection" if state & QStyle.StateFlag.State_Selected else None
        if role is None and state & QStyle.StateFlag.State_MouseOver:
            role = "hover"
        if role:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour(role))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 6, 6)

    def _paint_dot(self, painter: QPainter, rect: QRect, glance: Glance) -> None:
        words = state_words(glance.state, glance.reason)
        broken = glance.missing or bool(glance.fault)
        colour = self._theme.colour("faint" if broken else words.dot)
        middle = QPointF(rect.left() + 15, rect.top() + rect.height() / 2 - painter.fontMetrics().height() / 2 - 0.5)
        painter.setPen(QPen(colour, 1.6))
        painter.setBrush(Qt.BrushStyle.NoBrush if words.hollow or broken else colour)
        painter.drawEllipse(middle, 3.8, 3.8)

    def _paint_texts(self, painter: QPainter, rect: QRect, title: str, glance: Glance) -> None:
        base = QFont(painter.font())
        half = rect.height() // 2
        faded = glance.missing or bool(glance.fault)
        painter.setPen(self._theme.colour("faint" if faded else "text"))
        painter.setFont(weighted(base, QFont.Weight.DemiBold if glance.state == "running" else QFont.Weight.Medium))
        _draw(painter, QRect(rect.left() + TEXT_LEFT, rect.top() + 5, rect.width() - TEXT_LEFT - 24, half - 4), title)
        painter.setPen(self._theme.colour("bad" if glance.fault else "muted"))
        painter.setFont(weighted(base, QFont.Weight.Normal, 0.88))
        below = QRect(rect.left() + TEXT_LEFT, rect.top() + half - 1, rect.width() - TEXT_LEFT - 8, half - 4)
        _draw(painter, below, summary(glance))
        if glance.alarms:
            sign = QRect(rect.right() - 24, rect.top() + 5, 16, 16)
            self._alert.paint(painter, sign)


def weighted(font: QFont, weight: QFont.Weight, scale: float = 1.0) -> QFont:
    """The same font, heavier or smaller."""
    made = QFont(font)
    made.setWeight(weight)
    made.setPointSizeF(font.pointSizeF() * scale)
    return made


def _draw(painter: QPainter, place: QRect, text: str) -> None:
    elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), elided)
