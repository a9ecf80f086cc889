"""What the first bytes of a file say: whether it is a crawl file, of which form, and whether it is whole."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import apsw

from core.errors import BadInput, CorruptFile, FileMissing, ManyNames, NotACrawl, ReadOnlyFile
from core.store.faults import SALVAGE
from core.store.names import APPLICATION_ID, SCHEMA_VERSION

MAGIC = b"SQLite format 3\x00"
LONGEST_PATH = 480  # bytes; SQLite opens up to 512, side files included
LONGEST_NAME = 220  # bytes; file systems allow 255, and a new file has a longer name while it is made


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the bytes of a crawl file say before it is opened.

    A file of a later version, or one with several names, is never writable.
    """

    path: Path
    bytes: int
    version: int
    writable: bool
    names: int = 1  # hard links

    @property
    def newer(self) -> bool:
        """Whether a later version of the program made it."""
        return self.version > SCHEMA_VERSION

    @property
    def older(self) -> bool:
        """Whether an earlier version of the program made it."""
        return self.version < SCHEMA_VERSION


def inspect(path: Path) -> Inspection:
    """Tell a crawl file by its first bytes, without opening it. Raises the FileError that fits."""
    check_name(path)
    if not path.exists():
        raise FileMissing(f"There is no file {path}.", "Check the name, or make a new crawl.")
    if not path.is_file():
        raise NotACrawl(f"{path} is {'a folder' if path.is_dir() else 'no ordinary file'}, not a crawl file.")
    head, size = _head(path)
    version = _version_from(path, head)
    _check_size(path, head, size)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    names = path.stat().st_nlink
    return Inspection(path, size, version, writable and version <= SCHEMA_VERSION and names == 1, names)


def refuse_to_write(inspected: Inspection) -> None:
    """Raises ManyNames or ReadOnlyFile where a file of this form cannot be written.

    SQLite keeps the WAL beside the name that a file was opened by: under another name of the same file neither its
    pages nor its locks are seen, and two engines would ruin it.
    """
    path = inspected.path
    if inspected.names > 1:
        raise ManyNames(
            f"{path} has {inspected.names} names (hard links), and is written under one name only.",
            "Make a copy of its own with `fronteira backup FILE TO` and use that, or delete the other names.",
        )
    if not inspected.writable:
        raise ReadOnlyFile(f"{path} cannot be written.", "Copy it to a folder where you may write.")


def true_name(path: Path) -> Path:
    """The whole name behind all symbolic links; links that lead in a circle stay as they are, and lead nowhere."""
    return Path(os.path.realpath(path))  # `Path.resolve` raises RuntimeError at such a circle


def check_name(path: Path) -> None:
    """Room for the names of the side files, and within what SQLite can open."""
    whole = os.path.abspath(path)  # noqa: PTH100 - a link that leads nowhere is another fault
    if any("\ud800" <= letter <= "\udfff" for letter in whole):
        raise BadInput(f"The name {path} is no Unicode text.", "Rename the file or its folder.")
    if len(whole.encode()) > LONGEST_PATH or len(path.name.encode()) > LONGEST_NAME:
        raise BadInput(
            f"The name {path} is too long: {LONGEST_NAME} bytes are allowed, and {LONGEST_PATH} with its folders.",
            "Choose a shorter one.",
        )


def _head(path: Path) -> tuple[bytes, int]:
    """The first bytes and the size, read by SQLite's own means.

    POSIX drops all of a process's locks on a file when any descriptor of it is closed: reading the file ourselves
    would take the locks from a connection that is open in this process. SQLite keeps the descriptor until then.
    """
    try:
        file = apsw.VFSFile("", str(path), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    except apsw.Error as error:
        raise ReadOnlyFile(f"{path} cannot be read.", "Ask for the right to read it.") from error
    try:
        size = file.xFileSize()
        return file.xRead(min(100, size), 0), size
    except apsw.Error as error:
        raise ReadOnlyFile(f"{path} cannot be read: {error}.", "Check the disk.") from error
    finally:
        file.xClose()


def _version_from(path: Path, head: bytes) -> int:
    if len(head) < 100 or not head.startswith(MAGIC):
        raise NotACrawl(
            f"{path} is not a crawl file.",
            "Open a file that Fronteira made (its name ends in .crawl). If it is one and its beginning is damaged, "
            "rescue its rows: `fronteira salvage FILE TO`.",
        )
    version, _, application = struct.unpack(">III", head[60:72])
    if int(application) != APPLICATION_ID:
        raise NotACrawl(f"{path} is another program's database, not a crawl file.", "It was not changed.")
    return int(version)


def _check_size(path: Path, head: bytes, size: int) -> None:
    page = struct.unpack(">H", head[16:18])[0]
    page = 65536 if page == 1 else page
    counted = struct.unpack(">I", head[28:32])[0]
    trusted = head[24:28] == head[92:96]  # the size in the header counts only then (SQLite file format, 1.3.8)
    if page < 512 or (trusted and size < counted * page and not _has_wal(path)):
        raise CorruptFile(f"{path} is damaged: it is shorter than it says it is.", SALVAGE)


def _has_wal(path: Path) -> bool:
    """Whether pages lie in a WAL: a checkpoint that a kill cut short leaves the file shorter than its header says."""
    wal = Path(f"{path}-wal")
    return wal.exists() and wal.stat().st_size > 0
