"""What the rules read from the page, record by record: as found, as it is kept, and what is to be known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from gui.foreign_text import shown, tooltip
from gui.records.words import cast_words

if TYPE_CHECKING:
    from core.extract.trial import Trial, TriedField, TriedRow
    from core.settings import RecordType
    from gui.theme import Theme

MOST_OPEN = 3
REMARK = Qt.ItemDataRole.UserRole


class ValuesTree(QTreeWidget):
    """One item a field; where the type reads rows, one item a record with its fields below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setHeaderLabels([self.tr("Field"), self.tr("Found"), self.tr("Becomes"), self.tr("Remark")])
        self.setAccessibleName(self.tr("What the rules read from this page"))
        self.setUniformRowHeights(True)
        self.setMinimumHeight(120)
        for column, width in enumerate((110, 120, 110)):
            self.setColumnWidth(column, width)

    def show_trial(self, trial: Trial, kind: RecordType) -> None:
        """Another trial; its place in the list stays."""
        place = self.verticalScrollBar().value()
        self.clear()
        self.setRootIsDecorated(bool(kind.rows))
        for number, row in enumerate(trial.rows):
            items = [self._item(field) for field in row.fields]
            if not kind.rows:
                self.addTopLevelItems(items)
                continue
            record = QTreeWidgetItem([self.tr("Record {0}").format(number + 1), "", self._key(row, kind), ""])
            record.addChildren(items)
            self.addTopLevelItem(record)
            record.setExpanded(number < MOST_OPEN)
        self.verticalScrollBar().setValue(place)

    def remark(self) -> str:
        """What is to be known of the chosen field; empty for nothing."""
        item = self.currentItem()
        return item.data(0, REMARK) or "" if item is not None else ""

    def _key(self, row: TriedRow, kind: RecordType) -> str:
        if not kind.key_fields:
            return ""
        return self.tr("no key") if row.key is None else self.tr("key {0}").format(shown(row.key, 60))

    def _item(self, field: TriedField) -> QTreeWidgetItem:
        found = " · ".join(shown(text, 120) for text in field.found if text)
        if field.times > len(field.found):
            found += self.tr(" and {0} more").format(f"{field.times - len(field.found):,}")
        item = QTreeWidgetItem([shown(field.name, 60), found, cast_words(field), shown(field.remark)])
        for column, text in ((1, found), (2, cast_words(field)), (3, field.remark)):
            item.setToolTip(column, tooltip(text))
        muted = QBrush(self._theme.colour("muted"))
        if field.value is None:
            item.setForeground(2, QBrush(self._theme.colour("warning")))
        item.setForeground(3, muted)
        item.setData(0, REMARK, field.remark)
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
        return item
