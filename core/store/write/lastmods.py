"""What a source says of the last change of a URL that is known already: it goes sooner, and is looked at sooner.

The newest word of all sources counts. A page that changed after its last look is due from that moment on (SPEC 9.1); a
recrawl that meets it and has not looked yet does so at once. Its priority follows as Explain tells it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.due import next_due
from core.policy.priority import freshness, front, total
from core.store.names import UrlState
from core.store.query import row

if TYPE_CHECKING:
    import apsw

    from core.store.results import SourceEntry
    from core.store.write.queue import Queue

KNOWN = """
SELECT url.host_id, state, priority, first_seen, lastmod, due, last_fetched
FROM url LEFT JOIN page ON page.url_id = url.id WHERE url.id = ?"""
ANSWERED = (UrlState.DONE, UrlState.FAILED)


class LastMods:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, queue: Queue) -> None:
        self._connection = connection
        self._queue = queue

    def heard(self, number: int, entry: SourceEntry, at: float, recrawl_began: float) -> None:
        """A source names a known URL. `recrawl_began` is 0 where this run is none."""
        if entry.lastmod is None:
            return
        host, state, points, first_seen, before, due, fetched = row(self._connection, KNOWN, (number,))
        if before is None or entry.lastmod > before:
            self._rank(number, points, first_seen, before, entry.lastmod)
        moment = _changed_after(fetched, before, entry)
        if moment is None or due is None or state not in ANSWERED:
            return
        sooner = min(due, next_due(fetched, due - fetched, moment))
        if fetched < recrawl_began and sooner <= at:
            self._take_up(number, host, UrlState(state))
        elif sooner < due:
            self._connection.execute("UPDATE url SET due = ? WHERE id = ?", (sooner, number))

    def _rank(self, number: int, points: int, first_seen: float, before: float | None, lastmod: float) -> None:
        """Keep the date, and exchange its part of the priority; what the analyst or the depth gave stays."""
        change = freshness(max(0.0, first_seen - lastmod))
        if before is not None:
            change -= freshness(max(0.0, first_seen - before))
        points = total((points, change))
        self._connection.execute(
            "UPDATE url SET lastmod = ?, priority = ?, front = ? WHERE id = ?", (lastmod, points, front(points), number)
        )

    def _take_up(self, number: int, host: int, state: UrlState) -> None:
        self._connection.execute("UPDATE url SET tries = 0, reclaims = 0 WHERE id = ?", (number,))
        self._queue.move(number, host, state, UrlState.PENDING, None)


def _changed_after(fetched: float | None, before: float | None, entry: SourceEntry) -> float | None:
    """When the page changed after its last look, or None. A bare day that is new may mean what came later that day."""
    if fetched is None or entry.lastmod is None:
        return None
    if entry.lastmod > fetched:
        return entry.lastmod
    end = entry.lastmod if entry.lastmod_end is None else entry.lastmod_end
    is_new = before is not None and entry.lastmod > before
    return end if is_new and end > fetched else None
