"""Records that lie apart: another record has the identity that their page gives them while it counts as another's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import row, rows

if TYPE_CHECKING:
    import apsw

    from core.store.write.tally import Tally

PARTS = (("record", "id"), ("record_version", "record_id"))


class RecordsApart:
    """Used by the writer's thread inside its transaction. The counters are of what does not lie apart."""

    def __init__(self, connection: apsw.Connection, tally: Tally) -> None:
        self._connection = connection
        self._tally = tally

    def put(self, number: str) -> None:
        """A record goes apart, under a name that no other has; its natural key stays readable in it."""
        sql = "SELECT url_id, source, natural_key, run, action FROM record WHERE id = ?"
        url, source, key, run, action = row(self._connection, sql, (number,))
        name = f"~{url}~{number}"
        self._forget(name)
        self.name(number, name, source, f"{name}~{key}")
        for table, column in PARTS:
            self._move(table, f"{table}_apart", column, name)
        self._count(run, action, -1)

    def of(self, url: int, tenant: str, kind: str) -> list[tuple[str, str]]:
        """The names, and the natural keys as they were, of what lies apart for a page."""
        sql = "SELECT id, natural_key FROM record_apart WHERE url_id = ? AND tenant = ? AND type = ?"
        found = rows(self._connection, sql, (url, tenant, kind))
        return [(name, key.removeprefix(f"{name}~")) for name, key in found]

    def take(self, name: str, number: str, source: str, key: str) -> None:
        """It is there again, under its own identity."""
        for table, column in PARTS:
            self._move(f"{table}_apart", table, column, name)
        self.name(name, number, source, key)
        run, action = row(self._connection, "SELECT run, action FROM record WHERE id = ?", (number,))
        self._count(run, action, 1)

    def name(self, old: str, new: str, source: str, key: str) -> None:
        """A record has another identity from now on."""
        self._connection.execute(
            "UPDATE record SET id = ?, source = ?, natural_key = ? WHERE id = ?", (new, source, key, old)
        )
        for table in ("record_version", "absence"):
            self._connection.execute(f"UPDATE {table} SET record_id = ? WHERE record_id = ?", (new, old))

    def _forget(self, name: str) -> None:
        """What the same page had under the same identity before lies apart no more."""
        for table, column in PARTS:
            self._connection.execute(f"DELETE FROM {table}_apart WHERE {column} = ?", (name,))
        self._connection.execute("DELETE FROM absence WHERE record_id = ?", (name,))

    def _move(self, here: str, there: str, column: str, name: str) -> None:
        self._connection.execute(f"INSERT INTO {there} SELECT * FROM {here} WHERE {column} = ?", (name,))
        self._connection.execute(f"DELETE FROM {here} WHERE {column} = ?", (name,))

    def _count(self, run: int, action: str, change: int) -> None:
        self._tally.count_of(run, "records", change)
        self._tally.count_of(run, action, change)
