"""A table as Qt sees it: row numbers over pages that are read elsewhere. `data` never asks the file anything.

While a page is on its way its rows show an ellipsis. Cells are native values in the user role, short harmless text
in the display role.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot

from gui.foreign_text import shown, tooltip
from gui.tables.cells import at_right, cell_text, tone
from gui.tables.pages import Pages
from gui.tables.snapshot_worker import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

    from core.store.read.columns import Cell, Column, TableRow
    from gui.theme import Theme

LOADING = "…"
NO_PARENT = QModelIndex()
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class TableModel(QAbstractTableModel):
    """`page_wanted(number)` asks for a page; `order_chosen(column, descends)` when a header is clicked."""

    page_wanted = Signal(int)
    order_chosen = Signal(str, bool)

    def __init__(self, theme: Theme, columns: Sequence[Column]) -> None:
        super().__init__()
        self._theme = theme
        self._colours: dict[str, QColor] = {}
        theme.changed.connect(self._on_theme_changed)
        self.columns = tuple(columns)
        self.local_times = False
        self.pages = Pages()
        self._count = 0
        self._complete = False
        self._note: Callable[[str], str] | None = None
        self._notes: dict[str, str] = {}

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            zone = self.tr("local") if self.local_times else "UTC"
            title = shown(self.tr(column.title), 60)  # the analyst named the fields
            return f"{title} ({zone})" if column.kind == "time" else title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if at_right(column) else LEFT
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if at_right(self.columns[index.column()]) else LEFT
        row = self._wished_row(index.row())
        if row is None:
            return LOADING if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        column, value = self.columns[index.column()], row.cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._text(column, value)
            case Qt.ItemDataRole.ForegroundRole:
                return self._colour(self._tone(column, value))
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(self._text(column, value)) if isinstance(value, str) else None
            case Qt.ItemDataRole.UserRole:
                return value
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """A header was clicked: the order is made by the database, from native values, blanks last."""
        if 0 <= column < len(self.columns):
            self.order_chosen.emit(self.columns[column].name, order is Qt.SortOrder.DescendingOrder)

    def look(self, row: int, column: int) -> tuple[str, QColor]:
        """Text and colour of a cell: what `data` says, in one call for the delegate."""
        found = self._wished_row(row)
        if found is None:
            return LOADING if column == 0 else "", self._colour("faint")
        spec, value = self.columns[column], found.cells[column]
        return self._text(spec, value), self._colour(self._tone(spec, value))

    def row(self, number: int) -> TableRow | None:
        """A row that is at hand, else None."""
        page = self.pages.peek(number // PAGE)
        return page[number % PAGE] if page is not None and number % PAGE < len(page) else None

    def find(self, key: tuple[Cell, ...]) -> int | None:
        """The number of the row with that key, where it is at hand."""
        return self.pages.find(key, PAGE)

    def value(self, number: int, name: str) -> Cell:
        """One cell of a row at hand, by the column's name."""
        row = self.row(number)
        at = next((index for index, column in enumerate(self.columns) if column.name == name), None)
        return None if row is None or at is None else row.cells[at]

    def set_note(self, note: Callable[[str], str]) -> None:
        """What is said behind the name of a host; empty for most."""
        self._note, self._notes = note, {}
        self._repaint(0, self._count - 1)

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Another set of columns: nothing is shown until rows come."""
        self.beginResetModel()
        self.columns = tuple(columns)
        self._count, self._complete = 0, False
        self.pages.clear()
        self.endResetModel()

    def show_first(self, rows: list[TableRow]) -> None:
        """The first rows of another question, before their number is known."""
        self.beginResetModel()
        self.pages.clear()
        for start in range(0, len(rows), PAGE):
            self.pages.put(start // PAGE, rows[start : start + PAGE])
        self._count, self._complete = len(rows), False
        self.endResetModel()

    def show_all(self, count: int) -> None:
        """The whole order stands: `count` rows. Selection and scroll stay where they are."""
        self.pages.make_stale()
        self._complete = True
        before = self._count
        if count > before:
            self.beginInsertRows(NO_PARENT, before, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < before:
            self.beginRemoveRows(NO_PARENT, count, before - 1)
            self._count = count
            self.endRemoveRows()
        self._repaint(0, count - 1)

    def make_stale(self) -> None:
        """The cells may have changed: those in view are read again, the old ones stay until then."""
        if self._complete:
            self.pages.make_stale()
            self._repaint(0, self._count - 1)

    def take_page(self, number: int, rows: list[TableRow]) -> None:
        """A page has come."""
        self.pages.put(number, rows)
        self._repaint(number * PAGE, min(self._count, number * PAGE + len(rows)) - 1)
        self._ask()

    def set_local_times(self, local: bool) -> None:
        """Times in this machine's zone, or in UTC."""
        if local == self.local_times:
            return
        self.local_times = local
        self._repaint(0, self._count - 1)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _wished_row(self, number: int) -> TableRow | None:
        page = self.pages.get(number // PAGE) if self._complete else self.pages.peek(number // PAGE)
        if self._complete:
            self._ask()
        return page[number % PAGE] if page is not None and number % PAGE < len(page) else None

    def _text(self, column: Column, value: Cell) -> str:
        note = self._noted(column, value)
        text = cell_text(column, value, local=self.local_times)
        return shown(f"{text} · {note}") if note else text

    def _tone(self, column: Column, value: Cell) -> str:
        return "warning" if self._noted(column, value) else tone(column, value)

    def _noted(self, column: Column, value: Cell) -> str:
        if self._note is None or column.name != "host" or not isinstance(value, str):
            return ""
        if value not in self._notes:
            self._notes[value] = self._note(value)
        return self._notes[value]

    def _colour(self, role: str) -> QColor:
        found = self._colours.get(role)
        if found is None:
            found = self._colours[role] = self._theme.colour(role)
        return found

    @Slot()
    def _on_theme_changed(self) -> None:
        self._colours.clear()

    def _ask(self) -> None:
        number = self.pages.next_wish()
        if number is not None:
            self.page_wanted.emit(number)

    def _repaint(self, first: int, last: int) -> None:
        if last >= first and self.columns:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))
