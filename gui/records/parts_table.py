"""The parts of a page in its order, each with its text: to find one, and to point at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QTableView, QVBoxLayout, QWidget

from gui.foreign_text import shown, tooltip
from gui.theme import code_font

if TYPE_CHECKING:
    from core.preview.parts import Part

MOST_INDENT = 10
PART = Qt.ItemDataRole.UserRole
HEADERS = ("Element", "Text")


class PartsModel(QAbstractTableModel):
    """One row a part."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[Part, ...] = ()

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Others instead."""
        self.beginResetModel()
        self._parts = parts
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008 # as Qt has it
        return 0 if parent.isValid() else len(self._parts)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.tr(HEADERS[section])
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        part = self._parts[index.row()]
        if role == PART:
            return part
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(part.text) if index.column() else label_words(part)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(part.text)
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            return code_font()
        return None


class PartsTable(QWidget):
    """A filter and the table. `chosen(part)` as the person moves; `wanted(part)` by Return or a double click."""

    chosen = Signal(object)
    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = PartsModel()
        self._filtered = QSortFilterProxyModel(self)
        self._filtered.setSourceModel(self._model)
        self._filtered.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._filtered.setFilterKeyColumn(-1)
        self._build()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.filter)
        layout.addWidget(self.view, 1)
        self.filter.textChanged.connect(self._filtered.setFilterFixedString)
        self.view.activated.connect(self._on_activated)
        self.view.selectionModel().currentRowChanged.connect(self._on_moved)

    def _build(self) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Find a text on the page, such as the price"))
        self.filter.setAccessibleName(self.tr("Find on the page"))
        self.filter.setClearButtonEnabled(True)
        self.view = QTableView()
        self.view.setModel(self._filtered)
        self.view.setAccessibleName(self.tr("Parts of the page"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setTabKeyNavigation(False)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(24)
        header = self.view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.resizeSection(0, 170)
        self.view.setMinimumHeight(120)

    def show_parts(self, parts: tuple[Part, ...]) -> None:
        """Those of another page."""
        self._model.show_parts(parts)
        self.view.clearSelection()

    @property
    def count(self) -> int:
        """How many are shown, by the filter."""
        return self._filtered.rowCount()

    def current(self) -> Part | None:
        """The part that is pointed at."""
        index = self.view.currentIndex()
        part: Part | None = index.data(PART) if index.isValid() else None
        return part

    @Slot()
    def _on_activated(self) -> None:
        if (part := self.current()) is not None:
            self.wanted.emit(part)

    @Slot()
    def _on_moved(self) -> None:
        self.chosen.emit(self.current())


def label_words(part: Part) -> str:
    """`  a.title @href`, indented as it stands."""
    attribute = f" @{part.attribute}" if part.attribute else ""
    return " " * min(max(part.depth - 2, 0), MOST_INDENT) + shown(part.label + attribute, 100)
