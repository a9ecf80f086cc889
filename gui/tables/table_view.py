"""A tab of the window with one or more tables, of which one is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gui.tables import choices
from gui.tables.table_panel import TablePanel
from gui.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.rows import Status
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.tables.choices import Shown
    from gui.theme import Theme


class TableView(View):
    """Tables of one kind under segments; each has its own filters, order and columns."""

    def __init__(self, theme: Theme, preferences: Preferences, tables: Sequence[Shown]) -> None:
        super().__init__()
        self._preferences = preferences
        self._tables = tuple(tables)
        self.panels = tuple(TablePanel(theme, preferences, shown) for shown in self._tables)
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self._segments = QButtonGroup(self)
        for index, shown in enumerate(self._tables):
            button = QPushButton(self.tr(shown.title))
            button.setCheckable(True)
            button.setProperty("kind", "segment")
            button.setChecked(index == 0)
            self._segments.addButton(button, index)
        self._stack = QStackedWidget()
        self._commands = QStackedWidget()
        self._commands.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for panel in self.panels:
            self._stack.addWidget(panel)
            self._commands.addWidget(_side_by_side(panel.columns_button, panel.export_button))

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(4)
        for button in self._segments.buttons():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self._commands)
        layout.addLayout(row)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._segments.idClicked.connect(self._stack.setCurrentIndex)
        self._segments.idClicked.connect(self._commands.setCurrentIndex)
        for panel in self.panels:
            panel.exclude_wanted.connect(self.exclude_wanted)
            panel.grid.explain_wanted.connect(self.explain_wanted)
            panel.grid.robots_wanted.connect(self.robots_wanted)
            panel.local_chosen.connect(self._on_local_chosen)

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        """Show this crawl from now on, or nothing."""
        for panel in self.panels:
            panel.set_crawl(crawl)

    def refresh(self, status: Status) -> None:
        """Only the table that is seen reads."""
        del status
        panel = self.panels[self._stack.currentIndex()]
        panel.set_local_times(self._preferences.local_times)
        panel.look()

    @Slot(bool)
    def _on_local_chosen(self, local: bool) -> None:
        self._preferences.set_local_times(local)
        for panel in self.panels:
            panel.set_local_times(local)


def _side_by_side(*widgets: QWidget) -> QWidget:
    whole = QWidget()
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    return whole


def urls_view(theme: Theme, preferences: Preferences) -> View:
    """Every URL; what was refused at the door; who links to whom; copies and kept responses; what each seed brought."""
    pages = (choices.DUPLICATES, choices.RESPONSES)
    return TableView(theme, preferences, (choices.URLS, choices.REFUSED, choices.LINKS, *pages, choices.SEEDS))


def records_view(theme: Theme, preferences: Preferences) -> View:
    """The analyst's own data, how it changed, and what could not be one record."""
    return TableView(theme, preferences, (choices.RECORDS, choices.CHANGES, choices.PAGE_CHANGES, choices.CONFLICTS))


def hosts_view(theme: Theme, preferences: Preferences) -> View:
    """Hosts with pace and outcomes; their robots.txt."""
    return TableView(theme, preferences, (choices.HOSTS, choices.ROBOTS))


def log_view(theme: Theme, preferences: Preferences) -> View:
    """What was decided and why; what an analyst should look at."""
    return TableView(theme, preferences, (choices.LOG, choices.ALARMS))
