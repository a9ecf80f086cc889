"""JSON Lines: an object a row, UTF-8, numbers and lists as they are, a blank as null."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from core.export.cells import writable
from core.store.times import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.store.read.columns import Cell, Column


@dataclass(frozen=True, slots=True)
class JsonLines:
    """See the module. There is nothing raw or marked about it."""

    name: str = "jsonl"

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> JsonLinesWriter:  # noqa: ARG002 - a format's shape
        """A writer; nothing stands before the first row."""
        return JsonLinesWriter(file, columns)


class JsonLinesWriter:
    """Each row with the stable names of its columns."""

    native = True

    def __init__(self, file: BinaryIO, columns: tuple[Column, ...]) -> None:
        self._file = file
        self._ways = tuple((column.name, _way(column)) for column in columns)
        self._encoder = msgspec.json.Encoder()

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """An object a row."""
        objects = [{name: way(cell) for (name, way), cell in zip(self._ways, row, strict=True)} for row in rows]
        self._file.write(self._encoder.encode_lines(objects))

    def close(self) -> None:
        """Nothing is held back."""

    def drop(self) -> None:
        """Nothing lies elsewhere."""


def _way(column: Column) -> Callable[[Cell], Any]:
    if column.native:
        return lambda cell: msgspec.Raw(writable(cell).encode()) if isinstance(cell, str) else None
    if column.kind == "time":
        return lambda cell: (iso(cell) or None) if isinstance(cell, int | float) else None
    if column.kind == "flag":
        return lambda cell: None if cell is None else bool(cell)
    return lambda cell: writable(cell) if isinstance(cell, str) else cell
