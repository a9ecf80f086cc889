"""Kept responses: a second SQLite file beside the crawl, named by the hash of their content, which can be thrown away.

Written before the main commit, so a kill leaves at most a response that nothing refers to.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core.errors import CorruptFile
from core.store.faults import translated
from core.store.query import row
from core.store.results import Response

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = """
CREATE TABLE IF NOT EXISTS response(
    hash BLOB NOT NULL PRIMARY KEY, -- SHA-256 of head and body, shortened to 16 bytes
    head BLOB NOT NULL,             -- JSON: status and headers, credentials redacted
    body BLOB NOT NULL              -- Zstandard
) WITHOUT ROWID"""


def responses_path(crawl_file: Path) -> Path:
    return Path(f"{crawl_file.resolve()}-responses")  # of the file itself, whatever link leads to it


class Responses:
    """Opened when the first response is kept or asked for."""

    def __init__(self, crawl_file: Path) -> None:
        self._path = responses_path(crawl_file)
        self._connection: apsw.Connection | None = None

    def keep(self, responses: Sequence[Response]) -> None:
        """Store responses; one that is there already is left as it is. CorruptFile where the file is none of ours."""
        with translated(self._path):
            connection = self._open()
            with connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO response(hash, head, body) VALUES (?, ?, ?)",
                    [(response.hash, response.head, response.body) for response in responses],
                )

    def read(self, name: bytes) -> Response | None:
        """The response of that hash; None where it is kept no more. CorruptFile where the file is none of ours."""
        if self._connection is None and not self._path.exists():
            return None
        with translated(self._path):
            found = row(self._open(), "SELECT hash, head, body FROM response WHERE hash = ?", (name,))
        return Response(*found) if found else None

    def keeps(self, name: bytes) -> bool:
        """Whether the response of that hash is kept still: the file may have been thrown away, or made anew."""
        if self._connection is None and not self._path.exists():
            return False
        with translated(self._path):
            return row(self._open(), "SELECT 1 FROM response WHERE hash = ?", (name,)) is not None

    def close(self) -> None:
        if self._connection is not None:
            with translated(self._path):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._connection.close()
            self._connection = None

    def _open(self) -> apsw.Connection:
        if self._connection is None:
            try:
                self._connection = self._opened()
            except (apsw.NotADBError, apsw.CorruptError, apsw.CantOpenError, apsw.SQLError) as error:
                raise CorruptFile(
                    f"{self._path}, where responses are kept, cannot be used: {error}.",
                    "Delete it and start again: a new one is made, and the crawl itself loses nothing.",
                ) from error
        return self._connection

    def _opened(self) -> apsw.Connection:
        connection = apsw.Connection(str(self._path))
        connection.setbusytimeout(5000)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(TABLE)
        connection.execute("SELECT hash, head, body FROM response LIMIT 0")
        return connection
