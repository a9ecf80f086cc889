"""Two versions of a record side by side, field by field; what changed comes first and stands out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from gui.foreign_text import shown, tooltip
from gui.tables.cells import moment_text

if TYPE_CHECKING:
    from core.store.read.runs import FieldPair, VersionPair

LONGEST = 400  # characters of a value; the tooltip holds more
FIELD, BEFORE, AFTER = range(3)


class VersionList(QTreeWidget):
    """Empty until `show_pair`."""

    def __init__(self) -> None:
        super().__init__()
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setAccessibleName(self.tr("Both versions of the record, field by field"))
        self.setHeaderLabels([self.tr("Field"), self.tr("Before"), self.tr("After")])
        for column, width in ((FIELD, 160), (BEFORE, 360)):
            self.setColumnWidth(column, width)

    def show_pair(self, pair: VersionPair, *, local: bool) -> None:
        """The version, and the one before it where there is one."""
        self.clear()
        before = self.tr("Version {0}").format(pair.version - 1)
        since = self.tr("Not there")
        if pair.old_at is not None:
            since = f"{before}, {moment_text(pair.old_at, local=local)}"
        after = f"{self.tr('Version {0}').format(pair.version)}, {moment_text(pair.new_at, local=local)}"
        self.setHeaderLabels([self.tr("Field"), since, after])
        fields = sorted(pair.fields, key=lambda field: not field.changed)  # sorting is stable
        self.addTopLevelItems([self._item(field) for field in fields])

    def _item(self, field: FieldPair) -> QTreeWidgetItem:
        texts = (field.name, field.old or "", field.new or "")
        item = QTreeWidgetItem([shown(text, LONGEST) for text in texts])
        for column, text in enumerate(texts):
            item.setToolTip(column, tooltip(text))
            font = item.font(column)
            font.setBold(field.changed)
            item.setFont(column, font)
        return item
