"""Labels that show text safely: always plain, elided where it is long, whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.foreign_text import shown, shown_lines, tooltip

LONGEST_TIP = 2000  # of a label whose text is shortened: there it can be read whole


class PlainLabel(QLabel):
    """Whatever it is told, it shows plain text, clipped and without hidden characters. The only label of the window."""

    def __init__(self, text: str = "", tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        if tone:
            self.setProperty("tone", tone)
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(shown_lines(text))


def plain_label(text: str = "", tone: str = "", *, wrap: bool = False) -> PlainLabel:
    """A label that never takes its text for mark-up; `tone` as in the style sheet."""
    label = PlainLabel(text, tone)
    label.setWordWrap(wrap)
    return label


def set_tone(widget: QWidget, tone: str) -> None:
    """Change the look after construction: Qt wants the style polished again."""
    if widget.property("tone") != tone:
        widget.setProperty("tone", tone)
        repolish(widget)


def repolish(widget: QWidget) -> None:
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def card(parent: QWidget | None = None) -> tuple[QFrame, QVBoxLayout]:
    """A framed surface and its layout."""
    frame = QFrame(parent)
    frame.setProperty("class", "card")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(16, 12, 16, 16)
    layout.setSpacing(10)
    return frame, layout


class ElidedLabel(PlainLabel):
    """One line of text, shortened in the middle or at the end where the place is short."""

    def __init__(self, text: str = "", tone: str = "", elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__(tone=tone)
        self._elide = elide
        self._whole: str | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_foreign_text(text)

    def set_foreign_text(self, text: str) -> None:
        """Any text, from wherever; the tooltip holds all of it."""
        if text == self._whole:  # most labels are told the same again four times a second
            return
        self._whole = text
        self.setText(shown(text))
        self.setToolTip(tooltip(text, LONGEST_TIP))
        self.setAccessibleName(shown(text))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(40, self.sizeHint().width()), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 4, hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), self._elide, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
