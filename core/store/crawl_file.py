"""One crawl is one file: making it, telling whether a file is one, opening it, copying it.

Nothing here changes a file it has doubts about. `create` is whole or not there; `inspect` only reads bytes;
`connect` is for readers (window, command line), `open_writer` for the one holder of the engine lock.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core import __version__
from core.errors import DiskFull, FileMissing, ReadOnlyFile
from core.store.aside import SIDE_FILES as SIDE_FILES  # noqa: PLC0414 - part of what this file is to others
from core.store.aside import drop_twins, made_aside, refuse_taken
from core.store.faults import translated
from core.store.forms import CAREFUL, check_form, harden
from core.store.forms import schema_fingerprint as schema_fingerprint  # noqa: PLC0414 - likewise
from core.store.header import Inspection as Inspection  # noqa: PLC0414 - likewise
from core.store.header import inspect as inspect  # noqa: PLC0414 - likewise
from core.store.header import refuse_to_write
from core.store.names import APPLICATION_ID, SCHEMA_VERSION, UrlState
from core.store.stored_settings import stored
from core.urls.rules import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from playhouse.apsw_ext import APSWDatabase

    from core.settings import CrawlSettings

BUSY_MILLISECONDS = 5000
WRITER_WAITS = 40_000  # milliseconds: a backup program may hold a lock for half a minute, and the crawl goes on


def create(path: Path, settings: CrawlSettings) -> None:
    """Make a new crawl file: FileExists rather than write over one, whole or not there after a kill."""
    with made_aside(path) as temporary:
        fill(temporary, settings)


def connect(path: Path, *, query_only: bool = True) -> APSWDatabase:
    """A peewee database for one reader in one thread; it may not write unless asked.

    Opened read-write with `query_only` where possible, because a `mode=ro` reader leaves side files behind.
    """
    from playhouse.apsw_ext import APSWDatabase  # the engine does without peewee: 0.04 s of its start

    inspected = _inspected(path)
    if not query_only and not inspected.newer:
        refuse_to_write(inspected)
    flags = apsw.SQLITE_OPEN_READWRITE if inspected.writable else apsw.SQLITE_OPEN_READONLY
    name = str(path)
    if not inspected.writable and not Path(f"{path}-wal").exists():
        name, flags = f"{path.resolve().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
    pragmas = [tuple(text.split("=")) for text in (*CAREFUL, f"query_only={int(query_only)}")]
    database = APSWDatabase(name, timeout=BUSY_MILLISECONDS / 1000, flags=flags, pragmas=pragmas)
    try:
        with translated(path):
            connection = database.connection()
            harden(connection)
            check_form(connection, inspected, reading=query_only)
    except ReadOnlyFile as fault:
        database.close()
        if inspected.writable or not query_only:
            raise
        raise ReadOnlyFile(
            f"{path} was not closed in order, and cannot be read where nothing may be written.",
            "Copy it, with the -wal file beside it, to a folder where you may write.",
        ) from fault
    except BaseException:
        database.close()
        raise
    return database


def _inspected(path: Path) -> Inspection:
    """What the file is, without the hidden second name that a maker killed at its last step has left it."""
    inspected = inspect(path)
    return inspect(path) if inspected.names > 1 and drop_twins(path) else inspected


def open_writer(path: Path) -> apsw.Connection:
    """The connection of the one writer: WAL, NORMAL, few checkpoints.

    At 16,000 pages between checkpoints 144 KB are written a page where the default of 1,000 writes 554.
    """
    inspected = _inspected(path)
    if not inspected.newer:
        refuse_to_write(inspected)
    with translated(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(WRITER_WAITS)
            harden(connection)
            for pragma in CAREFUL:
                connection.execute(f"PRAGMA {pragma}")
            check_form(connection, inspected, reading=False)  # before anything is written
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=16000"):
                connection.execute(f"PRAGMA {pragma}")
            connection.execute("PRAGMA journal_size_limit=67108864")
            connection.execute("PRAGMA cache_size=-32000")
        except BaseException:
            connection.close(force=True)
            raise
    return connection


def backup(path: Path, to: Path, progress: Callable[[float], None] | None = None) -> None:
    """A consistent copy while the crawl runs, by SQLite's backup.

    The source is read in one transaction: without it the backup begins again at each commit of the engine.
    `progress` hears the share that is done, from 0 to 1. FileExists rather than write over a file.
    """
    refuse_taken(to)
    source = connect(path)
    try:
        check_room(path, to)
        with made_aside(to) as temporary:
            copy(source.connection(), temporary, progress)
    finally:
        source.close()


def copy(source: apsw.Connection, to: Path, progress: Callable[[float], None] | None) -> None:
    """All pages of an open file into another, as they are at one moment."""
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


def check_room(path: Path, to: Path, *, copies: int = 1) -> None:
    """Raises DiskFull where so many files of this size have no room beside `to`."""
    import shutil

    if not to.parent.is_dir():
        raise FileMissing(f"The folder {to.parent} does not exist.", "Make it first, or choose another.")
    needed = copies * path.stat().st_size
    if shutil.disk_usage(to.parent).free < needed:
        raise DiskFull(
            f"The copy needs {needed:,} bytes, and {to.parent} has less free.", "Make room, or choose another."
        )


def fill(path: Path, settings: CrawlSettings) -> None:
    """The tables of a crawl that has not begun, in an empty file."""
    from peewee import SchemaManager
    from playhouse.apsw_ext import APSWDatabase

    from core.store.schema import TABLES, Meta, Setting, UrlStateName

    database = APSWDatabase(str(path))
    now = time.time()
    with database.atomic():
        for table in TABLES:
            SchemaManager(table, database).create_all(safe=False)
        facts = {
            "created": now,
            "program": f"Fronteira {__version__}",
            "rules_version": RULES_VERSION,
            "tenant": settings.tenant,
        }
        Meta.insert_many([{"name": name, "value": str(value)} for name, value in facts.items()]).execute(database)
        UrlStateName.insert_many([{"id": int(state), "name": state.label} for state in UrlState]).execute(database)
        Setting.insert(version=1, at=now, json=stored(settings)).execute(database)
    database.execute_sql(f"PRAGMA application_id={APPLICATION_ID}")
    database.execute_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
    database.execute_sql("PRAGMA journal_mode=WAL")
    database.close()
