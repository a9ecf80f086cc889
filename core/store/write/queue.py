"""The queue of each host: which known URLs are next, and every change of a URL's state.

A buffer is filled best first, with some URLs from a lower front by turns, so that low never starves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import Front, UrlState
from core.store.query import row, rows, value
from core.store.write.of_tenant import OF_TENANT

if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

    from core.store.write.hosts import Hosts
    from core.store.write.limits import Limits
    from core.store.write.tally import Tally

BARRED = (UrlState.EXCLUDED, UrlState.BLOCKED)
BUFFER = 16
FROM_LOWER_FRONTS = 4  # of a buffer

PENDING = """SELECT id, origin_id, path, depth, tries, seed, found_on FROM url
             WHERE host_id = ? AND front = ? AND state = 0 {but} ORDER BY id {direction} LIMIT ?"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pending URL in a host's buffer."""

    id: int
    origin: int
    path: str
    depth: int
    tries: int
    seed: bool
    found_on: int | None


class Queue:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, limits: Limits, tally: Tally) -> None:
        self._connection = connection
        self._hosts = hosts
        self._limits = limits
        self._tally = tally
        self._low = Front.MIDDLE
        self._direction = "ASC"
        self.woken: set[int] = set()  # hosts that got pending URLs since the writer looked last
        self.barred: list[int] = []  # URLs that were excluded or blocked since somebody looked last
        self.reopened = False  # some came back

    def use(self, order: str) -> None:
        """`depth` takes the newest of a front first, everything else the oldest."""
        self._direction = "DESC" if order == "depth" else "ASC"

    def entered(self, host: int) -> None:
        """A new URL is pending."""
        self._tally.move(host, None, UrlState.PENDING)
        self.woken.add(host)

    def length(self) -> int:
        """The tenant's URLs that are pending, leased or waiting, as far as the counts are written."""
        sql = "SELECT sum(pending + leased + waiting) FROM host WHERE tenant = ?"
        length: int = value(self._connection, sql, (self._hosts.tenant,), 0)
        return length

    def has_due(self, at: float) -> bool:
        """Whether an answered URL is to be looked at again."""
        sql = "SELECT 1 FROM url WHERE state IN (3, 4, 8) AND due <= ? AND same_as IS NULL"
        return row(self._connection, f"{sql} AND {OF_TENANT} LIMIT 1", (at, self._hosts.tenant)) is not None

    def take_up_due(self, at: float, *, everything: bool) -> None:
        """A new run: answered URLs whose time has come (or all of them) are pending again.

        A page that is gone because nothing leads to it has no time: what leads to it again asks for it.
        """
        due = "state IN (3, 4, 8) AND due <= ?"
        condition, values = ("(state IN (3, 4) OR (state = 8 AND due IS NOT NULL))", ()) if everything else (due, (at,))
        condition, values = f"{condition} AND same_as IS NULL AND {OF_TENANT}", (*values, self._hosts.tenant)
        sql = f"SELECT host_id, state, count(*) FROM url WHERE {condition} GROUP BY 1, 2"
        found = rows(self._connection, sql, values)
        self._connection.execute(
            f"UPDATE url SET state = 0, due = NULL, reason = NULL, tries = 0, reclaims = 0 WHERE {condition}", values
        )
        for host, state, count in found:
            self._tally.host(host, UrlState(state).label, -count)
            self._tally.host(host, UrlState.PENDING.label, count)
            self.woken.add(host)

    def buffer(self, host: int, closed: Collection[int] = ()) -> list[Candidate]:
        """The next pending URLs of a host, but for those of `closed` origins: they wait for their robots.txt."""
        found: dict[int, Candidate] = {}
        but = f"AND origin_id NOT IN ({', '.join(map(str, closed))})" if closed else ""
        sql = PENDING.format(direction=self._direction, but=but)
        for front in Front:
            room = BUFFER - FROM_LOWER_FRONTS - len(found)
            if room > 0:
                self._take(found, sql, (host, int(front), room))
        if len(found) < BUFFER - FROM_LOWER_FRONTS:
            return list(found.values())  # no front had more
        self._low = Front.LOW if self._low is Front.MIDDLE else Front.MIDDLE
        self._take(found, sql, (host, int(self._low), FROM_LOWER_FRONTS))
        if len(found) < BUFFER:
            for front in Front:
                self._take(found, sql, (host, int(front), BUFFER))
        return list(found.values())[:BUFFER]

    def bound_waits(self, latest: float) -> None:
        """No retry waits longer than that: the clock may have been wrong, or have been set back, since it was told."""
        sql = f"UPDATE url SET due = ?1 WHERE state = 2 AND due > ?1 AND {OF_TENANT}2"
        self._connection.execute(sql, (latest, self._hosts.tenant))

    def wake(self, at: float) -> float | None:
        """Waiting URLs whose time has come are pending again; answers when the next one is due."""
        sql = "UPDATE url SET state = 0, due = NULL WHERE state = 2 AND due <= ?"
        for (host,) in rows(self._connection, f"{sql} AND {OF_TENANT} RETURNING host_id", (at, self._hosts.tenant)):
            self._tally.move(host, UrlState.WAITING, UrlState.PENDING)
            self.woken.add(host)
        sql = f"SELECT min(due) FROM url WHERE state = 2 AND {OF_TENANT}"
        due: float | None = value(self._connection, sql, (self._hosts.tenant,))
        return due

    def move(
        self, number: int, host: int, before: UrlState, after: UrlState, reason: str | None, due: float | None = None
    ) -> bool:
        """Bring one URL from a state to another; False, and nothing done, where it is no longer in the first.

        One that is the same as another stays as it is: the other is asked for both.
        """
        self._connection.execute(
            "UPDATE url SET state = ?, reason = ?, due = ? WHERE id = ? AND state = ? AND same_as IS NULL",
            (int(after), reason, due, number, int(before)),
        )
        if self._connection.changes() != 1:
            return False
        self._tally.move(host, before, after)
        self._limits.moved(number, host, before, after)
        if after is UrlState.PENDING:
            self.woken.add(host)
            self.reopened = self.reopened or before in BARRED
        elif after in BARRED:
            self.barred.append(number)
        return True

    def give_back_try(self, number: int) -> None:
        """A page failed by a fault that was not its own: the try counts no more, and a last one is taken back."""
        self._connection.execute("UPDATE url SET tries = max(0, tries - 1) WHERE id = ?", (number,))
        sql = "SELECT host_id FROM url WHERE id = ? AND state = 4 AND reason LIKE 'error:%'"
        for (host,) in rows(self._connection, sql, (number,)):
            self.move(number, host, UrlState.FAILED, UrlState.PENDING, None)

    def is_pending(self, number: int) -> bool:
        """Whether a URL that was buffered a while ago is still to be fetched."""
        return row(self._connection, "SELECT 1 FROM url WHERE id = ? AND state = 0", (number,)) is not None

    def lease(self, number: int, host: int) -> None:
        """A pending URL is being fetched."""
        self._connection.execute("UPDATE url SET state = 1 WHERE id = ?", (number,))
        self._tally.move(host, UrlState.PENDING, UrlState.LEASED)

    def _take(self, found: dict[int, Candidate], sql: str, values: tuple[int, int, int]) -> None:
        for number, origin, path, depth, tries, seed, found_on in rows(self._connection, sql, values):
            found.setdefault(number, Candidate(number, origin, path, depth, tries, bool(seed), found_on))
