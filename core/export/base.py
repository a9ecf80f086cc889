"""Writing a table to a file: one moment of the crawl, whole or not there.

What is exported is what is shown: the same query, with its filter, order and columns. The rows are read in one
read transaction, so a running crawl moves nothing in them; the file is written beside its place and renamed.
"""

from __future__ import annotations

import io
import os
import secrets
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from core.errors import BadInput, FileMissing, FronteiraError
from core.export.about import about_text
from core.export.csv import Csv
from core.export.jsonl import JsonLines
from core.export.parquet import Parquet
from core.export.warc import Warc
from core.export.xlsx import Xlsx
from core.store.crawl_file import SIDE_FILES
from core.store.faults import translated
from core.store.header import true_name
from core.store.lock import lock_path
from core.store.read.select import columns_of
from core.store.read.snapshot import Interrupted, Snapshot
from core.store.read.tables import table
from core.store.responses import responses_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from typing_extensions import Buffer

    from core.export.format import Format, RowWriter
    from core.store.read.columns import TableQuery

FORMATS: tuple[Format, ...] = (Csv(), JsonLines(), Xlsx(), Parquet(), Warc(), Warc("warc.gz"))
STEP = 1_000  # rows between two looks at progress and cancelling


class Cancelled(FronteiraError):
    """The person who asked for the export took it back. No file was written."""


def export(
    path: Path,
    query: TableQuery,
    to: Path,
    format: str,  # noqa: A002 # the word of the command line
    *,
    raw: bool = False,
    bom: bool = False,
    about: bool = False,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    now: Callable[[], float] = time.time,
) -> int:
    """Write what `query` shows of the crawl file `path` to `to`, in place of what is there; the number of rows.

    `raw` leaves cells as they are that a spreadsheet would take for formulas; `bom` begins a CSV with a byte order
    mark; `about` writes `<to>.about.json` beside it. `progress` hears rows done and rows in all. Raises BadInput for
    a format, table, column or value that cannot be, Cancelled, DiskFull, and the other faults of files.
    """
    chosen = _format(format)
    if isinstance(chosen, Warc):
        chosen, query = replace(chosen, crawl=path), replace(query, columns=())
    _check_place(path, to)
    snapshot = Snapshot(path)
    try:
        with snapshot.held(cancelled), _beside(to, cancelled) as file:
            columns = columns_of(table(query.table, snapshot.settings()), query)
            writer = chosen.writer(file, columns, raw=raw, bom=bom)
            try:
                rows = _copy(snapshot, query, writer, progress, cancelled)
            except BaseException:
                writer.drop()
                raise
            text = about_text(snapshot, path, query, format, rows, now()) if about else ""
    except Interrupted:
        raise _cancelled() from None
    finally:
        snapshot.close()
    if about:
        with _beside(to.with_name(f"{to.name}.about.json")) as file:
            file.write(text.encode())
    return rows


def _copy(
    snapshot: Snapshot,
    query: TableQuery,
    writer: RowWriter,
    progress: Callable[[int, int], None] | None,
    cancelled: Callable[[], bool] | None,
) -> int:
    total = snapshot.build(query)
    for start in range(0, total, STEP):
        if cancelled and cancelled():
            raise _cancelled()
        page = snapshot.native_page if writer.native else snapshot.page
        rows = page(start, STEP)
        writer.write([row.cells for row in rows])
        if progress:
            progress(start + len(rows), total)
    writer.close()
    return total


def _cancelled() -> Cancelled:
    return Cancelled("The export was cancelled; no file was written.")


def _format(name: str) -> Format:
    for each in FORMATS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise BadInput(f"“{name}” is no format of an export.", f"Available are {names}.")


def _check_place(path: Path, to: Path) -> None:
    if not to.parent.is_dir():
        raise FileMissing(f"The folder {to.parent} does not exist.", "Make it first, or choose another.")
    if to.is_dir():
        raise BadInput(f"{to} is a folder.", "Give the name of a file.")
    if to.exists() and not to.is_file():
        raise BadInput(f"{to} is no ordinary file.", "Give the name of a file; it is written whole and then renamed.")
    crawl = true_name(path)
    beside = (crawl.with_name(f"{crawl.name}{side}") for side in SIDE_FILES)
    if true_name(to) in {crawl, lock_path(crawl), responses_path(crawl), *beside}:
        raise BadInput(f"{to} belongs to the crawl itself.", "Choose another name for the export.")


class Unwanted(io.BufferedWriter):
    """A file that takes no more when nobody wants it: a format may write for minutes between two of our looks."""

    def __init__(self, path: Path, cancelled: Callable[[], bool] | None) -> None:
        super().__init__(io.FileIO(path, "xb"))
        self._cancelled = cancelled

    def write(self, data: Buffer, /) -> int:
        if self._cancelled and self._cancelled():
            raise _cancelled()
        return super().write(data)


@contextmanager
def _beside(to: Path, cancelled: Callable[[], bool] | None = None) -> Iterator[BinaryIO]:
    """A file that takes its name only when the block ends well and its bytes are on the disk."""
    with translated(to):
        temporary = to.parent / f".fronteira-{secrets.token_hex(8)}.part"
        try:
            with Unwanted(temporary, cancelled) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(to)
        finally:
            temporary.unlink(missing_ok=True)
