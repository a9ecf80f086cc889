"""The first tab: how the crawl is going, at a glance."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QIODevice, QSaveFile, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.settings import CrawlSettings
from core.store.read.columns import TableQuery
from gui.charts.board_maker import BoardMaker
from gui.charts.feed import Feed
from gui.charts.samples import trend
from gui.dashboard.bars import Bars, budget_rows, reason_rows
from gui.dashboard.key_figures import KeyFigures
from gui.dashboard.words import budgets_in_force, has_begun, key_figures, left_out, state_sentence
from gui.file_dialog import file_dialog
from gui.file_names import file_name
from gui.labels import ElidedLabel, plain_label
from gui.tables.export_dialog import ExportDialog
from gui.view import View
from gui.worker_thread import WorkerThread

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from core.store.rows import LogRow, Status
    from gui.charts.board import Board
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.theme import Theme

SHORTEST_SECONDS = 0.5  # between two looks at the samples: twice a second
TREND_SECONDS = 5.0  # what the eye takes for the end of the line in the chart
PREPARE_MS = 300  # after the start: the window comes first


class DashboardView(View):
    """Key figures, charts, budgets and what was left out; before the first run, what to do."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__()
        self._theme, self._preferences = theme, preferences
        self._crawl: OpenCrawl | None = None
        self._board: Board | None = None
        self._ticket = 0
        self._asked = 0.0
        self._maker = BoardMaker(theme, self)
        self._feed = Feed()
        self._thread = WorkerThread(self._feed, "charts", self._feed.failed.emit)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self._figures = KeyFigures()
        self._sentence = ElidedLabel("", "muted")
        self._budgets = Bars(self.tr("Budgets"), self.tr("No limit on pages, bytes or time is set."))
        self._left_out = Bars(self.tr("Left out, and why"), self.tr("No URL was refused so far."))
        self._empty_title = plain_label(self.tr("Nothing fetched yet: press Start"), "title")
        self._empty_text = plain_label(
            self.tr("Seeds, exclusions and budgets are in Setup. The charts begin with the first page."), "muted"
        )
        self._start = QPushButton(self.tr("Start"))
        self._start.setProperty("kind", "primary")
        self._theme.dress(self._start, "play", "accent_text")

    def _lay_out(self) -> None:
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty_page())
        self._stack.addWidget(self._full_page())

    def _empty_page(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setSpacing(10)
        layout.addStretch(2)
        for widget in (self._empty_title, self._empty_text, self._start):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(widget)
            row.addStretch(1)
            layout.addLayout(row)
        layout.addStretch(3)
        return page

    def _full_page(self) -> QWidget:
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._column.addWidget(self._figures)
        self._column.addWidget(self._sentence)
        lower = QHBoxLayout()
        lower.setSpacing(12)
        lower.addWidget(self._budgets, 1)
        lower.addWidget(self._left_out, 1)
        self._column.addLayout(lower)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        return area

    def _connect(self) -> None:
        self._feed.samples_read.connect(self._on_samples_read)
        self._feed.marks_read.connect(self._on_marks_read)
        self._feed.failed.connect(self.failed)
        self._start.clicked.connect(self._on_start)
        self._later.timeout.connect(self._ask)
        self._maker.ready.connect(self._on_board_ready)
        QTimer.singleShot(PREPARE_MS, self._maker.start)

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        """Show this crawl from now on, or nothing."""
        self._crawl = crawl
        self._ticket += 1
        self._asked = 0.0
        self._later.stop()
        if self._board is not None:
            self._board.clear()
        if crawl is None or crawl.status is None:
            self._stack.setCurrentIndex(0)
        else:
            self.refresh(crawl.status)

    def refresh(self, status: Status) -> None:
        """Show the status; the samples follow from the background, at most twice a second."""
        begun = has_begun(status)
        self._start.setEnabled(self._crawl is not None and self._crawl.may_start)
        self._stack.setCurrentIndex(int(begun))
        if not begun or self._crawl is None:
            return
        self._maker.start()
        budgets = (self._crawl.settings or CrawlSettings()).budgets
        self._figures.show_figures(key_figures(status, budgets, self._trend()))
        self._sentence.set_foreign_text(state_sentence(status, time.time()))
        self._budgets.show_bars(budget_rows(budgets_in_force(status, budgets)))
        self._left_out.show_bars(reason_rows(left_out(status)))
        if self._board is not None:
            self._board.show_now(status)
        self._ask_soon()

    def _trend(self) -> float | None:
        """How the frontier moves, while somebody works on it."""
        if self._board is None or self._crawl is None or not self._crawl.is_active:
            return None
        return trend(self._board.samples, "frontier", TREND_SECONDS)

    @Slot(object)
    def _on_board_ready(self, board: Board) -> None:
        """The charts are made: put them in their place and fill them."""
        self._board = board
        board.picture_wanted.connect(self._on_picture_wanted)
        board.table_wanted.connect(self._on_table_wanted)
        self._column.insertWidget(2, board, 1)
        if self._crawl is not None and self._crawl.status is not None:
            board.show_now(self._crawl.status)
        self._ask_soon()

    def _ask_soon(self) -> None:
        if not self._later.isActive():
            rest = self._asked + SHORTEST_SECONDS - time.monotonic()
            self._later.start(max(0, round(rest * 1000)))

    @Slot()
    def _ask(self) -> None:
        if self._crawl is None or self._board is None or not self.isVisible():
            return
        self._asked = time.monotonic()
        self._thread.post(self._feed.read, self._ticket, self._crawl.path, self._board.samples.last_id)

    @Slot(int, object)
    def _on_samples_read(self, ticket: int, rows: NDArray[float64]) -> None:
        if (
            ticket == self._ticket
            and self._board is not None
            and len(rows)
            and rows[0, 0] > self._board.samples.last_id
        ):
            self._board.add(rows)

    @Slot(int, object)
    def _on_marks_read(self, ticket: int, log: tuple[LogRow, ...]) -> None:
        if ticket == self._ticket and self._board is not None:
            self._board.set_marks(log)

    @Slot()
    def _on_start(self) -> None:
        if self._crawl is not None:
            self._crawl.start()

    @Slot()
    def _on_table_wanted(self) -> None:
        if self._crawl is not None:
            ExportDialog(self._crawl.path, TableQuery("metrics"), self.tr("samples"), self._preferences, self).open()

    @Slot()
    def _on_picture_wanted(self) -> None:
        if self._crawl is None or self._board is None:
            return
        dialog = file_dialog(self, self.tr("Save a picture of the charts"), self._preferences.folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("png")
        dialog.selectFile(f"{file_name(self._crawl.path.stem)}-charts.png")
        dialog.fileSelected.connect(self._on_picture_placed)
        dialog.open()

    @Slot(str)
    def _on_picture_placed(self, name: str) -> None:
        if self._board is None:
            return
        file = QSaveFile(name)
        picture = self._board.picture().grab()
        written = file.open(QIODevice.OpenModeFlag.WriteOnly) and picture.save(file, "PNG") and file.commit()
        if not written:
            self.failed.emit(self.tr("The picture could not be saved: {0}").format(file.errorString()))
