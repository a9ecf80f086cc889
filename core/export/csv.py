"""CSV as RFC 4180 has it: UTF-8, CRLF, quotes where needed, a lone CR included. A blank cell is empty.

Cells that a spreadsheet would take for formulas are neutralised, and those it could not hold are cut with a
visible mark, unless the export is raw.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from core.export.cells import fitted, writable
from core.store.times import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.store.read.columns import Cell, Column

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Csv:
    """See the module."""

    name: str = "csv"

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> CsvWriter:
        """A writer that has written the names of the columns."""
        if bom:
            file.write(BOM)
        return CsvWriter(file, columns, raw=raw)


class CsvWriter:
    """Begins with the line of column names."""

    native = False

    def __init__(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool) -> None:
        self._file = file
        self._safe: Callable[[str], str] = str if raw else fitted
        self._ways = tuple(self._way(column) for column in columns)
        self._lines([[self._safe(column.name) for column in columns]])

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """A line a row."""
        self._lines([[way(cell) for way, cell in zip(self._ways, row, strict=True)] for row in rows])

    def close(self) -> None:
        """Nothing is held back."""

    def drop(self) -> None:
        """Nothing lies elsewhere."""

    def _lines(self, rows: list[list[str]]) -> None:
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator="\r\n").writerows(rows)
        self._file.write(writable(buffer.getvalue()).encode())

    def _way(self, column: Column) -> Callable[[Cell], str]:
        if column.kind == "time":
            return lambda cell: iso(cell) if isinstance(cell, int | float) else ""
        if column.kind == "flag":
            return lambda cell: "" if cell is None else str(bool(cell)).lower()
        return self._plain

    def _plain(self, cell: Cell) -> str:
        if isinstance(cell, str):
            return self._safe(cell)
        return "" if cell is None else repr(cell)
