"""A file is made aside, under a hidden name in its folder, and has its own name when it is whole.

So a kill in the middle leaves nothing under that name. What it leaves under the hidden one is removed when a later file
is made in the same folder.
"""

from __future__ import annotations

import glob
import os
import re
import secrets
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core.errors import FileExists, FileMissing
from core.store.faults import translated
from core.store.header import check_name

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDE_FILES = ("-wal", "-shm", "-journal")
ABANDONED_AFTER = 3600.0  # seconds without a change: whoever makes a file writes to it all the time

_ASIDE = re.compile(r"\..+\.[0-9a-f]{12}\.new")


@contextmanager
def made_aside(path: Path) -> Iterator[Path]:
    """An empty file to be filled within the block; when that ends well, `path` is its name.

    FileExists rather than take the place of another file, FileMissing where the folder is not there. Side files that
    an older file of that name left behind are removed, so that no old page is replayed into the new one.
    """
    refuse_taken(path)
    with translated(path):
        sweep(path.parent, time.time())
        with temporary_beside(path) as temporary:
            yield temporary
            _sync(temporary)
            _remove_side_files(path)
            _publish(temporary, path)


@contextmanager
def put_in_place_of(path: Path) -> Iterator[Path]:
    """The same for a file that takes the place of `path` in one step. Nobody may have that open."""
    with translated(path), temporary_beside(path) as temporary:
        yield temporary
        _sync(temporary)
        _remove_side_files(path)
        temporary.replace(path)


def refuse_taken(path: Path) -> None:
    """Raises the error that fits where no new file of that name can be made."""
    check_name(path)
    if path.exists():
        raise FileExists(f"{path} exists already.", "Choose another name; a file is never written over.")
    if not path.parent.is_dir():
        raise FileMissing(f"The folder {path.parent} does not exist.", "Make it first, or choose another.")


def sweep(folder: Path, at: float) -> None:
    """Remove what a killed maker left behind: old, and held by nobody."""
    for found in folder.iterdir():
        if _ASIDE.fullmatch(found.name) and _is_abandoned(found, at):
            _remove(found)


def drop_twins(path: Path) -> bool:
    """Take from a finished file the hidden name it was made under, where a kill left it both; whether there was one."""
    found = [twin for twin in path.parent.glob(f".{glob.escape(path.name)}.*.new") if _ASIDE.fullmatch(twin.name)]
    twins = [twin for twin in found if twin.samefile(path)]
    for twin in twins:
        with suppress(OSError):
            twin.unlink()
    return bool(twins)


def _is_abandoned(file: Path, at: float) -> bool:
    try:
        newest = max(part.stat().st_mtime for part in (file, *_sides(file)) if part.exists())
        if at - newest < ABANDONED_AFTER:
            return False
        connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        finally:
            connection.close(force=True)
    except (apsw.NotADBError, apsw.CorruptError):
        return True  # it was cut off while it was made
    except (apsw.Error, OSError, ValueError):
        return False  # in use, another's, or gone by now
    return True


@contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """A new empty file of no other's name, with the mode the user's umask gives any file; gone at the end."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.new")
    os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        yield temporary
    finally:
        _remove(temporary)


def _remove(file: Path) -> None:
    for part in (file, *_sides(file)):
        part.unlink(missing_ok=True)


def _sides(file: Path) -> tuple[Path, ...]:
    return tuple(Path(f"{file}{side}") for side in SIDE_FILES)


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
    for side in _sides(path):
        side.unlink(missing_ok=True)
