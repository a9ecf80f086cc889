"""One table of a crawl with everything around it: filters, columns, rows, the count below, details, export.

Driven by a TableSpec and a Shown: the same panel serves URLs, records, links, hosts, the log. It reads only while it
is seen.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from core.settings import CrawlSettings
from core.store.read.columns import TableQuery
from core.store.read.tables import table
from gui.changes.runs_strip import RunsStrip
from gui.exemptions import Exemptions
from gui.tables.columns_button import ColumnsButton
from gui.tables.count_line import CountLine
from gui.tables.details import Details
from gui.tables.export_dialog import ExportDialog
from gui.tables.filters import Filters
from gui.tables.grid import Grid
from gui.tables.model import TableModel
from gui.tables.source import TableSource

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from core.store.read.columns import Cell, TableSpec
    from core.store.read.runs import VersionPair
    from core.store.rows import LinkRow, UrlDetails
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.tables.choices import Shown
    from gui.theme import Theme

LIVE_SECONDS = 1.0
NEWER_SECONDS = 2.0
DETAILS = 190  # pixels
SETTLE_MS = 120  # the current row is described when the arrow keys rest


class TablePanel(QWidget):
    """`exclude_wanted(pattern)` hands a pattern to the setup, `local_chosen` the zone of the times to all tables."""

    exclude_wanted = Signal(str)
    local_chosen = Signal(bool)

    def __init__(self, theme: Theme, preferences: Preferences, shown: Shown) -> None:
        super().__init__()
        self._theme, self._preferences, self._shown = theme, preferences, shown
        self._crawl: OpenCrawl | None = None
        self._spec: TableSpec = table(shown.table, CrawlSettings())
        self._order = shown.order
        self._looked = 0.0
        self._asked = False
        self._chosen: tuple[Cell, ...] | None = None  # key of the row in the details
        self._at_end = True
        self._exemptions: Exemptions | None = None
        self._build()
        self._lay_out()
        self._connect()
        self._take_spec()

    def _build(self) -> None:
        self.filters = Filters(self._theme, self._shown)
        self.columns_button = ColumnsButton(self._theme)
        self.export_button = QPushButton(self.tr("Export…"))
        self.export_button.setToolTip(self.tr("Save this table as a file (Ctrl+Shift+E)"))
        self.export_button.setShortcut("Ctrl+Shift+E")
        self._theme.dress(self.export_button, "download")
        self.model = TableModel(self._theme, self._spec.columns)
        self.model.local_times = self._preferences.local_times
        self.source = TableSource(self.model, self)
        self.grid = Grid(self.model, self._theme)
        self.grid.setAccessibleName(self.tr(self._shown.title))
        self.runs = RunsStrip(self._theme) if self._shown.by_runs else None
        self.details = Details()
        self.details.hide()
        self.count_line = CountLine(self._theme, self.tr(self._shown.noun))
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)

    def _lay_out(self) -> None:
        self.top = QHBoxLayout()
        self.top.setSpacing(8)
        self.top.addWidget(self.filters, 1)
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.grid, 1)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setHandleWidth(12)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(upper)
        self._splitter.addWidget(self.details)
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setSizes([400, DETAILS])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(self.top)
        if self.runs is not None:
            layout.addWidget(self.runs)
        layout.addWidget(self._splitter, 1)
        layout.addWidget(self.count_line)

    def _connect(self) -> None:
        self.filters.typed.connect(self._on_typed)
        self.filters.chosen.connect(self._on_chosen)
        self.model.order_chosen.connect(self._on_order_chosen)
        self.columns_button.toggled_column.connect(self._on_column_toggled)
        self.columns_button.reset_wanted.connect(self._on_columns_reset)
        self.columns_button.local_chosen.connect(self.local_chosen)
        self.export_button.clicked.connect(self._on_export)
        self.model.dataChanged.connect(self._on_cells_changed)
        self.source.counting.connect(self._on_counting)
        self.source.counted.connect(self._on_counted)
        self.source.newer.connect(self.count_line.show_newer)
        self.source.details_read.connect(self._on_details_read)
        self.source.failed.connect(self._on_failed)
        self.count_line.refresh_wanted.connect(self.ask)
        self.grid.row_chosen.connect(self._on_row_chosen)
        self.grid.unchosen.connect(self.details.hide)
        self.grid.in_links_wanted.connect(self._on_in_links_wanted)
        self.grid.exclude_wanted.connect(self.exclude_wanted)
        self.grid.horizontalHeader().sortIndicatorChanged.connect(self.model.sort)
        self.grid.horizontalHeader().sectionMoved.connect(self._on_section_moved)
        self.details.url_chosen.connect(self.source.read_details)
        self._settle.timeout.connect(self._on_settled)
        if self.runs is not None:
            self.runs.chosen.connect(self._on_chosen)
            self.runs.versions_read.connect(self._on_versions_read)

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        """Show this crawl's rows, or none."""
        self._crawl = crawl
        self._asked = False
        self._chosen = None
        self.source.set_path(crawl.path if crawl else None)
        if self.runs is not None:
            self.runs.set_path(crawl.path if crawl else None)
        self.model.show_first([])
        self.details.hide()
        if crawl is not None and self.isVisible():
            self.look()

    def look(self) -> None:
        """The crawl moved, or the panel is seen: read what is worth reading now."""
        if self._crawl is None or self._crawl.settings is None:
            return
        self._follow_settings(self._crawl.settings)
        now = time.monotonic()
        if not self._asked:
            self.ask()
        elif self._shown.live and now - self._looked >= LIVE_SECONDS:
            self._looked = now
            self.source.refresh()
        elif now - self._looked >= NEWER_SECONDS:
            self._looked = now
            self.source.count_newer()
            self.model.make_stale()
            if self.runs is not None:
                self.runs.look()

    @Slot()
    def ask(self) -> None:
        """Read the table anew."""
        self._asked = self._crawl is not None
        self._looked = time.monotonic()
        if self._crawl is not None:
            self._ask(soon=False)
            if self.runs is not None:
                self.runs.look()

    def _ask(self, *, soon: bool) -> None:
        """A filter that is not understood asks nothing: what is wrong with it stands in the place of rows."""
        complaint = self.filters.complaint()
        if not complaint:
            self.source.show(self._query(), soon=soon)
            return
        self.source.drop()
        self.model.show_first([])
        self.grid.set_empty_words(complaint)
        self.count_line.show_complaint(complaint)

    def _leave_row(self) -> None:
        """Other rows are asked for: the details of one that may not be among them go."""
        self._chosen = None
        self._settle.stop()
        self.details.hide()

    def set_local_times(self, local: bool) -> None:
        """Times in this machine's zone, or in UTC."""
        self.model.set_local_times(local)
        self._tick_columns()

    def query_shown(self) -> TableQuery:
        """What is shown: filter, order, and the visible columns as they stand."""
        query = self._query()
        return TableQuery(query.table, query.search, query.conditions, query.order, self._visible_columns())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._settle.stop()

    def _query(self) -> TableQuery:
        runs = self.runs.conditions() if self.runs is not None else ()
        return TableQuery(self._shown.table, self.filters.text(), (*self.filters.conditions(), *runs), self._order)

    def _follow_settings(self, settings: CrawlSettings) -> None:
        """Record types and fields follow the settings; hosts come from the crawl."""
        spec = table(self._shown.table, settings)
        if spec != self._spec:
            self._spec = spec
            self.model.set_columns(spec.columns)
            self._take_spec()
            self._asked = False
        if self._shown.table == "hosts" and (self._exemptions is None or self._exemptions.settings is not settings):
            self._exemptions = Exemptions(settings)
            self.model.set_note(self._exemptions.of)
            self.grid.set_room_for_notes("host", self._exemptions.in_short())
        if self._shown.by_type:
            self.filters.set_values("Type", "type", self.tr("Any type"), [each.name for each in settings.records])
        if self._shown.by_host and self._crawl is not None and not self._asked:
            names = sorted({host.name for host in self._crawl.reader.hosts_brief()})
            self.filters.set_values("Host", "host", self.tr("All hosts"), names)

    def _take_spec(self) -> None:
        self.filters.set_spec(self._spec)
        kept = [name for name in self._preferences.columns(self._shown.table) if self._spec.column(name)]
        self._show_columns(tuple(kept) or self._usual_columns())
        self.grid.set_widths(self._shown.wide)
        header = self.grid.horizontalHeader()
        names = [column.name for column in self._spec.columns]
        at, descends = (names.index(self._order[0]), self._order[1]) if self._order else (-1, False)
        header.setSortIndicator(at, Qt.SortOrder.DescendingOrder if descends else Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorShown(True)
        header.setSectionsClickable(True)

    def _usual_columns(self) -> tuple[str, ...]:
        if self._shown.table == "records":
            return self._record_columns()
        return self._shown.columns or tuple(column.name for column in self._spec.columns if column.visible)

    def _record_columns(self) -> tuple[str, ...]:
        """The analyst's own fields come first."""
        plain = {column.name for column in table("records", CrawlSettings()).columns}
        fields = (column.name for column in self._spec.columns if column.name not in plain)
        return ("type", *fields, "url", "last_seen", "last_changed", "version")

    def _show_columns(self, names: tuple[str, ...]) -> None:
        header = self.grid.horizontalHeader()
        all_names = [column.name for column in self._spec.columns]
        header.blockSignals(True)
        for index, name in enumerate(all_names):
            self.grid.setColumnHidden(index, name not in names)
        for place, name in enumerate(names):
            header.moveSection(header.visualIndex(all_names.index(name)), place)
        header.blockSignals(False)
        self.grid.fill_width()
        self._tick_columns()

    def _tick_columns(self) -> None:
        self.columns_button.set_columns(self._spec.columns, self._visible_columns(), local=self.model.local_times)

    def _visible_columns(self) -> tuple[str, ...]:
        header = self.grid.horizontalHeader()
        logical = (header.logicalIndex(place) for place in range(header.count()))
        return tuple(self._spec.columns[index].name for index in logical if not self.grid.isColumnHidden(index))

    def _keep_columns(self) -> None:
        self._preferences.keep_columns(self._shown.table, self._visible_columns())
        self._tick_columns()

    @Slot()
    def _on_typed(self) -> None:
        self._leave_row()
        if self._crawl is not None:
            self._asked = True
            self._ask(soon=True)

    @Slot()
    def _on_chosen(self) -> None:
        self._leave_row()
        self.ask()

    @Slot(str, bool)
    def _on_order_chosen(self, column: str, descends: bool) -> None:
        self._order = (column, descends)
        self.ask()

    @Slot(str, bool)
    def _on_column_toggled(self, name: str, shown: bool) -> None:
        names = self._visible_columns()
        self._show_columns((*names, name) if shown else tuple(each for each in names if each != name))
        self._keep_columns()

    @Slot()
    def _on_columns_reset(self) -> None:
        self._show_columns(self._usual_columns())
        self._preferences.keep_columns(self._shown.table, ())
        self._tick_columns()

    @Slot(int, int, int)
    def _on_section_moved(self, _logical: int, _before: int, _after: int) -> None:
        self._keep_columns()

    @Slot()
    def _on_counting(self) -> None:
        bar = self.grid.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum() - 1
        if not (self._shown.live and self.model.rowCount()):
            self.count_line.show_counting(scans=not self.filters.is_empty())

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.grid.set_empty_words(sentence)
        self.count_line.show_fault(sentence)

    @Slot(int, float)
    def _on_counted(self, number: int, at: float) -> None:
        filtered = not self.filters.is_empty()
        words = self.tr("Nothing matches.") if filtered else self.tr(self._shown.empty)
        self.grid.set_empty_words(words)
        self.count_line.show_count(number, at, filtered=filtered, live=self._shown.live)
        if self._shown.follow and self._order is None and self._at_end:
            self.grid.scrollToBottom()

    @Slot()
    def _on_cells_changed(self) -> None:
        """In a live table rows change places: the one that was chosen stays chosen."""
        selected = self.grid.selectionModel().selectedRows()
        if self._chosen is None or not self._shown.live or len(selected) != 1:
            return
        row = self.model.row(selected[0].row())
        place = self.model.find(self._chosen) if row is not None and row.key != self._chosen else None
        if place is not None:
            self.grid.follow(place)

    @Slot(int)
    def _on_row_chosen(self, number: int) -> None:
        row = self.model.row(number)
        self._chosen = row.key if row is not None else None
        self._settle.start()

    @Slot()
    def _on_settled(self) -> None:
        self._settle.stop()
        number = self.grid.currentIndex().row()
        row = self.model.row(number)
        if row is None:
            return
        self._chosen = row.key
        self.details.show()
        self.details.show_row(self._spec.columns, row, self._note(number), local=self.model.local_times)
        if self._shown.table == "urls":
            self.source.read_details(int(str(row.key[0])))
        elif self.runs is not None:
            self.runs.read_versions(str(row.key[0]), int(str(row.key[1])))

    def _note(self, number: int) -> str:
        host = self.model.value(number, "host")
        return self._exemptions.of(host) if self._exemptions is not None and isinstance(host, str) else ""

    @Slot(int)
    def _on_in_links_wanted(self, _row: int) -> None:
        self._on_settled()
        self.details.show_in_links()

    @Slot(object, object, object)
    def _on_details_read(
        self, details: UrlDetails | None, links_in: tuple[LinkRow, ...], links_out: tuple[LinkRow, ...]
    ) -> None:
        if details is None:
            return
        if self._chosen == (details.id,):
            self.details.show_url(details, links_in, links_out)

    @Slot(object)
    def _on_versions_read(self, versions: VersionPair) -> None:
        if self._chosen is not None and self._chosen[:2] == (versions.record, versions.version):
            self.details.show_versions(versions, local=self.model.local_times)

    @Slot()
    def _on_export(self) -> None:
        if self._crawl is not None:
            number = self.model.rowCount() if self.source.stands else None
            title = self.tr(self._shown.noun)
            ExportDialog(self._crawl.path, self.query_shown(), title, self._preferences, self, number).open()
