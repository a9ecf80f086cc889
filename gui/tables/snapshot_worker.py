"""Reads tables beside the window's thread: the first rows, the whole order, pages of it, and details of a URL.

Every question carries a ticket. The window writes the newest ticket to `wanted`; answers to older ones are not
worked out any more, and `interrupt` cuts the statement that runs now.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError
from core.store.read.columns import TableRow
from core.store.read.reader import Reader
from core.store.read.snapshot import Interrupted, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from core.store.read.columns import Cell, TableQuery

PAGE = 128
LONGEST_CELL = 4000  # characters kept of a cell: a page holds 128 rows, and 64 pages are kept
MOST_LINKS = 500


class SnapshotWorker(QObject):
    """Its methods run in a thread of their own; owns the connections."""

    first_read = Signal(int, object)  # ticket, list of TableRow
    built = Signal(int, int, float)  # ticket, count, time
    page_read = Signal(int, int, object)  # ticket, page number, list of TableRow
    newer_counted = Signal(int, int)  # ticket, count
    details_read = Signal(object, object, object)  # UrlDetails, in-links, out-links
    failed = Signal(int, str)
    died = Signal(str)  # the thread, by a fault of ours

    def __init__(self) -> None:
        super().__init__()
        self.wanted = 0
        self.working_on = 0
        self._path: Path | None = None
        self._snapshot: Snapshot | None = None
        self._reader: Reader | None = None

    def ask(self, ticket: int, path: Path, query: TableQuery, quietly: bool) -> None:
        """First rows at once (unless `quietly`, for a refresh), then the whole order."""
        self._answer(ticket, lambda: self._read(ticket, path, query, quietly))

    def read_page(self, ticket: int, number: int) -> None:
        """One page of what was built."""
        snapshot = self._snapshot
        if snapshot is not None:
            place = number * PAGE
            self._answer(ticket, lambda: self.page_read.emit(ticket, number, clipped(snapshot.page(place, PAGE))))

    def count_newer(self, ticket: int) -> None:
        """How many rows came since."""
        snapshot = self._snapshot
        if snapshot is not None:
            self._answer(ticket, lambda: self.newer_counted.emit(ticket, snapshot.newer()))

    def read_details(self, path: Path, url_id: int) -> None:
        """Everything about one URL, with its neighbours."""
        try:
            reader = self._reader_of(path)
            details = reader.url_details(url_id)
            links = reader.in_links(url_id, MOST_LINKS), reader.out_links(url_id, MOST_LINKS)
            self.details_read.emit(details, *links)
        except FronteiraError as fault:
            self.failed.emit(self.wanted, str(fault))

    def end(self) -> None:
        """Close the file; the worker may be asked again afterwards."""
        for opened in (self._snapshot, self._reader):
            if opened is not None:
                opened.close()
        self._snapshot = self._reader = self._path = None

    def interrupt(self) -> None:
        """Cut what runs now, and ask nothing again: nobody wants an answer any more."""
        self.wanted += 1
        self.cut()

    def cut(self) -> None:
        """Cut the statement that runs now; called from the window's thread."""
        snapshot = self._snapshot
        if snapshot is not None and self.working_on:
            snapshot.interrupt()

    def _read(self, ticket: int, path: Path, query: TableQuery, quietly: bool) -> None:
        snapshot = self._snapshot_of(path)
        if not quietly:
            self.first_read.emit(ticket, clipped(snapshot.first(query)))
        if ticket == self.wanted:
            self.built.emit(ticket, snapshot.build(query), time.time())

    def _answer(self, ticket: int, work: Callable[[], None]) -> None:
        """A cut that was meant for an older question may meet this one: then it is asked again."""
        self.working_on = ticket
        try:
            while ticket == self.wanted:
                with suppress(Interrupted):
                    work()
                    return
        except FronteiraError as fault:
            self.failed.emit(ticket, str(fault))
        finally:
            self.working_on = 0

    def _snapshot_of(self, path: Path) -> Snapshot:
        self._turn_to(path)
        if self._snapshot is None:
            self._snapshot = Snapshot(path)
        return self._snapshot

    def _reader_of(self, path: Path) -> Reader:
        self._turn_to(path)
        if self._reader is None:
            self._reader = Reader(path)
        return self._reader

    def _turn_to(self, path: Path) -> None:
        if path != self._path:
            self.end()
            self._path = path


def clipped(rows: Iterable[TableRow]) -> list[TableRow]:
    """The rows without overlong texts, so that memory stays bounded whatever a page holds."""
    return [TableRow(row.key, tuple(map(_clipped, row.cells))) for row in rows]


def _clipped(cell: Cell) -> Cell:
    if isinstance(cell, str) and len(cell) > LONGEST_CELL:
        return cell[:LONGEST_CELL] + "…"
    return cell
