"""What stands in the place of the views while no crawl is open: at the first start, what to do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

import resources
from gui.labels import card, plain_label, repolish

if TYPE_CHECKING:
    from gui.theme import Theme

WIDTH = 640


class Welcome(QFrame):
    """Two big actions, and a place to drop a crawl file."""

    new_wanted = Signal()
    open_wanted = Signal()
    sample_wanted = Signal()
    file_dropped = Signal(object)  # Path

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("drop")
        self.setAcceptDrops(True)
        self._theme = theme
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self._mark = plain_label()
        self._mark.setPixmap(QIcon(str(resources.path("icons/fronteira.svg"))).pixmap(QSize(64, 64)))
        self.new_button = QPushButton(self.tr("New crawl"))
        self.new_button.setProperty("kind", "primary")
        self._theme.dress(self.new_button, "plus", "accent_text")
        self.sample_button = QPushButton(self.tr("Open the sample crawl"))
        self._theme.dress(self.sample_button, "play-circle-outline")
        self.open_button = QPushButton(self.tr("Open a crawl file…"))
        self.open_button.setProperty("kind", "quiet")
        self._theme.dress(self.open_button, "folder-open-outline")

    def _lay_out(self) -> None:
        own, own_layout = card()
        own_layout.addWidget(plain_label(self.tr("Crawl a site of yours"), "heading"))
        text = self.tr("Give it one address. You see what it would fetch, set limits, then press Start.")
        own_layout.addWidget(plain_label(text, "muted", wrap=True), 1)
        own_layout.addWidget(self.new_button)
        sample, sample_layout = card()
        sample_layout.addWidget(plain_label(self.tr("Look around first"), "heading"))
        text = self.tr("A small shop on this computer, without a network: about a minute of crawling to watch.")
        sample_layout.addWidget(plain_label(text, "muted", wrap=True), 1)
        sample_layout.addWidget(self.sample_button)
        cards = QHBoxLayout()
        cards.setSpacing(16)
        cards.addWidget(own, 1)
        cards.addWidget(sample, 1)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(self._mark)
        column.addSpacing(4)
        column.addWidget(plain_label(self.tr("Welcome to Fronteira"), "display"))
        promise = self.tr(
            "A crawl is one file. Stop it, kill it, close the window: nothing is lost, and nothing is fetched twice."
        )
        column.addWidget(plain_label(promise, "muted", wrap=True))
        column.addSpacing(12)
        column.addLayout(cards)
        column.addSpacing(4)
        column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(plain_label(self.tr("You can also drop a .crawl file here."), "faint"))
        inner = QWidget()
        inner.setMaximumWidth(WIDTH)
        inner.setLayout(column)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(inner, 6)
        middle.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(2)
        layout.addLayout(middle)
        layout.addStretch(3)

    def _connect(self) -> None:
        self.new_button.clicked.connect(self.new_wanted)
        self.open_button.clicked.connect(self.open_wanted)
        self.sample_button.clicked.connect(self.sample_wanted)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()
            self._mark_over(over=True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._mark_over(over=False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._mark_over(over=False)
        path = dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            self.file_dropped.emit(path)

    def _mark_over(self, *, over: bool) -> None:
        self.setProperty("over", "true" if over else "false")
        repolish(self)


def dropped_file(event: QDropEvent) -> Path | None:
    """The one file that is dropped, None for anything else."""
    local = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return local[0] if len(local) == 1 else None
