"""The panel on the left: the mark, New crawl and Open, a filter, and all known crawls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

import resources
from gui.foreign_text import on_button
from gui.labels import plain_label
from gui.sidebar.crawl_list import CrawlList
from gui.sidebar.delegate import CrawlDelegate

if TYPE_CHECKING:
    from pathlib import Path

    from gui.preferences import KnownCrawl
    from gui.sidebar.glance import Glance
    from gui.theme import Theme

WIDTH = 248


class Sidebar(QFrame):
    """Shows the known crawls and says which one is wanted; it opens nothing itself."""

    crawl_chosen = Signal(object)  # Path
    new_wanted = Signal()
    open_wanted = Signal()
    forget_wanted = Signal(object)  # Path
    locate_wanted = Signal(object)  # Path of a file that is not there
    group_wanted = Signal(object)  # Path
    group_chosen = Signal(object, str)  # Path, group

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setFixedWidth(WIDTH)
        self._build(theme)
        self._lay_out()
        self._connect()

    def _build(self, theme: Theme) -> None:
        self._mark = plain_label()
        self._mark.setPixmap(QIcon(str(resources.path("icons/fronteira.svg"))).pixmap(QSize(22, 22)))
        self._title = plain_label("Fronteira", "title")
        self._new = QPushButton(self.tr("New crawl"))
        theme.dress(self._new, "plus")
        self._open = QPushButton(self.tr("Open…"))
        theme.dress(self._open, "folder-open-outline")
        self._filter = QLineEdit()
        self._filter.setPlaceholderText(self.tr("Filter crawls"))
        self._filter.setAccessibleName(self.tr("Filter crawls"))
        self._filter.setClearButtonEnabled(True)
        self._search = self._filter.addAction(theme.icon("magnify", "faint"), QLineEdit.ActionPosition.LeadingPosition)
        theme.dress(self._search, "magnify", "faint")
        self.crawls = CrawlList(self)
        self._view = QListView()
        self._view.setModel(self.crawls)
        self._view.setItemDelegate(CrawlDelegate(theme, self._view))
        self._view.setMouseTracking(True)
        self._view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._view.setAccessibleName(self.tr("Known crawls"))
        theme.changed.connect(self._view.viewport().update)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(9)
        head.setContentsMargins(6, 0, 0, 4)
        head.addWidget(self._mark)
        head.addWidget(self._title, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._new, 1)
        buttons.addWidget(self._open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 8)
        layout.setSpacing(10)
        layout.addLayout(head)
        layout.addLayout(buttons)
        layout.addWidget(self._filter)
        layout.addWidget(self._view, 1)

    def _connect(self) -> None:
        self._new.clicked.connect(self.new_wanted)
        self._open.clicked.connect(self.open_wanted)
        self._filter.textChanged.connect(self.crawls.set_filter)
        self._view.clicked.connect(self._on_activated)
        self._view.activated.connect(self._on_activated)
        self._view.customContextMenuRequested.connect(self._on_menu_wanted)

    def set_known(self, known: tuple[KnownCrawl, ...], shown: Path | None) -> None:
        """The known crawls changed."""
        self.crawls.set_known(known)
        self.select(shown)

    @Slot(object)
    def see(self, glance: Glance) -> None:
        """A newer look at one of them; a new name may move its line, the selection stays on it."""
        chosen = self.crawls.glance_at(self._view.currentIndex())
        self.crawls.see(glance)
        self.select(chosen.path if chosen else None)

    def select(self, path: Path | None) -> None:
        """Mark the crawl that is open."""
        row = self.crawls.row_of(path) if path else -1
        index = self.crawls.index(row) if row >= 0 else QModelIndex()
        if index != self._view.currentIndex():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self._view.selectionModel().setCurrentIndex(index, flag)

    def focus_filter(self) -> None:
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        glance = self.crawls.glance_at(index)
        if glance is not None:
            (self.locate_wanted if glance.missing else self.crawl_chosen).emit(glance.path)

    @Slot(QPoint)
    def _on_menu_wanted(self, place: QPoint) -> None:
        # The menu key asks from the middle of the list: it means the line that is chosen.
        index = self._view.indexAt(place)
        glance = self.crawls.glance_at(index) or self.crawls.glance_at(self._view.currentIndex())
        if glance is not None:
            self._menu_for(glance.path, glance.missing).popup(self._view.viewport().mapToGlobal(place))

    def _menu_for(self, path: Path, missing: bool) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if missing:
            menu.addAction(self.tr("Find the file…"), lambda: self.locate_wanted.emit(path))
        else:
            menu.addAction(self.tr("Open"), lambda: self.crawl_chosen.emit(path))
        groups = menu.addMenu(self.tr("Group"))
        for group in ("", *self.crawls.groups):
            action = groups.addAction(on_button(group, 60) or self.tr("None"))
            action.setCheckable(True)
            action.setChecked(group == self.crawls.group_of(path))
            action.triggered.connect(lambda _on=False, chosen=group: self.group_chosen.emit(path, chosen))
        groups.addSeparator()
        groups.addAction(self.tr("New group…"), lambda: self.group_wanted.emit(path))
        menu.addSeparator()
        menu.addAction(self.tr("Remove from this list"), lambda: self.forget_wanted.emit(path))
        return menu
