"""The kept responses of a rescued crawl: each whose content still has the hash that is its name.

They lie in a file of their own, which may be whole where the crawl file is not, and the other way about.
"""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

import apsw
import zstandard

from core.identity.content import content_hash
from core.store.aside import made_aside
from core.store.crawl_file import check_room
from core.store.faults import translated
from core.store.query import rows, value
from core.store.rescue.layouts import targets
from core.store.rescue.pages import LARGEST_ROW, PageFile
from core.store.rescue.reading import Found, Reading
from core.store.rescue.working_copy import working_copy
from core.store.responses import FORM, HASH_BYTES, LAYOUT, responses_path

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.rescue.reading import Row

BATCH = 100
SCHEMA = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"


def rescue_responses(path: Path, to: Path) -> tuple[int, Found] | None:
    """How many were put beside the new crawl file, and how the reading went; None where none are kept.

    FileExists where there are some beside `to` already: they would be another crawl's.
    """
    source, target = responses_path(path), responses_path(to)
    if not source.is_file():
        return None
    check_room(source, target, copies=2)
    with (
        translated(target),
        working_copy(source, target) as (work, size),
        made_aside(target) as fresh,
        closing(apsw.Connection(str(fresh))) as connection,
    ):
        connection.execute("PRAGMA synchronous=OFF")
        for statement in LAYOUT:
            connection.execute(statement)
        found = _copy(work, size, connection)
        connection.execute(f"PRAGMA user_version={FORM if _has_answers(connection) else 0}")
        return found


def _copy(work: Path, size: int, connection: apsw.Connection) -> tuple[int, Found]:
    found, own = Found(), _own_form(work, connection)
    try:
        with closing(PageFile(work, size)) as file:
            reading = Reading(file, targets(connection), connection, own)
            for name, sql, is_whole in COPIED:
                whole = (each for each in reading.rows_of(name, found) if is_whole(each, connection))
                while batch := list(islice(whole, BATCH)):
                    with connection:
                        connection.executemany(sql, batch)
            connection.execute("DELETE FROM body WHERE hash NOT IN (SELECT body FROM response)")
    finally:
        if own is not None:
            own.close()
    return int(value(connection, "SELECT count(*) FROM response")), found


def _has_answers(connection: apsw.Connection) -> bool:
    return bool(rows(connection, "SELECT 1 FROM answer LIMIT 1"))


def _own_form(work: Path, connection: apsw.Connection) -> apsw.Connection | None:
    """The working copy opened, where its tables are ours to the letter."""
    own = apsw.Connection(str(work), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if rows(own, SCHEMA) == rows(connection, SCHEMA):
            return own
    except (apsw.Error, UnicodeError):
        pass  # damaged where its tables are described: its pages are read instead
    own.close(force=True)
    return None


def _is_body(body: Row, _connection: apsw.Connection) -> bool:
    """Whether a body is the one that its name says."""
    name, content = body
    return isinstance(content, bytes) and name == content_hash(content)[:HASH_BYTES]


def _is_itself(response: Row, connection: apsw.Connection) -> bool:
    """Whether head and body have the hash that names them."""
    name, head, body = response
    content: Any = value(connection, "SELECT content FROM body WHERE hash = ?", (body,), body)
    try:
        if not 0 <= zstandard.frame_content_size(content) <= LARGEST_ROW:
            return False
        whole = zstandard.ZstdDecompressor().decompress(content)
    except (zstandard.ZstdError, TypeError):
        return False
    return (
        isinstance(head, bytes) and isinstance(name, bytes) and name == content_hash(head + b"\0" + whole)[: len(name)]
    )


def _is_answer(answer: Row, connection: apsw.Connection) -> bool:
    """Whether its response was rescued."""
    *_, response = answer
    return bool(rows(connection, "SELECT 1 FROM response WHERE hash = ?", (response,)))


COPIED = (  # in this order: a response is proved by its body, an answer by its response
    ("body", "INSERT OR IGNORE INTO body(hash, content) VALUES (?, ?)", _is_body),
    ("response", "INSERT OR IGNORE INTO response(hash, head, body) VALUES (?, ?, ?)", _is_itself),
    ("answer", "INSERT OR IGNORE INTO answer(id, url, at, newest, response) VALUES (?, ?, ?, ?, ?)", _is_answer),
)
