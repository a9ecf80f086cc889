"""A table made anew with other text, for changes that `ALTER TABLE ADD COLUMN` cannot make."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


def rebuild(connection: apsw.Connection, table: str, statements: tuple[str, ...], columns: str, values: str) -> None:
    """Give a table the text of `statements` (its CREATE TABLE and CREATE INDEX, as a new file has them).

    `values` is what to select from `old` for `columns`. Tables that refer to this one keep their text: the caller's
    connection has `legacy_alter_table` on and `foreign_keys` off, as `upgrade` sets them.
    """
    connection.execute(f'ALTER TABLE "{table}" RENAME TO "old"')
    named = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'old' AND sql IS NOT NULL"
    ).fetchall()
    for (index,) in named:
        connection.execute(f'DROP INDEX "{index}"')
    for statement in statements:
        connection.execute(statement)
    connection.execute(f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM old')
    connection.execute("DROP TABLE old")
