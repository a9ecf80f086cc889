"""Short queries: all rows at once, never an open cursor, behind which the WAL would grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw


def rows(connection: apsw.Connection, sql: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
    """All rows of a query."""
    return connection.execute(sql, parameters).fetchall()


def row(connection: apsw.Connection, sql: str, parameters: tuple[Any, ...] = ()) -> Any:
    """The first row, or None."""
    return connection.execute(sql, parameters).fetchone()


def value(connection: apsw.Connection, sql: str, parameters: tuple[Any, ...] = (), default: Any = None) -> Any:
    """The first column of the first row, or the default where there is no row or it is null."""
    found = connection.execute(sql, parameters).fetchone()
    return default if found is None or found[0] is None else found[0]
