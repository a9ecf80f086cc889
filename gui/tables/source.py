"""One table on its way from the file into the model: what is asked, and how far the answer is.

Typing asks anew after 150 ms; what still runs for the older question is interrupted at once, and again while the
worker is seen at work on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gui.tables.snapshot_worker import SnapshotWorker
from gui.worker_thread import WorkerThread

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.read.columns import TableQuery, TableRow
    from gui.tables.model import TableModel

DEBOUNCE_MS = 150
NUDGE_MS = 40


class TableSource(QObject):
    """`counting` while the order is made, `counted(count, time)` when it stands, `newer(count)`, `failed(sentence)`."""

    counting = Signal()
    counted = Signal(int, float)
    newer = Signal(int)
    details_read = Signal(object, object, object)
    failed = Signal(str)

    def __init__(self, model: TableModel, owner: QObject) -> None:
        super().__init__(owner)
        self._model = model
        self._path: Path | None = None
        self._query: TableQuery | None = None
        self._stands = False
        self._worker = SnapshotWorker()
        self._thread = WorkerThread(self._worker, "table", self._worker.died.emit)
        self._debounce = QTimer(self)
        self._debounce.setSingleShot(True)
        self._debounce.setInterval(DEBOUNCE_MS)
        self._nudge = QTimer(self)
        self._nudge.setInterval(NUDGE_MS)
        self._connect()

    def _connect(self) -> None:
        worker = self._worker
        worker.first_read.connect(self._on_first_read)
        worker.built.connect(self._on_built)
        worker.page_read.connect(self._on_page_read)
        worker.newer_counted.connect(self._on_newer_counted)
        worker.details_read.connect(self.details_read)
        worker.failed.connect(self._on_failed)
        worker.died.connect(self._on_died)
        self._model.page_wanted.connect(self._on_page_wanted)
        self._debounce.timeout.connect(self._ask)
        self._nudge.timeout.connect(self._on_nudge)

    @property
    def stands(self) -> bool:
        """Whether the whole order is made and nothing else is under way."""
        return self._stands

    def set_path(self, path: Path | None) -> None:
        """Another file; the old one is closed."""
        self._drop()
        if self._path is not None:
            self._thread.post(self._worker.end)
        self._path = path

    def show(self, query: TableQuery, *, soon: bool = False) -> None:
        """Another question; `soon` waits for the end of typing."""
        self._query = query
        self._drop()
        if soon:
            self._debounce.start()
        else:
            self._ask()

    def drop(self) -> None:
        """There is no question: answers under way are not wanted, and nothing stands."""
        self._query = None
        self._drop()

    def refresh(self) -> None:
        """The same question again: the rows shown stay until the new order stands."""
        if self._stands:
            self._ask(quietly=True)

    def count_newer(self) -> None:
        """Ask how many rows came since."""
        if self._stands:
            self._thread.post(self._worker.count_newer, self._worker.wanted)

    def read_details(self, url_id: int) -> None:
        """Ask everything about one URL."""
        if self._path is not None:
            self._thread.post(self._worker.read_details, self._path, url_id)

    def _drop(self) -> None:
        """Nobody wants the answers that are under way."""
        self._debounce.stop()
        self._stands = False
        self._worker.wanted += 1
        self._worker.cut()
        self._nudge.start()

    @Slot()
    def _ask(self, *, quietly: bool = False) -> None:
        if self._path is None or self._query is None:
            return
        self._stands = False
        self._worker.wanted += 1
        self.counting.emit()
        self._thread.post(self._worker.ask, self._worker.wanted, self._path, self._query, quietly)

    @Slot()
    def _on_nudge(self) -> None:
        if self._worker.working_on in (0, self._worker.wanted):
            self._nudge.stop()
        else:
            self._worker.cut()

    @Slot(int)
    def _on_page_wanted(self, number: int) -> None:
        self._thread.post(self._worker.read_page, self._worker.wanted, number)

    @Slot(int, object)
    def _on_first_read(self, ticket: int, rows: list[TableRow]) -> None:
        if ticket == self._worker.wanted:
            self._model.show_first(rows)

    @Slot(int, int, float)
    def _on_built(self, ticket: int, count: int, at: float) -> None:
        if ticket == self._worker.wanted:
            self._stands = True
            self._model.show_all(count)
            self.counted.emit(count, at)

    @Slot(int, int, object)
    def _on_page_read(self, ticket: int, number: int, rows: list[TableRow]) -> None:
        if ticket == self._worker.wanted:
            self._model.take_page(number, rows)

    @Slot(int, int)
    def _on_newer_counted(self, ticket: int, count: int) -> None:
        if ticket == self._worker.wanted:
            self.newer.emit(count)

    @Slot(str)
    def _on_died(self, words: str) -> None:
        self._stands = False
        self.failed.emit(self.tr("The table cannot be read, by a fault of this program ({0}).").format(words))

    @Slot(int, str)
    def _on_failed(self, ticket: int, sentence: str) -> None:
        if ticket == self._worker.wanted:
            self._stands = False
            self.failed.emit(sentence)
