"""The program with a fate: `python -m tests.system.soak.doomed FATE run FILE` and so on."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING
from unittest import mock

import apsw

from core.cli import main
from core.store import ballast, crawl_file
from core.store.write import writer
from tests.system.soak.fate import Fate
from tests.system.soak.fateful_disk import FatefulDisk

if TYPE_CHECKING:
    from pathlib import Path


def fold_every(pages: int) -> None:
    """Let SQLite fold the WAL into the file after so many pages; as it is, a small crawl does so only at its end."""

    def open_writer(path: Path) -> apsw.Connection:
        connection = crawl_file.open_writer(path)
        connection.execute(f"PRAGMA wal_autocheckpoint={pages}")
        return connection

    mock.patch.object(writer, "open_writer", open_writer).start()


def ballast_on(disk: FatefulDisk) -> None:
    """The room that an engine keeps in reserve is on that disk too."""
    drop = ballast.Ballast.drop

    def drop_once(held: ballast.Ballast) -> None:
        if disk.room is not None and not held._file.closed:
            disk.room += ballast.ROOM
        drop(held)

    mock.patch.object(ballast.Ballast, "drop", drop_once).start()


def close_in_silence() -> None:
    """SQLite says nothing of a checkpoint that fails as a connection closes; the made disk's error comes through."""
    from peewee import Database  # an engine does without

    close = Database._close  # type: ignore[attr-defined] # the stub knows public names only

    def closed(database: Database, connection: apsw.Connection) -> None:
        with suppress(apsw.FullError):
            close(database, connection)

    mock.patch.object(Database, "_close", closed).start()


def keep_what_is_asked(disk: FatefulDisk) -> None:
    """Files that the program itself has the disk keep."""
    fsync = os.fsync

    def kept(file: int) -> None:
        fsync(file)
        disk.keep(file)

    mock.patch.object(os, "fsync", kept).start()


def live(fate: Fate, arguments: list[str]) -> int:
    disk = FatefulDisk(fate)
    ballast_on(disk)
    keep_what_is_asked(disk)
    if fate.kind == "full":
        close_in_silence()
    if fate.fold_every:
        fold_every(fate.fold_every)
    sys.addaudithook(disk.hear)
    return main(arguments)


if __name__ == "__main__":
    sys.exit(live(Fate.of(sys.argv[1]), sys.argv[2:]))
