"""What a page offers for a record: types, tags and blocks with their fields, each taken by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from core.store.words import quantity
from gui.foreign_text import shown, tooltip
from gui.records.words import rule_words

if TYPE_CHECKING:
    from core.preview.offers import OfferedField, RecordOffer

OFFER, FIELD = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
MOST_OPEN = 2  # groups that are shown with their fields at first


class OffersTree(QTreeWidget):
    """`taken(offer, fields)`: all fields of an offer, or one of them."""

    taken = Signal(object, object)
    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderLabels([self.tr("Field"), self.tr("On this page"), self.tr("Rule")])
        self.setAccessibleName(self.tr("What the page offers"))
        self.setUniformRowHeights(True)
        self.setMinimumHeight(120)
        self.setColumnWidth(0, 150)
        self.setColumnWidth(1, 160)
        self.itemActivated.connect(self._on_activated)
        self.currentItemChanged.connect(self._on_moved)

    def show_offers(self, offers: tuple[RecordOffer, ...]) -> None:
        """Those of another page."""
        self.clear()
        for number, offer in enumerate(offers):
            group = QTreeWidgetItem([offer_words(offer), quantity(len(offer.fields), "field"), ""])
            group.setToolTip(0, tooltip(offer.title))
            group.setData(0, OFFER, offer)
            for field in offer.fields:
                group.addChild(_item(offer, field))
            self.addTopLevelItem(group)
            group.setFirstColumnSpanned(False)
            group.setExpanded(number < MOST_OPEN)

    def current(self) -> tuple[RecordOffer, tuple[OfferedField, ...]] | None:
        """The chosen offer, with all of its fields or the one that is chosen."""
        item = self.currentItem()
        if item is None:
            return None
        offer: RecordOffer = item.data(0, OFFER)
        field: OfferedField | None = item.data(0, FIELD)
        return offer, (field,) if field is not None else offer.fields

    def take(self) -> None:
        """What is chosen."""
        if (chosen := self.current()) is not None:
            self.taken.emit(*chosen)

    @Slot()
    def _on_activated(self) -> None:
        self.take()

    @Slot()
    def _on_moved(self) -> None:
        self.moved.emit()


def offer_words(offer: RecordOffer) -> str:
    """`JSON-LD Product`, `Meta tags`, `8 rows .card`."""
    if offer.kind == "rows":
        return f"{offer.count:,} rows {shown(offer.rows, 60)}"
    return f"JSON-LD {shown(offer.title, 60)}" if offer.kind == "jsonld" else offer.title


def _item(offer: RecordOffer, field: OfferedField) -> QTreeWidgetItem:
    name = f"{shown(field.name, 60)} (key)" if field.name == offer.key else shown(field.name, 60)
    item = QTreeWidgetItem([name, shown(field.sample), rule_words(field.rule)])
    item.setToolTip(1, tooltip(field.sample))
    item.setToolTip(2, tooltip(rule_words(field.rule)))
    item.setData(0, OFFER, offer)
    item.setData(0, FIELD, field)
    return item
