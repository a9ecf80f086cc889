"""Reads runs, compares two of them and fetches versions of records, beside the window's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.difference import between_runs
from core.errors import FronteiraError
from core.store.read.runs import read_runs, read_versions

if TYPE_CHECKING:
    from pathlib import Path


class RunsReader(QObject):
    """Its methods run in a thread of their own. `ticket` tells one comparison from an older one."""

    runs_read = Signal(object, object)  # Path, tuple of RunRow
    compared = Signal(int, object)  # ticket, Difference
    versions_read = Signal(object)  # VersionPair
    failed = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self.wanted = 0

    def read(self, path: Path) -> None:
        """All runs with their counts."""
        try:
            self.runs_read.emit(path, read_runs(path))
        except FronteiraError as fault:
            self.failed.emit(self.wanted, str(fault))

    def compare(self, ticket: int, path: Path, before: int, after: int) -> None:
        """Two runs; whole tables are read for that. A question that is out of date is not worked out."""
        if ticket == self.wanted:
            try:
                self.compared.emit(ticket, between_runs(path, before, after))
            except FronteiraError as fault:
                self.failed.emit(ticket, str(fault))

    def read_versions(self, path: Path, record: str, version: int) -> None:
        """A version of a record beside the one before."""
        try:
            found = read_versions(path, record, version)
        except FronteiraError as fault:
            self.failed.emit(self.wanted, str(fault))
            return
        if found is not None:
            self.versions_read.emit(found)

    def interrupt(self) -> None:
        """No further question is worked out."""
        self.wanted += 1

    def end(self) -> None:
        """Nothing stays open between two questions."""
