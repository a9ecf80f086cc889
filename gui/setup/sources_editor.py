"""The seed sources that are fetched: sitemaps, feeds, web archives, each with what it would bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.foreign_text import shown, tooltip
from gui.labels import card, plain_label
from gui.setup.better_sources import BetterSources
from gui.setup.part import Finding, Part
from gui.setup.row_list import NOTHING_WRITTEN
from gui.setup.source_form import SourceForm
from gui.setup.source_previewer import SourcePreviewer
from gui.setup.source_values import (
    AUTO,
    BLANK,
    Source,
    address_of,
    detail_of,
    key_of,
    kind_of,
    sources_of,
    with_sources,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.preview import Offer
    from core.settings import CrawlSettings
    from gui.theme import Theme

KIND_WORDS = {"sitemap": "Sitemap", "feed": "Feed", "archive": "Web archive"}


class SourcesEditor(Part):
    """A list, the fields of the one that is chosen, and its preview. `draft` gives the settings as they are typed.

    `offers_added` when better sources were taken over.
    """

    offers_added = Signal()

    def __init__(self, theme: Theme, draft: Callable[[], CrawlSettings | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._draft = theme, draft
        self._path: Path | None = None
        self._auto = False
        self._sources: list[Source] = []
        self._findings: dict[str, tuple[str, str]] = {}
        self._build()
        self._lay_out()
        self._connect()
        self._show_list(-1)

    def _build(self) -> None:
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeaderLabels([self.tr("Kind"), self.tr("Address"), self.tr("Read as"), self.tr("Would bring")])
        self.list.setAccessibleName(self.tr("Seed sources"))
        self.list.setMinimumHeight(140)
        for column, width in enumerate((110, 360, 220)):
            self.list.setColumnWidth(column, width)
        self.add_buttons = {kind: QPushButton(self.tr("Add {0}").format(KIND_WORDS[kind].lower())) for kind in BLANK}
        self.remove_button = QPushButton(self.tr("Remove"))
        self.better_button = QPushButton(self.tr("Find better sources…"))
        self.better_button.setToolTip(
            self.tr("Looks at a site's robots.txt, sitemaps and feeds, and counts their URLs")
        )
        for button in (*self.add_buttons.values(), self.remove_button, self.better_button):
            button.setProperty("kind", "quiet")
        for button in self.add_buttons.values():
            self._theme.dress(button, "plus")
        self._theme.dress(self.remove_button, "trash-can-outline")
        self._theme.dress(self.better_button, "magnify")
        self.form = SourceForm()
        self.previewer = SourcePreviewer()
        self._empty = plain_label("", "muted", wrap=True)
        self._remove_key = QShortcut(QKeySequence.StandardKey.Delete, self.list)
        self._remove_key.setContext(Qt.ShortcutContext.WidgetShortcut)

    def _lay_out(self) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self.tr("Sources"), "heading"))
        remark = self.tr("lists of pages: what they name need not be found by following links")
        head.addWidget(plain_label(remark, "muted"), 1)
        head.addWidget(self.better_button)
        row = QHBoxLayout()
        row.setSpacing(4)
        for button in self.add_buttons.values():
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.remove_button)
        inner.addLayout(head)
        inner.addWidget(self.list, 1)
        inner.addWidget(self._empty)
        inner.addLayout(row)
        inner.addWidget(self.form)
        inner.addWidget(self.previewer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def _connect(self) -> None:
        for kind, button in self.add_buttons.items():
            button.clicked.connect(lambda _on=False, chosen=kind: self._add(BLANK[chosen]))
        self.remove_button.clicked.connect(self._on_remove)
        self._remove_key.activated.connect(self._on_remove)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.form.changed.connect(self._on_form_changed)
        self.previewer.wanted.connect(self._on_preview_wanted)
        self.previewer.brought.connect(self._show_rows)
        self.better_button.clicked.connect(self._on_better)
        self._theme.changed.connect(self._show_rows)

    def set_file(self, path: Path | None) -> None:
        """The crawl whose URLs are known; previews of another one are void."""
        self._path = path
        self.previewer.forget()
        self._show_rows()

    def show_settings(self, settings: CrawlSettings) -> None:
        self._auto = AUTO in settings.seeds.sitemaps
        if written(self._sources) != sources_of(settings):
            self._sources = list(sources_of(settings))
            self._show_list(0 if self._sources else -1)
        self._empty.setText(self._words_when_empty())

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        return with_sources(settings, self._sources)

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Sitemaps stand beside the seeds too, so what is said about them is passed on."""
        self._findings, left = {}, []
        for finding in findings:
            key = finding.problem.key.partition("]")[0] + "]"
            if key.startswith(("seeds.sitemaps[", "seeds.feeds[", "seeds.archives[")):
                message = finding.problem.message
                missing = message.startswith(NOTHING_WRITTEN)
                self._findings.setdefault(
                    key, (self.tr("Every field is needed.") if missing else message, finding.tone)
                )
            if not key.startswith(("seeds.feeds[", "seeds.archives[")):
                left.append(finding)
        self._show_rows()
        return tuple(left)

    def find_better(self, address: str) -> None:
        """Look for better sources of the site of this URL, and offer them."""
        draft = self._draft()
        if draft is not None:
            dialog = BetterSources(self._theme, address, draft, self)
            dialog.offers_wanted.connect(self._on_offers)
            dialog.open()

    def _place(self) -> int:
        return self.list.currentIndex().row()

    def _add(self, source: Source) -> None:
        blank = source in self._sources
        if not blank:
            self._sources.append(source)
        self._show_list(self._sources.index(source))
        self.form.address.setFocus()

    def _show_list(self, place: int) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addTopLevelItems([QTreeWidgetItem() for _ in self._sources])
        if place >= 0:
            self.list.setCurrentIndex(self.list.model().index(place, 0))
        self.list.blockSignals(False)
        self._show_rows()
        self._show_chosen()

    @Slot()
    def _show_rows(self) -> None:
        for place, source in enumerate(self._sources):
            item = self.list.topLevelItem(place)
            if item is not None:
                self._fill(item, place, source)
        self._show_finding()

    def _fill(self, item: QTreeWidgetItem, place: int, source: Source) -> None:
        message, tone = self._finding(place)
        words = message or self.previewer.words(source)
        cells = (KIND_WORDS[kind_of(source)], address_of(source), detail_of(source), words)
        for column, text in enumerate(cells):
            item.setText(column, shown(text))
            item.setToolTip(column, tooltip(text))
        item.setForeground(3, self._theme.colour(tone if message else "muted"))

    def _finding(self, place: int) -> tuple[str, str]:
        if not 0 <= place < len(self._sources):
            return "", "bad"
        return self._findings.get(key_of(self._sources, place, auto=self._auto), ("", "bad"))

    def _show_chosen(self) -> None:
        place = self._place()
        there = 0 <= place < len(self._sources)
        self.form.setVisible(there)
        self.remove_button.setEnabled(there)
        self._empty.setVisible(not self._sources)
        self._empty.setText(self._words_when_empty())
        if there:
            self.form.show_source(self._sources[place])
        self.previewer.choose(self._sources[place] if there else None)
        self._show_finding()

    def _words_when_empty(self) -> str:
        if self._auto:
            return self.tr(
                "The sitemaps that robots.txt names are read, as ticked beside the seeds. No other source yet."
            )
        return self.tr("No source yet. A crawl that has one finds its pages without following every link.")

    def _show_finding(self) -> None:
        self.form.show_finding(*self._finding(self._place()))

    @Slot()
    def _on_chosen(self) -> None:
        self._show_chosen()

    @Slot()
    def _on_form_changed(self) -> None:
        place = self._place()
        if 0 <= place < len(self._sources):
            self._sources[place] = self.form.source
            self.previewer.choose(self.form.source)
            self._show_rows()
            self.changed.emit()

    @Slot()
    def _on_remove(self) -> None:
        place = self._place()
        if 0 <= place < len(self._sources):
            del self._sources[place]
            self._show_list(min(place, len(self._sources) - 1))
            self.changed.emit()

    @Slot()
    def _on_preview_wanted(self) -> None:
        draft = self._draft()
        if draft is not None and self._path is not None:
            self.previewer.start(self._path, draft)

    @Slot()
    def _on_better(self) -> None:
        draft = self._draft()
        self.find_better(draft.seeds.urls[0] if draft and draft.seeds.urls else "")

    @Slot(object)
    def _on_offers(self, offers: tuple[Offer, ...]) -> None:
        settings = self._draft()
        if settings is None or not offers:
            return
        for offer in offers:
            settings = offer.added_to(settings)
        self._sources = list(sources_of(settings))
        self._show_list(len(self._sources) - 1)
        self.changed.emit()
        self.offers_added.emit()
