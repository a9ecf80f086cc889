"""One look at a crawl file: everything that is read within is of one moment, whatever an engine writes meanwhile."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from core.store.crawl_file import connect
from core.store.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import apsw


@contextmanager
def look(connection: apsw.Connection) -> Iterator[None]:
    """A read transaction on an open connection. Keep it short: the WAL grows behind it."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def look_into(path: Path) -> Iterator[apsw.Connection]:
    """The same on a connection of its own; raises the FileError or StorageError that fits."""
    database = connect(path)
    try:
        with translated(path):
            connection: apsw.Connection = database.connection()
            with look(connection):
                yield connection
    finally:
        database.close()
