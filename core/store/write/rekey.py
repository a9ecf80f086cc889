"""Other normalisation rules for a crawl that has begun: every stored key follows them, in the transaction of its start.

Rows of one key become one: the best answered stands for the others, which keep their row, fetch form, answer and
links, leave the frontier, and say of whom they are the same (`url.same_as`). It takes the smallest depth among them,
and what was found behind it follows. Nothing is deleted, and earlier depths are kept, so other rules later, or the old
ones again, start from each row's own fetch form: what was merged comes apart as it was.

All of it is one transaction. A kill at any moment leaves the file as it was, and the next start begins again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.settings import decode
from core.store.names import FRONTIER_STATES, KEYED_BY, UrlState
from core.store.query import rows, value
from core.store.write.hosts import Hosts
from core.store.write.limits import COUNTED, path_key
from core.store.write.rekey_records import RekeyedRecords
from core.store.write.rekey_refusals import rekey_refusals
from core.store.write.shortest_way import shorten
from core.urls import Rules, Url, key_form, url_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

    from core.settings import CrawlSettings
    from core.store.write.tally import Tally

PIECE = 2000

OURS = "host_id IN (SELECT id FROM host WHERE tenant = ?)"
AS_DEEP_AS_BEFORE = f"""
UPDATE url SET depth = depth_apart, depth_apart = NULL WHERE depth_apart IS NOT NULL AND {OURS}"""
NEAREST = f"SELECT same_as, min(depth) FROM url WHERE same_as IS NOT NULL AND {OURS} GROUP BY 1"
APART = f"""
UPDATE url SET same_as = NULL, state = coalesce(state_apart, state), state_apart = NULL, key = id, collision = -1,
host_id = (SELECT host_id FROM origin WHERE origin.id = origin_id) WHERE {OURS}"""
MEMBER = """
SELECT url.id, url.host_id, origin_id, path, state, depth,
CASE WHEN status BETWEEN 200 AND 299 OR status = 304 THEN 1 ELSE 0 END FROM url LEFT JOIN page ON url_id = url.id"""
LEAVES = (*FRONTIER_STATES, UrlState.HELD)
RANKS = {UrlState.DONE: 1, UrlState.GONE: 2, UrlState.FAILED: 3, UrlState.BLOCKED: 5, UrlState.EXCLUDED: 5}


@dataclass(frozen=True, slots=True)
class Member:
    """A row as it is compared with others of its key."""

    id: int
    host: int
    origin: int
    path: str
    state: int
    depth: int
    good: int  # its answer is a page, no redirect

    @property
    def rank(self) -> tuple[int, int, int]:
        """The smallest stands for the others: an answered page, another answer, the nearest that waits, the rest."""
        answered = self.state == UrlState.DONE and self.good
        return (0 if answered else RANKS.get(UrlState(self.state), 4), self.depth, self.id)


def pending_rules(connection: apsw.Connection) -> Rules | None:
    """The rules that the stored keys follow, where newer settings ask for others; None where nothing is to be done."""
    text = value(
        connection, "SELECT json FROM setting, meta WHERE name = ? AND version = CAST(value AS INTEGER)", (KEYED_BY,)
    )
    return None if text is None else Rules.of(decode(text).normalise)


def rekey(connection: apsw.Connection, tally: Tally, settings: CrawlSettings, before: Rules) -> str:
    """Bring all keys of the file in line, of every tenant; answers what that did, in plain words.

    Memory of hosts and counts is stale after. The records of a tenant are of the types it declared last.
    """
    merged = earlier = 0
    for (tenant,) in rows(connection, "SELECT DISTINCT tenant FROM host ORDER BY tenant"):
        hosts = Hosts(connection, tenant)
        rekeying = Rekeying(connection, hosts, tally, _of_tenant(connection, tenant, settings))
        now, then = rekeying.run(before)
        merged, earlier = merged + now, earlier + then
    connection.execute("DELETE FROM meta WHERE name IN (?, ?)", (KEYED_BY, COUNTED))
    return f"URLs are compared by other rules now: {merged:,} are the same as another, {earlier:,} were before."


def _of_tenant(connection: apsw.Connection, tenant: str, settings: CrawlSettings) -> CrawlSettings:
    """The tenant's own newest settings, under the rules that are in force."""
    if tenant == settings.tenant:
        return settings
    sql = "SELECT json FROM setting WHERE json_extract(json, '$.tenant') = ? ORDER BY version DESC LIMIT 1"
    text = value(connection, sql, (tenant,))
    own = settings if text is None else decode(text)
    return replace(own, normalise=settings.normalise)


