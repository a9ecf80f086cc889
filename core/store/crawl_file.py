"""One crawl is one file: making it, telling whether a file is one, opening it, copying it.

Nothing here changes a file it has doubts about. `create` is whole or not there; `inspect` only reads bytes;
`connect` is for readers (window, command line), `open_writer` for the one holder of the engine lock.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core import __version__
from core.errors import (
    BadInput,
    CorruptFile,
    DiskFull,
    FileExists,
    FileMissing,
    ForeignFile,
    NewerFile,
    NotACrawl,
    ReadOnlyFile,
)
from core.settings import CrawlSettings, encode
from core.store.faults import translated
from core.store.names import APPLICATION_ID, SCHEMA_FINGERPRINT, SCHEMA_VERSION, UrlState

if TYPE_CHECKING:
    from collections.abc import Callable

    from playhouse.apsw_ext import APSWDatabase

BUSY_MILLISECONDS = 5000
MAGIC = b"SQLite format 3\x00"
LONGEST_PATH = 480  # bytes; SQLite opens up to 512, side files included
LONGEST_NAME = 220  # bytes; file systems allow 255, and a new file has a longer name while it is made
SIDE_FILES = ("-wal", "-shm", "-journal")

# Untrusted until proven: no code from the schema runs, damaged cells are noticed, nothing is mapped.
CAREFUL = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY")


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What the bytes of a crawl file say before it is opened."""

    path: Path
    bytes: int
    version: int
    writable: bool


def create(path: Path, settings: CrawlSettings) -> None:
    """Make a new crawl file: FileExists rather than write over one, whole or not there after a kill.

    Side files left behind by an older file of that name are removed, so that no old page is replayed into it.
    """
    _check_name(path)
    if path.exists():
        raise FileExists(f"{path} exists already.", "Choose another name; a crawl file is never written over.")
    if not path.parent.is_dir():
        raise FileMissing(f"The folder {path.parent} does not exist.", "Make it first, or choose another.")
    with translated(path):
        temporary = _temporary_beside(path)
        try:
            _fill(temporary, settings)
            _sync(temporary)
            _remove_side_files(path)
            _publish(temporary, path)
        finally:
            for leftover in (temporary, *(Path(f"{temporary}{side}") for side in SIDE_FILES)):
                leftover.unlink(missing_ok=True)


def inspect(path: Path) -> FileInfo:
    """Tell a crawl file by its first bytes, without opening it. Raises the FileError that fits."""
    _check_name(path)
    if not path.exists():
        raise FileMissing(f"There is no file {path}.", "Check the name, or make a new crawl.")
    if not path.is_file():
        raise NotACrawl(f"{path} is a folder, not a crawl file.")
    try:
        with path.open("rb") as file:
            head = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except OSError as error:
        raise ReadOnlyFile(f"{path} cannot be read: {error.strerror}.") from error
    version = _version_from(path, head)
    _check_size(path, head, size)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return FileInfo(path, size, version, writable)


def connect(path: Path, *, query_only: bool = True) -> APSWDatabase:
    """A peewee database for one reader in one thread; it may not write unless asked.

    Opened read-write with `query_only` where possible, because a `mode=ro` reader leaves side files behind.
    """
    from playhouse.apsw_ext import APSWDatabase  # the engine does without peewee: 0.04 s of its start

    info = inspect(path)
    flags = apsw.SQLITE_OPEN_READWRITE if info.writable else apsw.SQLITE_OPEN_READONLY
    name = str(path)
    if not info.writable and not Path(f"{path}-wal").exists():
        name, flags = f"{path.resolve().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
    pragmas = [tuple(text.split("=")) for text in (*CAREFUL, f"query_only={int(query_only)}")]
    database = APSWDatabase(name, timeout=BUSY_MILLISECONDS / 1000, flags=flags, pragmas=pragmas)
    with translated(path):
        connection = database.connection()
        _harden(connection)
        check_schema(connection, path)
    return database


