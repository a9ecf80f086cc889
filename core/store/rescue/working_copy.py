"""A file as SQLite would see it, in one private copy: what its WAL holds in place, its header such that it can be read.

The original is only read, by SQLite's own means, and only byte by byte.
"""

from __future__ import annotations

import struct
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core.errors import ReadOnlyFile
from core.store.aside import temporary_beside
from core.store.forms import harden
from core.store.header import MAGIC
from core.store.rescue.pages import page_size_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 1 << 20
SECTOR = 4096


@contextmanager
def working_copy(path: Path, to: Path) -> Iterator[tuple[Path, int]]:
    """The copy, beside a file that is to be made, and its page size; gone at the end. ReadOnlyFile, DiskFull."""
    with temporary_beside(to) as work:
        yield work, _copy_aside(path, work)


def _copy_aside(path: Path, work: Path) -> int:
    """Its page size."""
    wal, work_wal = Path(f"{path}-wal"), Path(f"{work}-wal")
    _copy_bytes(path, work)
    if wal.exists() and wal.stat().st_size > 0:
        _copy_bytes(wal, work_wal)
    with work.open("rb") as file, _opened(work_wal) as pages:
        size = page_size_of(file.read(100), pages)
    _mend_header(work, size, wal=work_wal.exists())
    if work_wal.exists():
        _fold_in(work)
        for side in ("-wal", "-shm"):
            Path(f"{work}{side}").unlink(missing_ok=True)
        _mend_header(work, size, wal=False)
    return size


@contextmanager
def _opened(wal: Path) -> Iterator[bytes]:
    """The first bytes of a WAL that may not be there."""
    if not wal.exists():
        yield b""
        return
    with wal.open("rb") as file:
        yield file.read(32)


def _copy_bytes(path: Path, to: Path) -> None:
    """Byte by byte; a place that the disk cannot read any more is zeros in the copy."""
    try:
        source = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    except apsw.Error as error:
        raise ReadOnlyFile(f"{path} cannot be read.", "Ask for the right to read it.") from error
    try:
        size = source.xFileSize()
        with to.open("wb") as copy:
            for at in range(0, size, CHUNK):
                copy.write(_read(source, at, min(CHUNK, size - at)))
    finally:
        source.xClose()


def _read(source: apsw.VFSFile, at: int, many: int) -> bytes:
    try:
        return source.xRead(many, at)
    except apsw.Error:
        if many <= SECTOR:
            return bytes(many)
        return b"".join(_read(source, place, min(SECTOR, at + many - place)) for place in range(at, at + many, SECTOR))


def _mend_header(work: Path, size: int, *, wal: bool) -> None:
    """The first hundred bytes as a crawl file has them (SQLite file format, 1.3), and whole pages."""
    with work.open("r+b") as file:
        length = file.seek(0, 2)
        pages = max(1, -(-length // size))
        file.truncate(pages * size)
        file.seek(0)
        head = bytearray(file.read(100))
        head[0:16] = MAGIC
        head[16:18] = struct.pack(">H", 1 if size == 65536 else size)
        head[18:24] = bytes((2 if wal else 1, 2 if wal else 1, 0, 64, 32, 32))
        head[28:32] = struct.pack(">I", pages)
        head[44:48], head[56:60] = struct.pack(">I", 4), struct.pack(">I", 1)  # schema format 4, UTF-8
        head[92:96] = head[24:28]  # the number of pages counts
        file.seek(0)
        file.write(head)


def _fold_in(work: Path) -> None:
    """Put the WAL's pages in their places, as far as SQLite finds them whole; without them there is only less."""
    with suppress(apsw.Error):
        connection = apsw.Connection(str(work), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            harden(connection)
            with suppress(apsw.Error):
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # this opens the WAL
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            connection.close(force=True)
