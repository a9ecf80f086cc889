"""The top of the window: which crawl this is, how it is, its three commands, and the row of tabs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QTabBar, QVBoxLayout

from gui.crawl_words import offline_words, reason_words, start_word, state_words
from gui.exemptions import Exemptions
from gui.figures import since, span
from gui.foreign_text import shown, tooltip
from gui.labels import LONGEST_TIP, ElidedLabel, plain_label, set_tone
from gui.session import may_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from core.store.rows import Status
    from gui.session import OpenCrawl
    from gui.theme import Theme


class Header(QFrame):
    """Shows the crawl that is open; its buttons only say what is wanted."""

    start_wanted = Signal()
    stop_wanted = Signal()
    kill_wanted = Signal()
    tab_chosen = Signal(int)

    def __init__(self, theme: Theme, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._build(theme, titles)
        self._lay_out()
        self._connect()

    def _build(self, theme: Theme, titles: Sequence[str]) -> None:
        self._group = ElidedLabel("", "muted")
        self._name = ElidedLabel("", "title")
        self._pill = plain_label()
        self._pill.setObjectName("pill")
        self._times = ElidedLabel("", "muted")
        self.start_button = self._button(theme, self.tr("Start"), "play", self.tr("Start or go on (Ctrl+R)"))
        self.stop_button = self._button(
            theme, self.tr("Stop"), "stop", self.tr("Finish what is in flight and keep the rest (Ctrl+.)")
        )
        self.kill_button = self._button(theme, self.tr("Kill…"), "close-circle-outline", self.tr("End at once; asks"))
        self.kill_button.setProperty("kind", "danger")
        theme.dress(self.kill_button, "close-circle-outline", "bad")
        self._exempt_sign = plain_label()
        self._exempt = ElidedLabel("", "warning")
        self._theme = theme
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName(self.tr("Views"))
        for title in titles:
            self.tabs.addTab(title)

    def _button(self, theme: Theme, text: str, icon: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tooltip(tip))
        theme.dress(button, icon)
        return button

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self._name)
        line.addWidget(self._pill)
        line.addWidget(self._times, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.start_button, self.stop_button, self.kill_button):
            buttons.addWidget(button)
        top = QGridLayout()
        top.setContentsMargins(20, 12, 20, 0)
        top.setHorizontalSpacing(16)
        top.setVerticalSpacing(0)
        top.addWidget(self._group, 0, 0)
        top.addLayout(line, 1, 0)
        top.addLayout(buttons, 0, 1, 2, 1)
        top.setColumnStretch(0, 1)
        row = QHBoxLayout()
        row.setContentsMargins(20, 6, 20, 0)
        row.setSpacing(6)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self._exempt_sign)
        row.addWidget(self._exempt)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addLayout(row)

    def _connect(self) -> None:
        self.start_button.clicked.connect(self.start_wanted)
        self.stop_button.clicked.connect(self.stop_wanted)
        self.kill_button.clicked.connect(self.kill_wanted)
        self.tabs.currentChanged.connect(self.tab_chosen)
        self._theme.changed.connect(self._show_exempt_sign)

    def show_crawl(self, crawl: OpenCrawl, group: str) -> None:
        """Name and group of the crawl that is open now."""
        self._group.set_foreign_text(f"{group} · {crawl.path.name}" if group else file_place(crawl.path))
        self._name.set_foreign_text(crawl.name)
        self._show_exemptions(Exemptions(crawl.settings) if crawl.settings is not None else None)
        self.show_status(crawl, crawl.status)

    def _show_exemptions(self, exemptions: Exemptions | None) -> None:
        """Where this crawl is less careful than it would be by itself; the reasons stand in the tooltip."""
        words = exemptions.in_short() if exemptions is not None else ""
        self._exempt.set_foreign_text(words)
        if words and exemptions is not None:
            self._exempt.setToolTip(tooltip(exemptions.in_full(), LONGEST_TIP))
        for widget in (self._exempt, self._exempt_sign):
            widget.setVisible(bool(words))
        self._show_exempt_sign()

    @Slot()
    def _show_exempt_sign(self) -> None:
        self._exempt_sign.setPixmap(self._theme.icon("shield-off-outline", "warning").pixmap(QSize(15, 15)))

    def show_status(self, crawl: OpenCrawl, status: Status | None) -> None:
        """What can change at every look."""
        if status is None:
            self._pill.setText(self.tr("Reading…"))
            self._times.set_foreign_text("")
        else:
            words = state_words(status.state, status.reason)
            self._pill.setText(words.label)
            self._pill.setAccessibleName(self.tr("State: {0}").format(words.label))
            set_tone(self._pill, words.tone)
            self._times.set_foreign_text(times(status, time.time()))
        self.start_button.setEnabled(crawl.may_start)
        self.stop_button.setEnabled(may_stop(status))
        self.kill_button.setEnabled(crawl.is_active)
        self._name_start(status, active=crawl.is_active)

    def _name_start(self, status: Status | None, *, active: bool) -> None:
        word = start_word(status.state, status.run) if status is not None and not active else self.tr("Start")
        again = status is not None and not active and status.state == "finished"
        text = f"{word}…" if again else word
        if text == self.start_button.text():
            return
        self.start_button.setText(text)
        tip = self.tr("Ask for pages again; asks which (Ctrl+R)") if again else self.tr("Start or go on (Ctrl+R)")
        self.start_button.setToolTip(tooltip(tip))

    @Slot(int)
    def select_tab(self, index: int) -> None:
        self.tabs.setCurrentIndex(index)

    def focus_tab(self, index: int) -> None:
        """The same by keyboard: what had the focus may be hidden now, and Tab leads from the tabs into the view."""
        self.tabs.setCurrentIndex(index)
        self.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)


def times(status: Status, now: float) -> str:
    """How long this run has run, when it began, and why it is not running where that needs saying."""
    parts = []
    if status.started is not None:
        parts = [span(status.run_elapsed), f"started {since(status.started, now)}"]
    if status.run > 1:
        parts.insert(0, f"run {status.run}")
    reason = offline_words(status.reason) if status.state == "offline" else reason_words(status.reason)
    if reason and status.state in ("stopped", "crashed", "finished", "offline"):
        parts.append(shown(reason, 120))
    return " · ".join(parts)


def file_place(path: Path) -> str:
    """Where a crawl file is, short where it is below the home folder."""
    return str(Path("~") / path.relative_to(Path.home())) if path.is_relative_to(Path.home()) else str(path)