def open_writer(path: Path) -> apsw.Connection:
    """The connection of the one writer: WAL, NORMAL, few checkpoints.

    At 16,000 pages between checkpoints 144 KB are written a page where the default of 1,000 writes 554.
    """
    info = inspect(path)
    if not info.writable:
        raise ReadOnlyFile(f"{path} cannot be written.", "Copy it to a folder where you may write.")
    with translated(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.setbusytimeout(BUSY_MILLISECONDS)
        _harden(connection)
        for pragma in (*CAREFUL, "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=16000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA journal_size_limit=67108864")
        connection.execute("PRAGMA cache_size=-32000")
        check_schema(connection, path)
    return connection


def check_schema(connection: apsw.Connection, path: Path) -> None:
    """Every table and index must be exactly ours: a trigger or a view could run in our name."""
    if schema_fingerprint(connection) != SCHEMA_FINGERPRINT:
        raise ForeignFile(
            f"{path} has the marks of a crawl file but other tables than this program makes.",
            "It was changed by another program and is not opened.",
        )


def schema_fingerprint(connection: apsw.Connection) -> str:
    """SHA-256 over all schema texts in a fixed order, shortened. SQLite's own tables do not count."""
    rows = connection.execute(
        "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "ORDER BY name"
    ).fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def backup(path: Path, to: Path, progress: Callable[[float], None] | None = None) -> None:
    """A consistent copy while the crawl runs, by SQLite's backup.

    The source is read in one transaction: without it the backup begins again at each commit of the engine.
    `progress` hears the share that is done, from 0 to 1. FileExists rather than write over a file.
    """
    _check_name(to)
    if to.exists():
        raise FileExists(f"{to} exists already.", "Choose another name; a copy is never written over a file.")
    source = connect(path)
    try:
        _check_room(path, to)
        with translated(to):
            temporary = _temporary_beside(to)
            try:
                _copy(source.connection(), temporary, progress)
                _sync(temporary)
                _remove_side_files(to)
                _publish(temporary, to)
            finally:
                for leftover in (temporary, *(Path(f"{temporary}{side}") for side in SIDE_FILES)):
                    leftover.unlink(missing_ok=True)
    finally:
        source.close()


def _copy(source: apsw.Connection, to: Path, progress: Callable[[float], None] | None) -> None:
    target = apsw.Connection(str(to))
    try:
        source.execute("BEGIN")  # one snapshot, whatever the engine commits meanwhile
        source.execute("SELECT count(*) FROM meta").fetchall()
        with target.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(4096)
                if progress:
                    progress(1 - copying.remaining / max(1, copying.page_count))
        source.execute("COMMIT")
        target.execute("PRAGMA journal_mode=WAL")
    finally:
        target.close()


def _check_room(path: Path, to: Path) -> None:
    import shutil

    if not to.parent.is_dir():
        raise FileMissing(f"The folder {to.parent} does not exist.", "Make it first, or choose another.")
    needed = path.stat().st_size
    if shutil.disk_usage(to.parent).free < needed:
        raise DiskFull(
            f"The copy needs {needed:,} bytes, and {to.parent} has less free.", "Make room, or choose another."
        )


def _check_name(path: Path) -> None:
    """Room for the names of the side files, and within what SQLite can open."""
    whole = os.path.abspath(path)  # noqa: PTH100 - a link that leads nowhere is another fault
    if any("\ud800" <= letter <= "\udfff" for letter in whole):
        raise BadInput(f"The name {path} is no Unicode text.", "Rename the file or its folder.")
    if len(whole.encode()) > LONGEST_PATH or len(path.name.encode()) > LONGEST_NAME:
        raise BadInput(
            f"The name {path} is too long: {LONGEST_NAME} bytes are allowed, and {LONGEST_PATH} with its folders.",
            "Choose a shorter one.",
        )


def _version_from(path: Path, head: bytes) -> int:
    if len(head) < 100 or not head.startswith(MAGIC):
        raise NotACrawl(f"{path} is not a crawl file.", "Open a file that Fronteira made (its name ends in .crawl).")
    version, _, application = struct.unpack(">III", head[60:72])
    version, application = int(version), int(application)
    if application != APPLICATION_ID:
        raise NotACrawl(f"{path} is another program's database, not a crawl file.", "It was not changed.")
    if version > SCHEMA_VERSION:
        raise NewerFile(
            f"{path} was made by a later version of Fronteira (format {version}; this one knows {SCHEMA_VERSION}).",
            "Update Fronteira to open it.",
        )
    return version


def _check_size(path: Path, head: bytes, size: int) -> None:
    page = struct.unpack(">H", head[16:18])[0]
    page = 65536 if page == 1 else page
    counted = struct.unpack(">I", head[28:32])[0]
    trusted = head[24:28] == head[92:96]  # the size in the header counts only then (SQLite file format, 1.3.8)
    if page < 512 or (trusted and size < counted * page and not _has_wal(path)):
        raise CorruptFile(
            f"{path} is damaged: it is shorter than it says it is.",
            "Use a backup, or rescue the rows with `sqlite3 FILE .recover`.",
        )


def _has_wal(path: Path) -> bool:
    """Whether pages lie in a WAL: a checkpoint that a kill cut short leaves the file shorter than its header says."""
    wal = Path(f"{path}-wal")
    return wal.exists() and wal.stat().st_size > 0


def _fill(path: Path, settings: CrawlSettings) -> None:
    from peewee import SchemaManager
    from playhouse.apsw_ext import APSWDatabase

    from core.store.schema import TABLES, Meta, Setting, UrlStateName

    database = APSWDatabase(str(path))
    now = time.time()
    with database.atomic():
        for table in TABLES:
            SchemaManager(table, database).create_all(safe=False)
        facts = {"created": now, "program": f"Fronteira {__version__}", "rules_version": 1, "tenant": settings.tenant}
        Meta.insert_many([{"name": name, "value": str(value)} for name, value in facts.items()]).execute(database)
        UrlStateName.insert_many([{"id": int(state), "name": state.label} for state in UrlState]).execute(database)
        Setting.insert(version=1, at=now, json=encode(settings)).execute(database)
    database.execute_sql(f"PRAGMA application_id={APPLICATION_ID}")
    database.execute_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
    database.execute_sql("PRAGMA journal_mode=WAL")
    database.close()


def _temporary_beside(path: Path) -> Path:
    """A new empty file of no other's name, with the mode the user's umask gives any file."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.new")
    os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
    return temporary


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _publish(temporary: Path, path: Path) -> None:
    """Give the finished file its name, never over another: a hard link where there are any, else a rename."""
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise FileExists(f"{path} exists already.", "Choose another name.") from error
    except OSError:
        if path.exists():
            raise FileExists(f"{path} exists already.", "Choose another name.") from None
        temporary.rename(path)


def _remove_side_files(path: Path) -> None:
    for side in SIDE_FILES:
        Path(f"{path}{side}").unlink(missing_ok=True)


def _harden(connection: apsw.Connection) -> None:
    for option, value in (
        (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
        (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ):
        connection.config(option, value)
