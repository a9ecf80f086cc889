"""Reads a crawl's samples and marks beside the window's thread, only what is new each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError
from core.store.read.reader import Reader
from gui.charts.samples import array_of

if TYPE_CHECKING:
    from pathlib import Path


class Feed(QObject):
    """Its methods run in a thread of their own. `ticket` tells the answers of one crawl from those of another."""

    samples_read = Signal(int, object)  # ticket, array with the columns of samples.COLUMNS
    marks_read = Signal(int, object)  # ticket, tuple of LogRow
    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._reader: Reader | None = None
        self._path: Path | None = None

    def read(self, ticket: int, path: Path, after_id: int) -> None:
        """Everything behind `after_id`."""
        try:
            reader = self._reader_of(path)
            self.samples_read.emit(ticket, array_of(reader.samples(after_id)))
            self.marks_read.emit(ticket, reader.marks())
        except FronteiraError as fault:
            self.failed.emit(str(fault))

    def end(self) -> None:
        """Close the file."""
        if self._reader is not None:
            self._reader.close()
            self._reader = self._path = None

    def interrupt(self) -> None:
        """Reads are short: there is nothing to cut."""

    def _reader_of(self, path: Path) -> Reader:
        if self._reader is None or path != self._path:
            self.end()
            self._reader, self._path = Reader(path), path
        return self._reader
