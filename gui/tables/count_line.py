"""The line under a table: how many rows, of which moment, how many came since, and what goes on now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from gui.figures import clock, count
from gui.foreign_text import shown
from gui.labels import ElidedLabel, plain_label, set_tone

if TYPE_CHECKING:
    from gui.theme import Theme


class CountLine(QWidget):
    """Words and a Refresh button."""

    refresh_wanted = Signal()

    def __init__(self, theme: Theme, noun: str) -> None:
        super().__init__()
        self._noun = noun
        self._words = ElidedLabel("", "muted")
        self._newer = plain_label("", "warning")
        self._refresh = QPushButton(self.tr("Refresh"))
        self._refresh.setProperty("kind", "quiet")
        self._refresh.setToolTip(self.tr("Read the table again (F5)"))
        self._refresh.setShortcut("F5")
        theme.dress(self._refresh, "refresh")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 0, 0, 0)
        layout.setSpacing(12)
        for widget in (self._words, self._newer, self._refresh):
            layout.addWidget(widget)
        layout.addStretch(1)
        self._refresh.clicked.connect(self.refresh_wanted)
        self.show_newer(0)

    def show_counting(self, *, scans: bool) -> None:
        """The order is being made."""
        self._refresh.setText(self.tr("Refresh"))
        set_tone(self._words, "muted")
        text = self.tr("Searching: every row is read…") if scans else self.tr("Counting…")
        self._words.set_foreign_text(text)
        self.show_newer(0)

    def show_count(self, number: int, at: float, *, filtered: bool, live: bool) -> None:
        """The order stands."""
        self._refresh.setText(self.tr("Refresh"))
        set_tone(self._words, "muted")
        found = self.tr(" found") if filtered else ""
        noun = self._noun.removesuffix("s") if number == 1 else self._noun
        moment = self.tr("updated") if live else self.tr("snapshot")
        self._words.set_foreign_text(f"{count(number)} {noun}{found} · {moment} {clock(at)} UTC")

    @Slot(int)
    def show_newer(self, number: int) -> None:
        """How many rows came since."""
        words = self.tr("1 newer row") if number == 1 else self.tr("{0} newer rows")
        self._newer.setText(words.format(count(number)))
        self._newer.setVisible(number > 0)

    @Slot(str)
    def show_fault(self, sentence: str) -> None:
        """The table could not be read."""
        self.show_complaint(sentence)
        self._refresh.setText(self.tr("Try again"))

    def show_complaint(self, sentence: str) -> None:
        """What was asked makes no sense."""
        set_tone(self._words, "bad")
        self._words.set_foreign_text(shown(sentence))
        self.show_newer(0)
