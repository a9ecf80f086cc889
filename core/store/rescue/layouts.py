"""Which column stands where in a table as it is found, and what a row must be to go into one of ours.

A row is believed when it has the right number of cells, each of the type and within the bounds that its column allows;
texts and numbers out of a damaged or foreign file are never put in as they come.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw
import msgspec

from core.settings import decode as decode_settings
from core.store.names import UrlState
from core.store.query import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.store.rescue.pages import Cell
    from core.store.rescue.records import Value

STATES = frozenset(int(state) for state in UrlState)
LONGEST_CELL = 16_000_000  # bytes or characters
MISSING = object()
_WORD = re.compile(r"[a-z][a-z_-]{0,39}")
_CREATE_TABLE = re.compile(r"\s*CREATE\s+TABLE\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of ours. `kind` is INTEGER, REAL, TEXT or BLOB; `default` is MISSING where it has none."""

    name: str
    kind: str
    optional: bool
    default: Any
    is_rowid: bool


@dataclass(frozen=True, slots=True)
class Target:
    """A table of the fresh file."""

    name: str
    columns: tuple[Column, ...]

    def fit(self, given: dict[str, Any]) -> tuple[Value, ...] | None:
        """The row, ready to be put in; None where it cannot be one of this table."""
        found = []
        for column in self.columns:
            value = _fitted(column, given.get(column.name, MISSING))
            if value is MISSING:
                return None
            found.append(value)
        proof = PROOFS.get(self.name)
        return tuple(found) if proof is None or proof(given) else None


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns of a table, or of an index of it, stand in its records; None: a column that is not ours."""

    root: int
    stored: tuple[str | None, ...]
    rowid: str | None  # the column that is the rowid itself
    has_rowid: bool

    def named(self, cell: Cell, values: tuple[Value, ...], fewer: int | None = None) -> dict[str, Any] | None:
        """The values by their columns; None where there are too many, or fewer by more than so many."""
        missing = len(self.stored) - len(values)
        if missing < 0 or (fewer is not None and missing > fewer):
            return None
        given: dict[str, Any] = {
            name: value for name, value in zip(self.stored, values, strict=False) if name is not None
        }
        if self.rowid is not None:
            given[self.rowid] = cell.rowid if self.has_rowid else given.get(self.rowid)
        return given


def targets(fresh: apsw.Connection) -> dict[str, Target]:
    """The tables of the fresh file, parents before children as they were made."""
    names = rows(
        fresh, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid"
    )
    return {name: Target(name, tuple(_columns(fresh, name))) for (name,) in names}


def assumed(known: apsw.Connection) -> dict[str, Layout]:
    """The layouts of a file whose schema cannot be read: where its tables begin is not known."""
    schema = rows(known, "SELECT type, name, tbl_name, 0, sql FROM sqlite_schema")
    return layouts(schema, known)[0]


def layouts(schema: list[tuple[Any, ...]], known: apsw.Connection) -> tuple[dict[str, Layout], dict[str, list[Layout]]]:
    """The layouts of the tables that a file's schema names, and of the indexes of each.

    `schema` holds its rows (type, name, table, root, text). The text of a table that is not word for word ours is
    tried in an empty database where nothing but making a table is allowed.
    """
    ours = {(kind, name): text for kind, name, text in rows(known, "SELECT type, name, sql FROM sqlite_schema")}
    tables: dict[str, Layout] = {}
    for kind, name, _, root, text in schema:
        if kind == "table" and isinstance(root, int) and ("table", name) in ours:
            layout = _as_made(known if ours["table", name] == text else _sandbox(text), name, root)
            if layout is not None:
                tables[name] = layout
    return tables, {name: _indexes(name, schema, ours, known) for name in tables}


def _indexes(table: str, schema: list[tuple[Any, ...]], ours: dict[Any, Any], known: apsw.Connection) -> list[Layout]:
    """The indexes of a table of ours, whose records end with the rowid."""
    alias = [name for name, is_rowid in _rowid_of(known, table) if is_rowid]
    found = []
    for kind, name, of, root, text in schema:
        if kind == "index" and of == table and isinstance(root, int) and alias and ours.get((kind, name), 0) == text:
            columns = [column for (column,) in rows(known, "SELECT name FROM pragma_index_info(?)", (name,))]
            if columns and alias[0] not in columns:
                found.append(Layout(root, (*columns, alias[0]), alias[0], False))
    return found


def _as_made(connection: apsw.Connection | None, name: str, root: int) -> Layout | None:
    if connection is None:
        return None
    without = rows(connection, "SELECT wr FROM pragma_table_list WHERE name = ?", (name,))
    if not without:
        return None
    found = rows(connection, "SELECT name, upper(type), pk, hidden FROM pragma_table_xinfo(?)", (name,))
    stored = [(column, pk) for column, _, pk, hidden in found if hidden in {0, 3}]  # a virtual column is not there
    keys = [column for column, kind, pk, _ in found if pk and kind == "INTEGER"]
    if without[0][0]:
        stored.sort(key=lambda item: (item[1] == 0, item[1]))  # the key comes first; sorting is stable
        return Layout(root, tuple(column for column, _ in stored), None, False)
    alone = sum(1 for _, _, pk, _ in found if pk) == 1
    return Layout(root, tuple(column for column, _ in stored), keys[0] if keys and alone else None, True)


def _sandbox(text: Any) -> apsw.Connection | None:
    """An empty database with that one table, or None where its text does more than make a table."""
    if not isinstance(text, str) or not _CREATE_TABLE.match(text) or len(text) > 100_000:
        return None
    connection = apsw.Connection(":memory:")
    connection.authorizer = _only_making
    try:
        connection.execute(text)
    except (apsw.Error, ValueError):
        return None
    finally:
        connection.authorizer = None
    return connection


def _only_making(action: int, first: str | None, *_: str | None) -> int:
    making = {apsw.SQLITE_CREATE_TABLE, apsw.SQLITE_CREATE_INDEX, apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE}
    making |= {apsw.SQLITE_READ, apsw.SQLITE_REINDEX, apsw.SQLITE_TRANSACTION}
    inside = action not in {apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_READ} or first == "sqlite_master"
    return apsw.SQLITE_OK if action in making and inside else apsw.SQLITE_DENY


def _rowid_of(connection: apsw.Connection, table: str) -> Iterator[tuple[str, bool]]:
    without = rows(connection, "SELECT wr FROM pragma_table_list WHERE name = ?", (table,))[0][0]
    found = rows(connection, "SELECT name, upper(type), pk FROM pragma_table_xinfo(?)", (table,))
    alone = sum(1 for *_, pk in found if pk) == 1
    for name, kind, pk in found:
        yield name, bool(pk and alone and kind == "INTEGER" and not without)


def _columns(fresh: apsw.Connection, table: str) -> Iterator[Column]:
    rowids = dict(_rowid_of(fresh, table))
    sql = 'SELECT name, upper(type), "notnull", dflt_value FROM pragma_table_xinfo(?)'
    for name, kind, notnull, default in rows(fresh, sql, (table,)):
        value = MISSING if default is None else rows(fresh, f"SELECT {default}")[0][0]
        yield Column(name, kind, not notnull, value, rowids[name])


def _fitted(column: Column, value: Any) -> Any:
    """The value as the column has it; MISSING where it cannot be there."""
    if value is MISSING:
        return None if column.default is MISSING and column.optional else column.default
    if value is None:
        return None if column.optional else MISSING
    if column.kind == "REAL" and isinstance(value, int | float):
        return float(value) if math.isfinite(value) else MISSING
    wanted = {"INTEGER": int, "TEXT": str, "BLOB": bytes}.get(column.kind)
    if wanted is None or not isinstance(value, wanted):
        return MISSING
    if isinstance(value, str | bytes) and len(value) > LONGEST_CELL:
        return MISSING
    return value


def _is_settings(given: dict[str, Any]) -> bool:
    try:
        decode_settings(given["json"])
    except msgspec.MsgspecError:
        return False
    return bool(given["version"] > 0)


PROOFS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "setting": _is_settings,
    "url": lambda given: given["state"] in STATES and given["path"][:1] in {"/", "?"} and given["id"] > 0,
    "origin": lambda given: "://" in given["base"],
    "host": lambda given: bool(given["name"]),
    "refused": lambda given: (
        given["word"] == given["reason"].partition(":")[0] and bool(_WORD.fullmatch(given["word"]))
    ),
    "refusal_count": lambda given: _WORD.fullmatch(given["word"]) is not None and given["count"] >= 0,
    "counter": lambda given: _WORD.fullmatch(given["name"].partition(".")[0]) is not None,
}
