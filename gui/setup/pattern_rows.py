"""The patterns as a table: the text, its kind, and how many URLs it matches: recent ones, or all once counted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from gui.figures import NOTHING, count
from gui.foreign_text import shown, tooltip
from gui.setup.pattern_trial import kind_of
from gui.theme import Theme, code_font

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
TITLES = ("Pattern", "Kind", "Of recent known URLs")
OF_ALL = "Of all known URLs"


class PatternRows(QAbstractTableModel):
    """Edited in place; `edited` when a text changed by hand."""

    edited = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: list[str] = []
        self._counts: tuple[int | None, ...] = ()
        self._known: tuple[int | None, ...] | None = None  # of all known URLs, once counted
        self._problems: dict[int, str] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(self._texts)

    def set_texts(self, texts: tuple[str, ...]) -> None:
        self.beginResetModel()
        self._texts, self._counts, self._problems = list(texts), (), {}
        self.endResetModel()

    def set_text(self, row: int, text: str) -> None:
        if 0 <= row < len(self._texts) and self._texts[row] != text:
            self._texts[row] = text
            self._tell(row)
            self.edited.emit()

    def add(self, text: str = "") -> int:
        """Append a pattern; its row."""
        row = len(self._texts)
        self.beginInsertRows(ROOT, row, row)
        self._texts.append(text)
        self.endInsertRows()
        self.edited.emit()
        return row

    def remove(self, row: int) -> None:
        self.beginRemoveRows(ROOT, row, row)
        del self._texts[row]
        self._counts, self._problems = (), {}
        self.endRemoveRows()
        self.edited.emit()

    def set_answer(self, counts: tuple[int | None, ...], problems: dict[int, str]) -> None:
        """What was counted, and what is wrong with which row."""
        self._counts, self._problems = counts, dict(problems)
        if self._texts:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._texts) - 1, len(TITLES) - 1))

    def set_known(self, counts: tuple[int | None, ...] | None) -> None:
        """What was counted over all known URLs; None where that does not fit the patterns any more."""
        self._known = counts
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, len(TITLES) - 1, len(TITLES) - 1)
        if self._texts:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._texts) - 1, len(TITLES) - 1))

    def problem(self, row: int) -> str:
        return self._problems.get(row, "")

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._texts)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        title = OF_ALL if section == len(TITLES) - 1 and self._known is not None else TITLES[section]
        return title if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        editable = Qt.ItemFlag.ItemIsEditable if index.column() == 0 else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | editable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = index.row()
        if role == Qt.ItemDataRole.EditRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(self._text(row, index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self._problems.get(row, ""))
        if role == Qt.ItemDataRole.FontRole and index.column() == 0:
            return code_font()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.colour("bad" if row in self._problems else "muted" if index.column() else "text")
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != 0:
            return False
        self.set_text(index.row(), str(value).strip())
        return True

    def _text(self, row: int, column: int) -> str:
        if column == 0:
            return self._texts[row]
        if column == 1:
            return "Not valid" if row in self._problems else kind_of(self._texts[row])
        counts = self._counts if self._known is None else self._known
        return count(counts[row]) if row < len(counts) else NOTHING

    def _tell(self, row: int) -> None:
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(TITLES) - 1))


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column == 2 else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
