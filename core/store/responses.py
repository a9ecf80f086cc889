"""Kept responses: a second SQLite file beside the crawl, named by the hash of their content, which can be thrown away.

Written before the main commit, so a kill leaves at most answers that the crawl file does not know: they are swept at
the next start. A body is stored once, however many pages answer with it. Where there is a cap, what goes first are the
answers of which their page has given a newer one, the oldest before the others; then, oldest first, the newest answers.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from core.errors import CorruptFile
from core.identity.content import content_hash
from core.store.faults import translated
from core.store.header import true_name
from core.store.query import row, rows, value
from core.store.results import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HASH_BYTES = 16
FORM = 1  # in `user_version`; 0: a file of before there were answers, or a new one
TABLE = """
CREATE TABLE IF NOT EXISTS response(
    hash BLOB NOT NULL PRIMARY KEY, -- SHA-256 of head and body, shortened to 16 bytes
    head BLOB NOT NULL,             -- JSON: status and headers, credentials redacted
    body BLOB NOT NULL              -- Zstandard
) WITHOUT ROWID"""
"""`body` is a hash in the table of bodies; files of earlier versions have the body itself there, which stays so."""
BODIES = """
CREATE TABLE IF NOT EXISTS body(
    hash BLOB NOT NULL PRIMARY KEY, -- SHA-256 of the content, shortened to 16 bytes
    content BLOB NOT NULL           -- Zstandard
) WITHOUT ROWID"""
ANSWERS = """
CREATE TABLE IF NOT EXISTS answer(
    id INTEGER NOT NULL PRIMARY KEY,
    url INTEGER NOT NULL,           -- in the crawl file
    at REAL NOT NULL,               -- of the capture
    newest INTEGER NOT NULL,        -- 1: the page has given no newer one
    response BLOB NOT NULL
)"""
INDEXES = (
    "CREATE INDEX IF NOT EXISTS response_body ON response(body) WHERE length(body) = 16",
    "CREATE INDEX IF NOT EXISTS answer_url ON answer(url, at)",
    "CREATE INDEX IF NOT EXISTS answer_response ON answer(response)",
    "CREATE INDEX IF NOT EXISTS answer_order ON answer(newest, at)",
)
LAYOUT = (TABLE, BODIES, ANSWERS, *INDEXES)

READ = """
SELECT response.hash, head, coalesce(content, body) FROM response LEFT JOIN body ON body.hash = response.body
WHERE response.hash = ?"""
ADD_ANSWER = "INSERT INTO answer(url, at, newest, response) VALUES (?, ?, 1, ?)"
OUTDATE = "UPDATE answer SET newest = 0 WHERE url = ? AND newest = 1"
RENEW = """
UPDATE answer SET newest = 1 WHERE id = (SELECT id FROM answer WHERE url = ? ORDER BY at DESC, id DESC LIMIT 1)"""
FIRST_TO_GO = "SELECT id, response FROM answer ORDER BY newest, at, id LIMIT ?"
SIZES = (
    "SELECT total(length(content)) FROM body",
    "SELECT total(length(head) + iif(length(body) = 16, 0, length(body))) FROM response",
)
PIECE = 50  # answers that go at a time


@dataclass(frozen=True, slots=True)
class Answered:
    """Which page gave a response, and when: as its capture has it."""

    url: int
    at: float
    response: bytes


class Responses:
    """Opened when the first response is kept or asked for. `most` bytes are kept in all, compressed; 0: any number."""

    def __init__(self, crawl_file: Path, most: int = 0) -> None:
        self._path = responses_path(crawl_file)
        self._connection: apsw.Connection | None = None
        self._size: int | None = None  # bytes kept; None: not counted yet
        self.most = most

    def keep(self, responses: Sequence[Response], answers: Sequence[Answered] = ()) -> None:
        """Store responses, and whose they are. CorruptFile where the file is none of ours."""
        with translated(self._path), self._changing() as connection:
            for response in responses:
                self._add(connection, response)
            for answer in answers:
                connection.execute(OUTDATE, (answer.url,))
                connection.execute(ADD_ANSWER, (answer.url, answer.at, answer.response))
            self._make_room(connection)

    def read(self, name: bytes) -> Response | None:
        """The response of that hash; None where it is kept no more. CorruptFile where the file is none of ours."""
        if not self.is_there:
            return None
        with translated(self._path):
            found = row(self._open(), READ, (name,))
        return Response(*found) if found else None

    def keeps(self, name: bytes) -> bool:
        """Whether the response of that hash is kept still: the file may have been thrown away, or made anew."""
        if not self.is_there:
            return False
        with translated(self._path):
            return row(self._open(), "SELECT 1 FROM response WHERE hash = ?", (name,)) is not None

    @property
    def is_there(self) -> bool:
        """Whether anything has been kept: else asking makes no file."""
        return self._connection is not None or self._path.exists()

    def size(self) -> int:
        """Bytes of all heads and bodies, as they are stored."""
        if not self.is_there:
            return 0
        with translated(self._path):
            return self._counted(self._open())

    # -- what nobody refers to --------------------------------------------------------------------------------------

    def last_answers(self, before: int | None = None, limit: int = 100) -> list[tuple[int, Answered]]:
        """The answers stored last, by number, the last one first; all of them are smaller than `before`."""
        sql = "SELECT id, url, at, response FROM answer WHERE id < ? ORDER BY id DESC LIMIT ?"
        with translated(self._path):
            found = rows(self._open(), sql, (2**62 if before is None else before, limit))
        return [(number, Answered(*fields)) for number, *fields in found]

    def forget(self, numbers: Sequence[int]) -> None:
        """Answers of which the crawl file knows nothing, with what they alone referred to."""
        with translated(self._path), self._changing() as connection:
            for number in numbers:
                url, response = row(connection, "SELECT url, response FROM answer WHERE id = ?", (number,))
                self._drop(connection, number, response)
                connection.execute(RENEW, (url,))

    @property
    def knows_no_answers(self) -> bool:
        """Whether an earlier version wrote the file, which did not note whose a response is."""
        with translated(self._path):
            return bool(value(self._open(), "PRAGMA user_version") < FORM)

    def adopt(self, answers: Iterable[Answered]) -> None:
        """Note whose the responses of an earlier version's file are; what nobody claims goes."""
        with translated(self._path), self._changing() as connection:
            connection.executemany(ADD_ANSWER, ((each.url, each.at, each.response) for each in answers))
            connection.execute("DELETE FROM response WHERE hash NOT IN (SELECT response FROM answer)")
            connection.execute(f"PRAGMA user_version={FORM}")
            self._size = None

    def close(self) -> None:
        if self._connection is not None:
            with translated(self._path):
                self._connection.execute("PRAGMA incremental_vacuum").fetchall()
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._connection.close()
            self._connection = None

    # -- one transaction --------------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[apsw.Connection]:
        connection = self._open()
        try:
            with connection:
                yield connection
        except BaseException:
            self._size = None
            raise

    def _add(self, connection: apsw.Connection, response: Response) -> None:
        name = content_hash(response.body)[:HASH_BYTES]
        connection.execute(
            "INSERT OR IGNORE INTO response(hash, head, body) VALUES (?, ?, ?)", (response.hash, response.head, name)
        )
        if not connection.changes():
            return
        self._resize(len(response.head))
        connection.execute("INSERT OR IGNORE INTO body(hash, content) VALUES (?, ?)", (name, response.body))
        if connection.changes():
            self._resize(len(response.body))

    def _make_room(self, connection: apsw.Connection) -> None:
        while self.most and self._counted(connection) > self.most:
            found = rows(connection, FIRST_TO_GO, (PIECE,))
            for number, response in found:
                if self._counted(connection) > self.most:
                    self._drop(connection, number, response)
            if not found:  # what is left belongs to no answer
                return

    def _drop(self, connection: apsw.Connection, number: int, response: bytes) -> None:
        """An answer goes, and what no other refers to goes with it."""
        connection.execute("DELETE FROM answer WHERE id = ?", (number,))
        if row(connection, "SELECT 1 FROM answer WHERE response = ?", (response,)) is not None:
            return
        found = row(connection, "SELECT length(head), body FROM response WHERE hash = ?", (response,))
        if found is None:
            return
        size, body = found
        connection.execute("DELETE FROM response WHERE hash = ?", (response,))
        self._resize(-size - (len(body) if len(body) != HASH_BYTES else 0))
        others = "SELECT 1 FROM response WHERE body = ? AND length(body) = 16"
        if len(body) != HASH_BYTES or row(connection, others, (body,)) is not None:
            return
        self._resize(-value(connection, "SELECT length(content) FROM body WHERE hash = ?", (body,), 0))
        connection.execute("DELETE FROM body WHERE hash = ?", (body,))

    def _resize(self, change: int) -> None:
        if self._size is not None:
            self._size += change

    def _counted(self, connection: apsw.Connection) -> int:
        if self._size is None:
            self._size = sum(int(value(connection, sql)) for sql in SIZES)
        return self._size

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
        self._size = None
        if value(connection, "PRAGMA page_count") == 0:
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # what a cap frees is given back
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        is_new = row(connection, "SELECT 1 FROM sqlite_schema LIMIT 1") is None
        for statement in LAYOUT:
            connection.execute(statement)
        if is_new:
            connection.execute(f"PRAGMA user_version={FORM}")
        connection.execute("SELECT hash, head, body FROM response LIMIT 0")
        return connection


def responses_path(crawl_file: Path) -> Path:
    """Where the responses of a crawl are kept."""
    return Path(f"{true_name(crawl_file)}-responses")  # of the file itself, whatever link leads to it
