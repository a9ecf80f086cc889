"""Parquet, for data tools: typed columns, compressed, in groups of rows. An extra: the library that writes it is large.

Numbers are doubles, sizes whole numbers, times moments in UTC to the millisecond, flags booleans, and everything else
is text. A value that is not of its column's type is blank.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from core.errors import BadInput
from core.export.cells import writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.read.columns import Cell, Column

GROUP = 50_000  # rows that are held back at the most


@dataclass(frozen=True, slots=True)
class Parquet:
    """See the module. There is nothing raw or marked about it."""

    name: str = "parquet"

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> ParquetWriter:  # noqa: ARG002 - a format's shape
        """A writer; raises BadInput where the library is not installed."""
        return ParquetWriter(file, columns)


class ParquetWriter:
    """Each group of rows is written when it is full."""

    native = False

    def __init__(self, file: BinaryIO, columns: tuple[Column, ...], group: int = GROUP) -> None:
        try:
            import pyarrow  # large, and not everybody has it
            from pyarrow import parquet
        except ImportError as error:
            raise BadInput(
                "Parquet needs the library pyarrow, which is not installed.",
                "Install it (`pip install pyarrow`), or export as csv, jsonl or xlsx.",
            ) from error
        self._arrow = pyarrow
        self._kinds = tuple(column.kind for column in columns)
        names = [writable(column.name) for column in columns]
        types = {
            "number": pyarrow.float64(),
            "seconds": pyarrow.float64(),
            "bytes": pyarrow.int64(),
            "time": pyarrow.timestamp("ms", tz="UTC"),
            "flag": pyarrow.bool_(),
        }
        kinds = [types.get(kind, pyarrow.string()) for kind in self._kinds]
        self._schema = pyarrow.schema(list(zip(names, kinds, strict=True)))
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._group = group
        self._held: list[tuple[Cell, ...]] = []

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """Hold the rows until there is a group of them."""
        self._held += rows
        if len(self._held) >= self._group:
            self._flush()

    def close(self) -> None:
        """The last group, and the description of all at the file's end."""
        if self._held:
            self._flush()
        self._writer.close()

    def drop(self) -> None:
        """Nothing lies elsewhere."""

    def _flush(self) -> None:
        columns = zip(*self._held, strict=True)
        arrays = [
            self._arrow.array([valued(kind, cell) for cell in column], type=field.type)
            for kind, column, field in zip(self._kinds, columns, self._schema, strict=True)
        ]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._held = []


def valued(kind: str, cell: Cell) -> Any:
    """The cell in the type of its column; None where it is blank, or no such value."""
    if kind in {"number", "seconds"}:
        return float(cell) if isinstance(cell, int | float) else None
    if kind in {"bytes", "time"}:
        factor = 1000 if kind == "time" else 1
        return round(cell * factor) if isinstance(cell, int | float) and abs(cell) < 2**50 else None
    if kind == "flag":
        return None if cell is None else bool(cell)
    return None if cell is None else writable(cell if isinstance(cell, str) else repr(cell))
