"""XLSX, for spreadsheets: names in the first line, numbers as numbers, times as dates, shown as ISO 8601 in UTC.

A text is always stored as a text, so nothing in it runs, whatever it begins with; one that a cell could not hold is cut
with a visible mark. Beyond the 1,048,576 rows of a sheet another one begins. Rows are written as they come.
"""

from __future__ import annotations

import math
import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, BinaryIO

from core.errors import BadInput
from core.export.cells import CUT, LONGEST_CELL, writable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from core.store.read.columns import Cell, Column

ROWS = 1_048_576  # of a sheet, the names of the columns included (Excel's limit)
_EXACT = 2**53  # a cell's number is a double: a larger whole number would be another one
_NARROWEST, _WIDEST = 8, 60  # characters
_PIXELS = 7  # of a character, about
_TIME = 'yyyy\\-mm\\-dd"T"hh:mm:ss"Z"'
_LATEST = 253_402_300_799.0  # 9999-12-31T23:59:59Z: the last that a spreadsheet knows


@dataclass(frozen=True, slots=True)
class Xlsx:
    """See the module. There is nothing raw or marked about it."""

    name: str = "xlsx"

    def writer(self, file: BinaryIO, columns: tuple[Column, ...], *, raw: bool, bom: bool) -> XlsxWriter:  # noqa: ARG002 - a format's shape
        """A writer that has begun the first sheet."""
        return XlsxWriter(file, columns)


class XlsxWriter:
    """Sheets of at most `rows` rows, each with the names of the columns."""

    native = False

    def __init__(self, file: BinaryIO, columns: tuple[Column, ...], rows: int = ROWS) -> None:
        try:
            from xlsxwriter import Workbook  # slow to import, and few commands export
        except ImportError as error:
            raise BadInput(
                "XLSX needs the library XlsxWriter, which is not installed.",
                "Install it (`pip install xlsxwriter`), or export as csv.",
            ) from error
        self._folder = tempfile.mkdtemp(prefix="fronteira-")
        options = {"constant_memory": True, "tmpdir": self._folder, "use_zip64": True}
        self._book = Workbook(_Once(file), options)
        self._bold: Format = self._book.add_format({"bold": True})
        self._time: Format = self._book.add_format({"num_format": _TIME})
        self._columns = columns
        self._rows = rows
        self._ways = tuple(self._way(column) for column in columns)
        self._sheets = 0
        self._begin_sheet()

    def write(self, rows: Sequence[tuple[Cell, ...]]) -> None:
        """A line a row."""
        for row in rows:
            if self._next == self._rows:
                self._begin_sheet()
            for place, (way, cell) in enumerate(zip(self._ways, row, strict=True)):
                if cell is not None and cell != "":
                    way(place, cell)
            self._next += 1

    def close(self) -> None:
        """Put the sheets together: until then they lie in a temporary folder."""
        from xlsxwriter.exceptions import FileCreateError

        try:
            self._book.close()
        except FileCreateError as error:
            cause = error.args[0] if error.args else None
            raise cause if isinstance(cause, OSError) else error from None
        finally:
            self.drop()

    def drop(self) -> None:
        """The temporary folder goes."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _begin_sheet(self) -> None:
        self._sheets += 1
        self._sheet: Worksheet = self._book.add_worksheet("Rows" if self._sheets == 1 else f"Rows {self._sheets}")
        for place, column in enumerate(self._columns):
            width = min(max(column.width / _PIXELS, _NARROWEST, len(column.name) + 2), _WIDEST)
            self._sheet.set_column(place, place, width)
        self._sheet.freeze_panes(1, 0)
        for place, column in enumerate(self._columns):
            self._sheet.write_string(0, place, held(column.name), self._bold)
        self._next = 1

    def _way(self, column: Column) -> Callable[[int, Cell], object]:
        return {"time": self._moment, "flag": self._flag}.get(column.kind, self._plain)

    def _moment(self, place: int, cell: Cell) -> None:
        if isinstance(cell, int | float) and 0 <= cell <= _LATEST:
            moment = datetime.fromtimestamp(cell, UTC).replace(tzinfo=None, microsecond=0)
            self._sheet.write_datetime(self._next, place, moment, self._time)
        else:
            self._plain(place, cell)

    def _flag(self, place: int, cell: Cell) -> None:
        self._sheet.write_boolean(self._next, place, bool(cell))

    def _plain(self, place: int, cell: Cell) -> None:
        if isinstance(cell, str):
            self._sheet.write_string(self._next, place, held(cell))
        elif cell is not None and math.isfinite(cell) and abs(cell) <= _EXACT:
            self._sheet.write_number(self._next, place, cell)
        else:
            self._sheet.write_string(self._next, place, repr(cell))


class _Once:
    """A file that fails once: what was refused is over, and an archive that tidies up behind it is not told again."""

    def __init__(self, file: BinaryIO) -> None:
        self._file: BinaryIO | None = file

    def write(self, data: bytes) -> int:
        if self._file is None:
            return len(data)
        try:
            return self._file.write(data)
        except BaseException:
            self._file = None
            raise

    def seek(self, place: int, whence: int = 0) -> int:
        return self._file.seek(place, whence) if self._file else 0

    def tell(self) -> int:
        return self._file.tell() if self._file else 0

    def flush(self) -> None:
        if self._file:
            self._file.flush()


def held(text: str) -> str:
    """The text as a cell holds it: at most 32,767 units of UTF-16, which is how Excel counts; what is cut is marked."""
    safe = writable(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    if len(safe) <= LONGEST_CELL // 2 or len(safe.encode("utf-16-le")) <= 2 * LONGEST_CELL:
        return safe
    room = 2 * (LONGEST_CELL - len(CUT))
    return safe.encode("utf-16-le")[:room].decode("utf-16-le", "ignore") + CUT
