"""Groups of facts on the screen: headings, marks, labels, and texts that can be selected and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QGridLayout, QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from gui.labels import card, plain_label
from gui.theme import code_font

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from gui.explain.groups import Group, Line

LABEL_WIDTH = 128
SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class Facts(QScrollArea):
    """Shows groups as cards, one below the other; Page Up and Page Down scroll it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_groups(self, groups: tuple[Group, ...]) -> None:
        """These groups, and nothing of what was shown before."""
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(10)
        for group in groups:
            layout.addWidget(_card(group))
        layout.addStretch(1)
        self.setWidget(page)


def _card(group: Group) -> QFrame:
    frame, inner = card()
    inner.setSpacing(6)
    inner.addWidget(plain_label(group.title, "heading"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(0, 14)
    grid.setColumnMinimumWidth(1, LABEL_WIDTH)
    grid.setColumnStretch(2, 1)
    for row, line in enumerate(group.lines):
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(plain_label(line.mark, line.tone), row, 0, top)
        grid.addWidget(plain_label(line.label, "muted"), row, 1, top)
        grid.addWidget(_value(line), row, 2, top)
    inner.addLayout(grid)
    return frame


def _value(line: Line) -> QWidget:
    if line.code:
        return AddressText(line.text, line.label)
    value = plain_label(line.text, "" if line.tone == "good" else line.tone, wrap=True)
    value.setTextInteractionFlags(SELECTABLE)
    value.setAccessibleName(f"{line.label}: {line.text}")
    return value


class AddressText(QPlainTextEdit):
    """Addresses that are broken wherever the line ends, and are whole again when copied."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.setReadOnly(True)
        self.setFont(code_font())
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("background: transparent; border: none;")
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * (1 + text.count("\n")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        lines = max(1, round(self.document().size().height()))  # a plain document is as high as its lines
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 2)
