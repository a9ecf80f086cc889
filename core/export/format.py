"""What an exporter is: one format in one file, and one line in base.FORMATS."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.read.columns import Cell, Column


class RowWriter(Protocol):
    """Writes rows as they come. `native` rows hold JSON text where a cell is more than one plain value."""

    native: bool

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """Some more rows, in the order of the columns."""

    def close(self) -> None:
        """Write what is still held back. The file stays open: it is not ours."""

    def drop(self) -> None:
        """It is not wanted any more: what lies outside the file goes."""


class Format(Protocol):
    """A format by its name on the command line."""

    @property
    def name(self) -> str:
        """What `export --format` calls it."""

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> RowWriter:
        """A writer for these columns that has written what stands before the first row."""
