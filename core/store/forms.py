"""The form of a crawl file: its tables, told by their very text, and what may be done with a file of which form.

A file of this version's form is used. One of an earlier form is brought up to date first (`core.store.migrations`);
one of a later form is never written. Either may be read as it is when its tables suffice.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import apsw

from core.errors import ForeignFile, NewerFile, OlderFile
from core.store.migrations import fingerprint_of
from core.store.names import SCHEMA_VERSION
from core.store.query import rows

if TYPE_CHECKING:
    from core.store.header import Inspection

# Untrusted until proven: no code from the schema runs, damaged cells are noticed, nothing is mapped.
CAREFUL = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY")
MOST_OBJECTS = 500
LONGEST_TEXT = 1_000_000  # of one schema object


def harden(connection: apsw.Connection) -> None:
    """No trigger and no view runs, and nobody writes into SQLite's own tables."""
    for option, value in (
        (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
        (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ):
        connection.config(option, value)


def check_form(connection: apsw.Connection, found: Inspection, *, reading: bool) -> None:
    """Raises ForeignFile, OlderFile or NewerFile where the file cannot be used so.

    Every table and index must be exactly ours: a trigger or a view could run in our name. What a later version adds
    is not known here, so only plain tables are believed of it.
    """
    path = found.path
    if not found.newer and schema_fingerprint(connection) != fingerprint_of(found.version):
        raise ForeignFile(
            f"{path} has the marks of a crawl file but other tables than this program makes.",
            "It is not opened. Its rows can be copied into a new file: `fronteira salvage FILE TO`.",
        )
    if found.version == SCHEMA_VERSION or (reading and suffices(connection)):
        return
    if found.older:
        raise OlderFile(
            f"{path} was made by an earlier version of Fronteira (form {found.version}; this uses {SCHEMA_VERSION}).",
            "Bring it up to date with `fronteira migrate FILE`; the file as it is now is kept beside it.",
        )
    raise NewerFile(
        f"{path} was made by a later version of Fronteira (form {found.version}; this one knows {SCHEMA_VERSION}).",
        "Update Fronteira to open it.",
    )


def schema_fingerprint(connection: apsw.Connection) -> str:
    """SHA-256 over all schema texts in a fixed order, shortened; empty where there is too much of it to be ours.

    SQLite's own tables do not count.
    """
    before = connection.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
    try:
        found = connection.execute(
            "SELECT type, name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
            "ORDER BY name LIMIT ?",
            (MOST_OBJECTS,),
        ).fetchall()
    except apsw.TooBigError:
        return ""
    finally:
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, before)
    return hashlib.sha256(repr(found).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def suffices(connection: apsw.Connection) -> bool:
    """Whether a file of another form holds all that is read here, in plain tables and nothing but tables."""
    from core.store.schema import TABLES

    objects = rows(connection, "SELECT type, upper(coalesce(sql, '')) FROM sqlite_schema LIMIT ?", (MOST_OBJECTS,))
    if any(kind not in {"table", "index"} or text.startswith("CREATE VIRTUAL") for kind, text in objects):
        return False
    sql = "SELECT t.name, c.name, c.hidden FROM pragma_table_list t, pragma_table_xinfo(t.name) c"
    columns = rows(connection, sql)
    there = {(table, column) for table, column, hidden in columns if not hidden}
    ours = {(table._meta.table_name, field.column_name) for table in TABLES for field in table._meta.sorted_fields}
    return ours <= there and not any(hidden for _, _, hidden in columns)
