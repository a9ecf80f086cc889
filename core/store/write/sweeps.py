"""Bringing stored rows in line with changed settings, a piece at a time.

No request waits for a sweep: every URL is checked against the patterns as it is leased. A sweep that a kill cut short
begins again with the next session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.authorisation import WORD
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.words import quantity

if TYPE_CHECKING:
    import apsw

    from core.store.write.authorised import Authorised
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.store.write.robots import RobotsTable

PIECE = 2000  # rows a transaction
READMISSIBLE = (
    *("depth", "length", "host-limit", "total-limit", "pattern-limit", "trap", "pattern", "scope", "extension"),
    *("block-host", "private", "robots"),
)
LIMITS = ("host-limit", "total-limit", "pattern-limit")


@dataclass(slots=True)
class Progress:
    """Where a sweep stands: the last URL and the last refusal that were looked at; None when through."""

    url: int | None = 0
    refusal: int | None = 0
    excluded: int = 0
    returned: int = 0
    readmitted: int = 0

    def sentence(self) -> str:
        """What the sweep changed, in plain words; empty where it was nothing."""
        if not (self.excluded or self.returned or self.readmitted):
            return ""
        return (
            f"The new settings excluded {quantity(self.excluded, 'known URL')}, brought back {self.returned:,} "
            f"and admitted {quantity(self.readmitted, 'URL')} refused before."
        )


class Sweep:
    """One pass over known and refused URLs with the rules now in force."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        queue: Queue,
        robots: RobotsTable,
        authorised: Authorised,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._robots = robots
        self._authorised = authorised
        self.progress = Progress()

    @property
    def over(self) -> bool:
        return self.progress.url is None and self.progress.refusal is None

    def step(self, at: float) -> None:
        """Look at the next piece."""
        if self.progress.url is not None:
            self._known(self.progress.url, at)
        elif self.progress.refusal is not None:
            readmitted, self.progress.refusal = self._frontier.readmit(READMISSIBLE, self.progress.refusal, PIECE, at)
            self.progress.readmitted += readmitted

    def _known(self, after: int, at: float) -> None:
        sql = (
            "SELECT id, host_id, origin_id, path, state FROM url WHERE id > ? AND state IN (0, 2, 5, 6) "
            "AND same_as IS NULL ORDER BY id LIMIT ?"
        )
        found = rows(self._connection, sql, (after, PIECE))
        for number, host, origin, path, state in found:
            if self._hosts.by_id(host).ours:
                self._judge(number, host, origin, path, UrlState(state), at)
        self.progress.url = found[-1][0] if len(found) == PIECE else None

    def _judge(self, number: int, host: int, origin: int, path: str, state: UrlState, at: float) -> None:
        reason = self._frontier.excluded(origin, path)
        if reason:
            self._queue.move(number, host, state, UrlState.EXCLUDED, reason)  # of an excluded one, for its new reason
            self.progress.excluded += state is not UrlState.EXCLUDED
        elif state is UrlState.EXCLUDED or (state is UrlState.BLOCKED and self._unblocked(number, origin, path, at)):
            self._queue.move(number, host, state, UrlState.PENDING, None)
            self.progress.returned += 1

    def _unblocked(self, number: int, origin: int, path: str, at: float) -> bool:
        """Whether what blocked a URL no longer does: robots.txt, as the settings have it read now, or a past date."""
        reason = value(self._connection, "SELECT reason FROM url WHERE id = ?", (number,), "")
        if reason.startswith(WORD):
            return not self._authorised.still_blocks(self._hosts.url(origin, path), reason, at)
        return reason.startswith("robots:") and self._robots.refusal(self._hosts.origin_by_id(origin), path) is None