class Rekeying:
    """One tenant's. Used by the writer's thread inside one transaction, before anything else looks at a key."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, tally: Tally, settings: CrawlSettings) -> None:
        self._connection = connection
        self._hosts = hosts
        self._tally = tally
        self._settings = settings
        self._rules = Rules.of(settings.normalise)

    def run(self, before: Rules) -> tuple[int, int]:
        """Bring its keys in line; answers how many URLs are the same as another now, and how many were."""
        records = RekeyedRecords(self._connection, self._tally, self._hosts, self._settings)
        counted = self._states()
        merged = self._same()
        self._move_origins()
        records.take_apart()
        self._connection.execute(AS_DEEP_AS_BEFORE, (self._hosts.tenant,))
        self._connection.execute(APART, (self._hosts.tenant,))
        self._connection.execute(f"DELETE FROM path_count WHERE {OURS}", (self._hosts.tenant,))
        for member in self._members():
            self._place(member)
        rekey_refusals(self._connection, self._hosts.tenant, before, self._rules)
        for number, depth in rows(self._connection, NEAREST, (self._hosts.tenant,)):
            shorten(self._connection, number, depth, for_now=True)
        records.place()
        self._recount(counted)
        return self._same(), merged

    # -- hosts and counts -------------------------------------------------------------------------------------------

    def _move_origins(self) -> None:
        """An origin belongs to the host that its URLs are compared under."""
        for origin in self._hosts.origins():
            host = self._hosts.of(key_form(origin.url("/"), self._rules).host)
            if host.id != origin.host:
                self._connection.execute("UPDATE origin SET host_id = ? WHERE id = ?", (host.id, origin.id))
                self._connection.execute("UPDATE seed_source SET host_id = ? WHERE origin_id = ?", (host.id, origin.id))

    def _states(self) -> dict[tuple[int, int], int]:
        sql = f"SELECT host_id, state, count(*) FROM url WHERE {OURS} GROUP BY 1, 2"
        return {(host, state): count for host, state, count in rows(self._connection, sql, (self._hosts.tenant,))}

    def _recount(self, before: dict[tuple[int, int], int]) -> None:
        after = self._states()
        for host, state in before.keys() | after.keys():
            change = after.get((host, state), 0) - before.get((host, state), 0)
            self._tally.host(host, UrlState(state).label, change)

    def _same(self) -> int:
        sql = f"SELECT count(*) FROM url WHERE same_as IS NOT NULL AND {OURS}"
        number: int = value(self._connection, sql, (self._hosts.tenant,))
        return number

    # -- one row after the other ------------------------------------------------------------------------------------

    def _members(self) -> Iterator[Member]:
        after = 0
        sql = f"{MEMBER} WHERE url.id > ? AND collision = -1 AND {OURS} ORDER BY url.id LIMIT ?"
        while found := rows(self._connection, sql, (after, self._hosts.tenant, PIECE)):
            for fields in found:
                yield Member(*fields)
            after = found[-1][0]

    def _place(self, member: Member) -> None:
        key = self._key(member)
        other = self._standing(member.host, key)
        collision = "SELECT coalesce(max(collision), -1) + 1 FROM url WHERE host_id = ? AND key = ?"
        hashed = url_key(key)
        number: int = value(self._connection, collision, (member.host, hashed))
        self._connection.execute("UPDATE url SET key = ?, collision = ? WHERE id = ?", (hashed, number, member.id))
        if other is None:
            self._count_parameters(member.host, key)
        elif member.rank < other.rank:
            self._connection.execute("UPDATE url SET same_as = ? WHERE same_as = ?", (member.id, other.id))
            self._merge(other, member)
        else:
            self._merge(member, other)

    def _standing(self, host: int, key: Url) -> Member | None:
        """The row that stands for this key so far. A hash hit is compared."""
        sql = f"{MEMBER} WHERE url.host_id = ? AND key = ? AND collision >= 0 AND same_as IS NULL"
        found = (Member(*fields) for fields in rows(self._connection, sql, (host, url_key(key))))
        return next((member for member in found if self._key(member) == key), None)

    def _key(self, member: Member) -> Url:
        return key_form(self._hosts.url(member.origin, member.path), self._rules)

    def _merge(self, member: Member, other: Member) -> None:
        """A row that waited waits no more; any other state is what became of it, and stays."""
        self._connection.execute("UPDATE url SET same_as = ? WHERE id = ?", (other.id, member.id))
        if member.state in LEAVES:
            sql = "UPDATE url SET state_apart = state, state = ? WHERE id = ?"
            self._connection.execute(sql, (int(UrlState.EXCLUDED), member.id))

    def _count_parameters(self, host: int, key: Url) -> None:
        if "?" in key.target:
            sql = (
                "INSERT INTO path_count(host_id, path, count) VALUES (?, ?, 1) "
                "ON CONFLICT(host_id, path) DO UPDATE SET count = count + 1"
            )
            self._connection.execute(sql, (host, path_key(key)))
