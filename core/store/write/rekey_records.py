"""Records named by their page's address, under other normalisation rules: their names follow.

Where two pages have become one, so have their records: that of the page that stands for the other, else the one with
precedence. The other lies apart, with its versions, until its page is its own again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.identity import record_id
from core.store.query import row, rows
from core.urls import Rules, key_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from core.settings import CrawlSettings
    from core.store.write.hosts import Hosts
    from core.store.write.tally import Tally

PIECE = 2000
NAMED = "tenant = ?1 AND type IN (SELECT value FROM json_each(?2))"
HOLDER = """
SELECT record.rowid, record.id, url.id, record.type, record.source, record.action, record.run, record.canonical,
record.depth, url.same_as IS NOT NULL, origin.base || url.path, page.alias_of, url.origin_id, url.path
FROM record JOIN url ON url.id = record.url_id JOIN origin ON origin.id = url.origin_id
LEFT JOIN page ON page.url_id = url.id"""


@dataclass(frozen=True, slots=True)
class Held:
    """A record with the page that holds it."""

    row: int
    id: str
    url: int
    type: str
    source: str
    action: str
    run: int
    canonical: int
    depth: int
    merged: int
    address: str
    alias_of: int | None
    origin: int
    path: str

    @property
    def rank(self) -> tuple[int, int, int, str]:
        """The page that is still fetched, then the precedence of any two pages."""
        return (self.merged, -self.canonical, self.depth, self.address)


class RekeyedRecords:
    """Used inside the transaction of a re-keying: first `take_apart`, then, when every URL has its key, `place`."""

    def __init__(self, connection: apsw.Connection, tally: Tally, hosts: Hosts, settings: CrawlSettings) -> None:
        self._connection = connection
        self._tally = tally
        self._hosts = hosts
        self._rules = Rules.of(settings.normalise)
        named = [kind.name for kind in settings.records if not kind.key_fields]
        self._which = (hosts.tenant, json.dumps(named))

    def take_apart(self) -> None:
        """Every record under a name of its own, those that lay apart among them."""
        run = self._connection.execute
        mine = f"SELECT id FROM record_apart WHERE {NAMED}"
        for action, number in rows(
            self._connection, f"SELECT action, run FROM record_apart WHERE {NAMED}", self._which
        ):
            self._count(action, number, 1)
        run(f"INSERT INTO record SELECT * FROM record_apart WHERE {NAMED}", self._which)
        run(f"INSERT INTO record_version SELECT * FROM record_version_apart WHERE record_id IN ({mine})", self._which)
        run(f"DELETE FROM record_version_apart WHERE record_id IN ({mine})", self._which)
        run(f"DELETE FROM record_apart WHERE {NAMED}", self._which)
        mine = f"SELECT id FROM record WHERE {NAMED}"
        for table in ("record_version", "conflict", "absence"):
            number = f"(SELECT '#' || rowid FROM record WHERE id = {table}.record_id)"
            run(f"UPDATE {table} SET record_id = {number} WHERE record_id IN ({mine})", self._which)
        run(f"UPDATE record SET natural_key = '#' || rowid, id = '#' || rowid WHERE {NAMED}", self._which)

    def place(self) -> None:
        """Each under the name its page gives it now; of two with one name one stays."""
        for held in self._all():
            key = self._natural_key(held)
            new = record_id(self._hosts.tenant, held.source, held.type, key)
            fields = row(self._connection, f"{HOLDER} WHERE record.id = ?", (new,))
            other = Held(*fields) if fields else None
            if other is not None and other.rank <= held.rank:
                self._put_apart(held)
                continue
            if other is not None:
                self._put_apart(other)
            self._rename(held.id, new, key)

    def _all(self) -> Iterator[Held]:
        after = 0
        sql = f"{HOLDER} WHERE record.rowid > ?3 AND record.id LIKE '#%' AND {NAMED} ORDER BY record.rowid LIMIT ?4"
        while found := rows(self._connection, sql, (*self._which, after, PIECE)):
            for fields in found:
                yield Held(*fields)
            after = found[-1][0]

    def _natural_key(self, held: Held) -> str:
        """The key form of the page, or of its canonical one."""
        page = self._hosts.url(held.origin, held.path)
        if held.canonical < 0 and held.alias_of is not None:
            sql = "SELECT origin_id, path FROM url WHERE id = ?"
            page = self._hosts.url(*row(self._connection, sql, (held.alias_of,)))
        return key_form(page, self._rules).text

    def _rename(self, old: str, new: str, key: str) -> None:
        self._connection.execute("UPDATE record SET id = ?, natural_key = ? WHERE id = ?", (new, key, old))
        for table in ("record_version", "conflict", "absence"):
            self._connection.execute(f"UPDATE {table} SET record_id = ? WHERE record_id = ?", (new, old))

    def _put_apart(self, held: Held) -> None:
        """Under a name that no other record has, there or here."""
        name = f"~{held.type}~{held.source}~{held.url}~{held.canonical}"
        self._rename(held.id, name, name)
        for table, column in (("record", "id"), ("record_version", "record_id")):
            self._connection.execute(f"INSERT INTO {table}_apart SELECT * FROM {table} WHERE {column} = ?", (name,))
            self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (name,))
        self._count(held.action, held.run, -1)

    def _count(self, action: Any, run: int, change: int) -> None:
        self._tally.count_of(run, "records", change)
        self._tally.count_of(run, str(action), change)
