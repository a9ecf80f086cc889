"""Better sources than one URL: what a site's sitemaps and feeds would bring, chosen before any is added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.preview import Offer, find_sources
from core.urls import Rejected, parse_seed_line
from gui.cancellable import Cancellable, awaited
from gui.dialogs.button_row import button_row
from gui.figures import count
from gui.foreign_text import shown, tooltip
from gui.labels import plain_label, set_tone
from gui.theme import code_font

if TYPE_CHECKING:
    from core.errors import FronteiraError
    from core.settings import CrawlSettings
    from gui.theme import Theme

WORDS = {"sitemap": "Sitemap", "feed": "Feed", "archive": "Web archive"}


class BetterSources(QDialog):
    """`offers_wanted(offers)` when the person has chosen. A site is asked by the button alone."""

    offers_wanted = Signal(object)  # tuple[Offer, ...]

    def __init__(self, theme: Theme, address: str, settings: CrawlSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Find better sources"))
        self.resize(780, 440)
        self._theme, self._settings = theme, settings
        self._offers: tuple[Offer, ...] = ()
        self._running: Cancellable | None = None
        self._build(address)
        self._lay_out()
        self._connect()
        self._show()

    def _build(self, address: str) -> None:
        self.address = QLineEdit(address)
        self.address.setFont(code_font())
        self.address.setPlaceholderText("https://shop.example/")
        self.address.setAccessibleName(self.tr("A URL of the site"))
        self.look_button = QPushButton(self.tr("Look"))
        self.look_button.setDefault(True)
        self._said = plain_label("", "muted", wrap=True)
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Looking"))
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setHeaderLabels([self.tr("Kind"), self.tr("Address"), self.tr("URLs"), self.tr("Note")])
        self.list.setAccessibleName(self.tr("Sources that were found"))
        for column, width in enumerate((110, 340, 70)):
            self.list.setColumnWidth(column, width)
        self.add_button = QPushButton()
        self.add_button.setProperty("kind", "primary")
        self.add_button.setAutoDefault(False)
        self._close = QPushButton(self.tr("Cancel"))
        self._close.setAutoDefault(False)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.address, 1)
        row.addWidget(self.look_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(10)
        layout.addWidget(plain_label(self.tr("Find better sources"), "title"))
        intro = self.tr(
            "A sitemap or feed names pages that would cost a crawl many links. The site is asked a few times."
        )
        layout.addWidget(plain_label(intro, "muted", wrap=True))
        layout.addLayout(row)
        layout.addWidget(self._said)
        layout.addWidget(self._progress)
        layout.addWidget(self.list, 1)
        layout.addLayout(button_row(self._close, self.add_button))

    def _connect(self) -> None:
        self.look_button.clicked.connect(self._on_look)
        self.list.itemChanged.connect(self._on_ticked)
        self.add_button.clicked.connect(self._on_add)
        self._close.clicked.connect(self.reject)

    @property
    def said(self) -> str:
        return self._said.text()

    def chosen(self) -> tuple[Offer, ...]:
        """The offers that are ticked."""
        items = [self.list.topLevelItem(at) for at in range(self.list.topLevelItemCount())]
        ticked = [item is not None and item.checkState(0) == Qt.CheckState.Checked for item in items]
        return tuple(offer for offer, is_ticked in zip(self._offers, ticked, strict=True) if is_ticked)

    def done(self, result: int) -> None:
        if self._running is not None:
            self._running.cancel()
        super().done(result)

    def _say(self, text: str, tone: str = "muted") -> None:
        self._said.setText(text)
        set_tone(self._said, tone)

    def _show(self) -> None:
        busy = self._running is not None
        self._progress.setVisible(busy)
        self.look_button.setText(self.tr("Stop looking") if busy else self.tr("Look"))
        number = len(self.chosen())
        words = {0: self.tr("Add sources"), 1: self.tr("Add 1 source")}
        self.add_button.setText(words.get(number, self.tr("Add {0} sources").format(number)))
        self.add_button.setEnabled(number > 0)

    @Slot()
    def _on_look(self) -> None:
        if self._running is not None:
            self._running.cancel()
            return
        url, settings = parse_seed_line(self.address.text()), self._settings
        if isinstance(url, Rejected):
            self._say(url.message, "bad")
            return
        self._running = Cancellable(awaited(lambda: find_sources(url, settings)), self)
        self._running.finished.connect(self._on_found)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(self._on_called_off)
        self._say(self.tr("Asking {0} for its robots.txt, sitemaps and feeds…").format(shown(url.origin)))
        self._running.start()
        self._show()

    @Slot(object)
    def _on_found(self, offers: list[Offer]) -> None:
        self._running = None
        self._offers = tuple(offers)
        self._say(self.tr("{0} found.").format(count(len(offers))) if offers else self.tr("The site names none."))
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addTopLevelItems([self._item(offer) for offer in offers])
        self.list.blockSignals(False)
        self._show()

    def _item(self, offer: Offer) -> QTreeWidgetItem:
        there = offer.added_to(self._settings) == self._settings
        note = self.tr("is among the sources already") if there else offer.note
        item = QTreeWidgetItem([WORDS[offer.kind], shown(offer.address), count(offer.count), shown(note)])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(0, Qt.CheckState.Checked if offer.count and not there else Qt.CheckState.Unchecked)
        item.setDisabled(there)
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setToolTip(1, tooltip(offer.address))
        item.setToolTip(3, tooltip(note))
        return item

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._running = None
        self._say(str(fault), "bad")
        self._show()

    @Slot()
    def _on_called_off(self) -> None:
        self._running = None
        self._say(self.tr("Called off."))
        self._show()

    @Slot()
    def _on_ticked(self) -> None:
        self._show()

    @Slot()
    def _on_add(self) -> None:
        self.offers_wanted.emit(self.chosen())
        self.accept()
