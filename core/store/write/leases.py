"""Leases: requests in flight, each with an end after which its work is work again.

Within a session time is monotonic, so that a clock that jumps ends no lease; the stored times are for people. Leases of
a dead engine are taken back at once, and each is listed, because its request may have been sent twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows

if TYPE_CHECKING:
    import apsw

    from core.store.results import Purpose
    from core.store.write.tally import Tally

FEW_RECLAIMS = 20  # so often a URL whose request is cut off is asked for again at once; then it lets others go first
LONGEST_PAUSE = 30.0  # seconds it does so, at the most
MOST_RECLAIMS = 500  # an engine that dies so often over one URL is killed by it

LEASED = """
SELECT lease.url_id, lease.session_id, origin.base, origin.host_id, url.path, url.reclaims, purpose
FROM lease JOIN origin ON origin.id = lease.origin_id LEFT JOIN url ON url.id = lease.url_id"""


@dataclass(frozen=True, slots=True)
class Held:
    """A lease of this session: `until` is monotonic, `number` the id of the URL, origin or source, by purpose."""

    lease: int
    purpose: Purpose
    host: int
    origin: int
    number: int
    until: float


class Leases:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tally: Tally) -> None:
        self._connection = connection
        self._tally = tally
        self._held: dict[int, Held] = {}
        self._given = 0
        self.session = 0

    def give(self, purpose: Purpose, host: int, origin: int, number: int, now: float, at: float, seconds: float) -> int:
        """A lease on a request that may take so many seconds: counted as a request, whatever comes of it."""
        url = number if purpose == "page" else None
        self._given += 1
        lease = self.session << 32 | self._given  # SQLite gives the number of a deleted row again: a late result's
        self._connection.execute(
            "INSERT INTO lease(id, url_id, origin_id, purpose, session_id, at, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (lease, url, origin, purpose, self.session, at, at + seconds),
        )
        self._held[lease] = Held(lease, purpose, host, origin, number, now + seconds)
        self._tally.count("requests")
        self._tally.host(host, "requests")
        return lease

    def holds(self, lease: int) -> bool:
        return row(self._connection, "SELECT 1 FROM lease WHERE id = ?", (lease,)) is not None

    def end(self, lease: int) -> bool:
        """Its result is there; False where the lease has passed to another, and the result counts for nothing."""
        self._held.pop(lease, None)
        self._connection.execute("DELETE FROM lease WHERE id = ?", (lease,))
        return self._connection.changes() == 1

    def overdue(self, now: float) -> list[Held]:
        """Leases of this session whose time is over."""
        return [held for held in self._held.values() if held.until <= now]

    def take_back(self, held: Held, at: float) -> None:
        """A lease of this session expired."""
        for fields in rows(self._connection, f"{LEASED} WHERE lease.id = ?", (held.lease,)):
            self._take_back(*fields, at=at)
        self.end(held.lease)

    def take_back_all(self, at: float) -> int:
        """The leases of engines that died: their number. The next requests of their hosts keep their distance."""
        found = rows(self._connection, LEASED)
        for fields in found:
            self._take_back(*fields, at=at)
        self._connection.execute(
            "UPDATE host SET last_request = max(coalesce(last_request, 0), latest) FROM (SELECT host_id, max(at) AS "
            "latest FROM lease JOIN origin ON origin.id = origin_id GROUP BY host_id) WHERE host.id = host_id"
        )
        self._connection.execute("DELETE FROM lease")
        return len(found)

    def _take_back(
        self,
        number: int | None,
        session: int,
        base: str,
        host: int,
        path: str | None,
        reclaims: int | None,
        purpose: str,
        *,
        at: float,
    ) -> None:
        address = base + (path or ("/robots.txt" if purpose == "robots" else f" ({purpose})"))
        self._connection.execute(
            "INSERT INTO reclaimed(session_id, url_id, address, at) VALUES (?, ?, ?, ?)", (session, number, address, at)
        )
        if number is not None:
            self._return(number, host, (reclaims or 0) + 1, at)

    def _return(self, number: int, host: int, reclaims: int, at: float) -> None:
        """Whoever kills engines is no fault of a page; but if a page does, the others come to their turn before it."""
        after, due = UrlState.PENDING, None
        if reclaims > MOST_RECLAIMS:
            after = UrlState.FAILED
        elif reclaims > FEW_RECLAIMS:
            after, due = UrlState.WAITING, at + min(float(reclaims - FEW_RECLAIMS), LONGEST_PAUSE)
        reason = f"error: its request was cut off {reclaims} times" if after is not UrlState.PENDING else None
        self._connection.execute(
            "UPDATE url SET state = ?, reclaims = ?, reason = ?, due = ? WHERE id = ?",
            (int(after), reclaims, reason, due, number),
        )
        self._tally.move(host, UrlState.LEASED, after)
