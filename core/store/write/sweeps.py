"""Bringing stored rows in line with changed settings, a piece at a time: known URLs, refusals, seeds that were refused.

Where refusals were only counted, and the change may take some of them back, who revealed them is marked to be read
again (rereadings.py). No request waits for a sweep: every URL is checked against the patterns as it is leased. A sweep
that a kill cut short begins again with the next session; nothing that it marked is read before it is through.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from core.policy.authorisation import WORD
from core.policy.relaxed import WORDS, relaxed
from core.settings import decode
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.words import quantity
from core.store.write.refusal_counts import FIRST

if TYPE_CHECKING:
    import apsw

    from core.store.write.authorised import Authorised
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue
    from core.store.write.refusal_counts import RefusalCounts
    from core.store.write.robots import RobotsTable
    from core.store.write.typed_seeds import TypedSeeds

SWEPT = "swept_version"  # in meta
PIECE = 2000  # rows a transaction
READMISSIBLE = tuple(sorted(WORDS))
LIMITS = ("host-limit", "total-limit", "pattern-limit")


@dataclass(slots=True)
class Progress:
    """Where a sweep stands: the last URL, refusal, count and seed that were looked at; None when through."""

    url: int | None = 0
    refusal: int | None = 0
    count: int | None = FIRST
    seed: int | None = 0
    excluded: int = 0
    returned: int = 0
    readmitted: int = 0
    marked: int = 0

    def sentence(self) -> str:
        """What the sweep changed, in plain words; empty where it was nothing."""
        changed = (
            f"The new settings excluded {quantity(self.excluded, 'known URL')}, brought back {self.returned:,} "
            f"and admitted {quantity(self.readmitted, 'URL')} refused before."
        )
        marked = f"The links of {quantity(self.marked, 'page')} are read again: some were refused and only counted."
        is_any = (self.excluded or self.returned or self.readmitted, self.marked)
        return " ".join(text for text, is_so in zip((changed, marked), is_any, strict=True) if is_so)


class Sweep:
    """One pass over known and refused URLs with the rules now in force, which are those of a version of the settings.

    `words` are those of refusals that the change may take back.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        queue: Queue,
        robots: RobotsTable,
        authorised: Authorised,
        counts: RefusalCounts,
        seeds: TypedSeeds,
        *,
        version: int,
        words: frozenset[str],
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._robots = robots
        self._authorised = authorised
        self._counts = counts
        self._seeds = seeds
        self._words = words
        self.version = version
        self.progress = Progress()

    @property
    def over(self) -> bool:
        progress = self.progress
        return all(place is None for place in (progress.url, progress.refusal, progress.count, progress.seed))

    def step(self, at: float) -> None:
        """Look at the next piece."""
        if self.progress.url is not None:
            self._known(self.progress.url, at)
        elif self.progress.refusal is not None:
            readmitted, self.progress.refusal = self._frontier.readmit(READMISSIBLE, self.progress.refusal, PIECE, at)
            self.progress.readmitted += readmitted
        elif self.progress.seed is not None:
            readmitted, self.progress.seed = self._seeds.admit_again(self.progress.seed, PIECE, at)
            self.progress.readmitted += readmitted
        elif self.progress.count is not None:
            self._mark(self.progress.count)

    def _mark(self, after: int) -> None:
        self.progress.count = self._counts.mark(self._words, after, PIECE) if self._words else None
        if self.progress.count is None:
            self.progress.marked = self._counts.marked()

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
        reason = self._frontier.excluded(number, origin, path)
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


def swept_version(connection: apsw.Connection) -> int:
    """The version of the settings that stored rows are in line with."""
    return int(value(connection, "SELECT value FROM meta WHERE name = ?", (SWEPT,), default="1"))


def note_swept(connection: apsw.Connection, version: int) -> None:
    """They are in line with this one now."""
    connection.execute("INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (SWEPT, str(version)))


def words_in_question(connection: apsw.Connection, swept: int) -> frozenset[str]:
    """The words of refusals that some change since a version of the settings may take back.

    Every version counts: each may have been in force for a while, in a session that did not live to sweep.
    """
    texts = rows(connection, "SELECT json FROM setting WHERE version >= ? ORDER BY version", (swept,))
    versions = [decode(text) for (text,) in texts]
    return frozenset().union(*(relaxed(*pair) for pair in pairwise(versions)))
