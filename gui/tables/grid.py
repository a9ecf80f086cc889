"""The table on the screen: sorting by header, copying, the menu of a row, everything by keyboard too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QTableView,
    QWidget,
)

from core.export.cells import neutralised
from gui.foreign_text import on_button, shown
from gui.tables.cell_delegate import CellDelegate
from gui.tables.cells import copied_text, pasted_text
from gui.web_address import host_shown, web_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QItemSelection
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent, QResizeEvent

    from gui.tables.model import TableModel
    from gui.theme import Theme

ROW = 30
NARROWEST = 260  # of the column that takes the room that is left
HEADER_ROOM = 36  # beside a title: padding and the sort arrow
CELL_ROOM = 26
WIDEST = {
    "time": "2028-08-28 08:48:48",
    "state": "Unreachable",
    "bytes": "88,888,888",
}  # what a cell of that kind has to hold
MOST_COPIED = 100_000  # cells
LONGEST_HOST = 48
NOTED = 320  # pixels of a column with notes
ADDRESS_COLUMNS = ("url", "target", "source", "origin")


class Grid(QTableView):
    """`row_chosen(row)` when the current row changes, `unchosen` on Escape; the others are commands."""

    row_chosen = Signal(int)
    unchosen = Signal()
    in_links_wanted = Signal(int)
    exclude_wanted = Signal(str)
    explain_wanted = Signal(str)
    robots_wanted = Signal(int)  # version of a robots.txt

    def __init__(self, model: TableModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self._wide = self._empty_words = ""
        self._by_hand = False
        self._cells = CellDelegate(model, theme, self)
        self._cells.set_columns(model.columns)
        self.setItemDelegate(self._cells)
        self._build()
        self._build_actions()

    def _build(self) -> None:
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setCornerWidget(QWidget())
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(True)
        header.setSortIndicatorClearable(True)
        header.setMinimumSectionSize(44)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.sectionResized.connect(self._on_section_resized)
        self.clicked.connect(self._on_clicked)

    def _build_actions(self) -> None:
        self._copy = self._action(self.tr("&Copy cell"), self._on_copy_cell)
        self._copy_rows = self._action(self.tr("Copy &rows"), self._on_copy_rows, QKeySequence("Ctrl+C"))
        self._copy_headed = self._action(
            self.tr("Copy rows with &headers"), self._on_copy_headed, QKeySequence("Ctrl+Shift+C")
        )
        self._copy_url = self._action(self.tr("Copy &URL"), self._on_copy_url, QKeySequence("Ctrl+U"))
        self._browse = self._action(self.tr("Open in &browser"), self._on_browse, QKeySequence("Ctrl+Return"))
        self._in_links = self._action(self.tr("Show in-&links"), self._on_in_links, QKeySequence("Ctrl+I"))
        self._exclude = self._action(self.tr("&Exclude a pattern like this…"), self._on_exclude)
        self._explain = self._action(self.tr("E&xplain URL…"), self._on_explain)
        self._try_robots = self._action(self.tr("&Try in the robots tester…"), self._on_try_robots)

    def _action(self, text: str, slot: Callable[[], None], keys: QKeySequence | None = None) -> QAction:
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        self.addAction(action)
        return action

    def set_empty_words(self, words: str) -> None:
        """What stands in the place of rows while there are none."""
        self._empty_words = shown(words)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty_words and not self._model.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(40, 0, -40, 0), int(flags), self._empty_words)

    def set_widths(self, wide: str) -> None:
        """Widths from the columns' hints and titles; the column named `wide` takes the room that is left."""
        self._wide, self._by_hand = wide, False
        metrics = self.horizontalHeader().fontMetrics()
        for index, column in enumerate(self._model.columns):
            title = str(self._model.headerData(index, Qt.Orientation.Horizontal))
            cell = metrics.horizontalAdvance(WIDEST.get(column.kind, "")) + CELL_ROOM
            self.setColumnWidth(index, max(column.width, cell, metrics.horizontalAdvance(title) + HEADER_ROOM))
        self._cells.set_columns(self._model.columns)
        self.fill_width()

    def set_room_for_notes(self, name: str, notes: str) -> None:
        """Make the column wider where notes stand behind its texts, unless the person set widths by hand."""
        names = [column.name for column in self._model.columns]
        if notes and name in names and not self._by_hand:
            self.setColumnWidth(names.index(name), max(NOTED, self.columnWidth(names.index(name))))
            self.fill_width()

    def fill_width(self) -> None:
        """Give the wide column the room that is left, unless the person set widths by hand."""
        names = [column.name for column in self._model.columns]
        if self._wide not in names or self._by_hand:
            return
        wide = names.index(self._wide)
        others = sum(self.columnWidth(index) for index in range(len(names)) if index != wide)
        self.horizontalHeader().blockSignals(True)
        self.setColumnWidth(wide, max(NARROWEST, self.viewport().width() - others))
        self.horizontalHeader().blockSignals(False)
        self.updateGeometries()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fill_width()

    @Slot(int, int, int)
    def _on_section_resized(self, _index: int, _before: int, _after: int) -> None:
        self._by_hand = self._by_hand or self.horizontalHeader().underMouse()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
            self.unchosen.emit()
            return
        super().keyPressEvent(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        if self.currentIndex().isValid() and self.selectionModel().hasSelection():
            self.row_chosen.emit(self.currentIndex().row())

    def menu(self) -> QMenu:
        """The commands that make sense for the current row."""
        menu = QMenu(self)
        menu.addActions([self._copy, self._copy_rows, self._copy_headed])
        if self._is_robots():
            menu.addSeparator()
            menu.addAction(self._try_robots)
        if self.address():
            menu.addSeparator()
            menu.addActions([self._explain, self._copy_url, self._browse])
            if self._model.value(self.currentIndex().row(), "inlinks") is not None:
                menu.addAction(self._in_links)
            menu.addAction(self._exclude)
            self._name_browser()
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.currentIndex().isValid():
            menu = self.menu()
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def follow(self, row: int) -> None:
        """The one selected row stands at another place now: select it there, without scrolling or telling."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.setAutoScroll(False)
        self.blockSignals(True)
        self.selectionModel().setCurrentIndex(self._model.index(row, self.currentIndex().column()), flags)
        self.blockSignals(False)
        self.setAutoScroll(True)

    def rows_as_text(self, *, headed: bool) -> str:
        """The selected rows that are at hand, tab-separated, columns as they are shown; safe for a spreadsheet."""
        order = self.horizontalHeader()
        places = [order.logicalIndex(at) for at in range(order.count())]
        columns = [at for at in places if not self.isColumnHidden(at)]
        lines = ["\t".join(neutralised(shown(self._model.columns[at].title)) for at in columns)] if headed else []
        rows = [self._model.row(number) for number in self._selected_rows(MOST_COPIED // max(1, len(columns)))]
        local = self._model.local_times
        for row in rows:
            if row is not None:
                cells = (pasted_text(self._model.columns[at], row.cells[at], local=local) for at in columns)
                lines.append("\t".join(cells))
        return "\n".join(lines)

    def _selected_rows(self, most: int) -> list[int]:
        numbers: set[int] = set()
        selection = self.selectionModel().selection()
        for block in map(selection.at, range(selection.count())):
            numbers.update(range(block.top(), min(block.bottom(), block.top() + most) + 1))
        return sorted(numbers)[:most]

    def address(self) -> str:
        """The URL of the current row, in the column that stands there or the table's first."""
        index = self.currentIndex()
        if not index.isValid():
            return ""
        names = [column.name for column in self._model.columns if column.kind == "url"]
        here = self._model.columns[index.column()].name
        for name in (here, *ADDRESS_COLUMNS):
            if name in names:
                return str(self._model.value(index.row(), name) or "")
        return ""

    def _name_browser(self) -> None:
        """Say where the browser would go, so that nobody is led astray by what a page calls itself."""
        url = web_address(self.address())
        host = on_button(host_shown(url), LONGEST_HOST) if url is not None else ""
        self._browse.setEnabled(url is not None)
        self._browse.setText(self.tr("Open {0} in &browser").format(host) if host else self.tr("Open in &browser"))

    @Slot()
    def _on_copy_cell(self) -> None:
        index: QModelIndex = self.currentIndex()
        if index.isValid():
            column = self._model.columns[index.column()]
            value = self._model.data(index, Qt.ItemDataRole.UserRole)
            self._to_clipboard(copied_text(column, value, local=self._model.local_times))

    @Slot()
    def _on_copy_rows(self) -> None:
        self._to_clipboard(self.rows_as_text(headed=False))

    @Slot()
    def _on_copy_headed(self) -> None:
        self._to_clipboard(self.rows_as_text(headed=True))

    @Slot()
    def _on_copy_url(self) -> None:
        self._to_clipboard(self.address())

    @Slot()
    def _on_browse(self) -> None:
        url = web_address(self.address())
        if url is not None:
            QDesktopServices.openUrl(url)

    @Slot()
    def _on_in_links(self) -> None:
        self.in_links_wanted.emit(self.currentIndex().row())

    def _is_robots(self) -> bool:
        """Whether the rows are versions of a robots.txt."""
        return {"origin", "body"} <= {column.name for column in self._model.columns}

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        """A click on the number of in-links shows them."""
        if self._model.columns[index.column()].name == "inlinks" and self._model.value(index.row(), "inlinks"):
            self.in_links_wanted.emit(index.row())

    @Slot()
    def _on_explain(self) -> None:
        self.explain_wanted.emit(self.address())

    @Slot()
    def _on_try_robots(self) -> None:
        row = self._model.row(self.currentIndex().row())
        if row is not None and self._is_robots():
            self.robots_wanted.emit(int(str(row.key[0])))

    @Slot()
    def _on_exclude(self) -> None:
        self.exclude_wanted.emit(pattern_like(self.address()))

    def _to_clipboard(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)


def pattern_like(address: str) -> str:
    """A pattern to begin with: the URL's folder, or its first parameter where it has a query."""
    url = QUrl(address)
    path, query = url.path(QUrl.ComponentFormattingOption.FullyEncoded), url.query()
    if query:
        return f"{_starred(path)}?{query.split('&')[0].split('=')[0]}="
    folder = path.rstrip("/").rpartition("/")[0]
    return _starred(f"{folder}/" if folder else path)


def _starred(path: str) -> str:
    """A path as a literal pattern: a star in a URL is a star, not any run."""
    return (path or "/").replace("*", "\\*").replace("$", "%24")
