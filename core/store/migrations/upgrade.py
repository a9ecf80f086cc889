"""An older crawl file brought up to date: on a copy beside it, which takes its place when it has proved sound.

The original is kept beside it (`shop.before-v3.crawl`) until the analyst deletes it; the earlier version of the program
can open that one. A kill at any moment leaves either the old file or the new one under the name, never neither.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from core.errors import CorruptFile, FileExists, ForeignFile
from core.store.aside import made_aside, put_in_place_of
from core.store.crawl_file import BUSY_MILLISECONDS, check_room, copy
from core.store.faults import SALVAGE, translated
from core.store.forms import CAREFUL, harden, schema_fingerprint
from core.store.header import inspect, refuse_to_write
from core.store.lock import EngineLock
from core.store.migrations import MIGRATIONS, fingerprint_of
from core.store.query import rows, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from core.store.header import Inspection
    from core.store.migrations.migration import Migration


def bring_up_to_date(
    path: Path,
    progress: Callable[[float], None] | None = None,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Path | None:
    """Where the original is kept, or None where the file is not an older one.

    EngineHeld where an engine runs it, FileLocked where another program has it open, ForeignFile where it was changed,
    CorruptFile where it is damaged, DiskFull where there is no room for the copy. `progress` hears the share done.
    """
    inspected = inspect(path)
    if inspected.names > 1 and _drop_second_name(path, [migration.to for migration in migrations]):
        inspected = inspect(path)
    due = [migration for migration in migrations if migration.to > inspected.version]
    if not due or inspected.newer:
        return None
    refuse_to_write(inspected)
    lock = EngineLock.acquire(path)
    try:
        with translated(path):
            return _upgrade(inspected, due, progress)
    finally:
        lock.release()


def _upgrade(inspected: Inspection, due: Sequence[Migration], progress: Callable[[float], None] | None) -> Path:
    kept = _name_for_the_original(inspected.path, due[-1].to)
    check_room(inspected.path, kept)
    with put_in_place_of(inspected.path) as temporary, _alone(inspected):
        _copy(inspected.path, temporary, progress)
        _migrate(temporary, due)
        _keep(inspected.path, kept)
    return kept


@contextmanager
def _alone(inspected: Inspection) -> Iterator[apsw.Connection]:
    """Nobody else has the file open as this begins, and nobody writes to it within.

    Leaving the WAL mode is possible only for the last connection, and leaves no side file that the new file of this
    name could be mixed up with.
    """
    connection = _open(inspected.path)
    try:
        if schema_fingerprint(connection) != fingerprint_of(inspected.version):
            raise ForeignFile(
                f"{inspected.path} has the marks of an earlier crawl file but other tables.",
                "It is left as it is. Its rows can be copied into a new file: `fronteira salvage FILE TO`.",
            )
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
    finally:
        connection.close(force=True)


def _copy(path: Path, temporary: Path, progress: Callable[[float], None] | None) -> None:
    source = _open(path)
    try:
        copy(source, temporary, progress)
    finally:
        source.close()


def _migrate(file: Path, due: Sequence[Migration]) -> None:
    connection = _open(file)
    try:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("PRAGMA legacy_alter_table=ON")  # renaming a table leaves the text of others alone
        _refuse_damaged(connection, file)
        for migration in due:
            _run(connection, migration)
        _refuse_damaged(connection, file)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.close()


def _run(connection: apsw.Connection, migration: Migration) -> None:
    before = _counts(connection)
    connection.execute("BEGIN IMMEDIATE")
    migration.run(connection)
    connection.execute(f"PRAGMA user_version={migration.to}")
    connection.execute("COMMIT")
    if schema_fingerprint(connection) != migration.fingerprint:
        raise RuntimeError(f"Migration {migration.to} leaves other tables than it says.")
    after = _counts(connection)
    lost = [name for name in before if name not in migration.recounted and before[name] != after.get(name)]
    if lost:
        raise RuntimeError(f"Migration {migration.to} changes the number of rows in {', '.join(lost)}.")


def _counts(connection: apsw.Connection) -> dict[str, int]:
    """How many rows each table has."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    return {name: value(connection, f'SELECT count(*) FROM "{name}"') for (name,) in rows(connection, sql)}


def _refuse_damaged(connection: apsw.Connection, file: Path) -> None:
    found = value(connection, "PRAGMA quick_check(1)")
    if found != "ok":
        raise CorruptFile(f"{file} is damaged: {found}.", SALVAGE)


def _keep(path: Path, kept: Path) -> None:
    """A second name for the original, which the first one is about to leave; a copy where there are no hard links."""
    try:
        os.link(path, kept)
    except OSError:
        with made_aside(kept) as temporary:
            _copy(path, temporary, None)


def _name_for_the_original(path: Path, version: int) -> Path:
    kept = path.with_name(f"{path.stem}.before-v{version}{path.suffix}")
    if kept.exists():
        raise FileExists(
            f"{kept} is there already, and {path.name} would be kept under that name.", "Move one of them away."
        )
    return kept


def _drop_second_name(path: Path, versions: Sequence[int]) -> bool:
    """Take back the second name that an earlier try gave the original before it was cut off; whether it had."""
    names = (path.with_name(f"{path.stem}.before-v{version}{path.suffix}") for version in versions)
    twins = [name for name in names if name.exists() and name.samefile(path)]
    for twin in twins:
        twin.unlink()
    return bool(twins)


def _open(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    harden(connection)
    for pragma in CAREFUL:
        connection.execute(f"PRAGMA {pragma}")
    return connection
