"""Samples for the charts: taken once a second of running, thinned as they age, alive after a kill.

A second apart for the last hour, ten seconds for a day, five minutes before that: a month of crawling is about
20,000 rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows, value

if TYPE_CHECKING:
    import apsw

RECENT_PAGES = 1000  # the window of the discovery ratio
THIN_EVERY = 300.0  # seconds
AGES = ((3600.0, 10.0), (86_400.0, 300.0))  # older than, one sample each

FRONTIER = "SELECT coalesce(sum(pending + leased + waiting), 0), coalesce(sum(errors), 0) FROM host"
RATIO = f"""
SELECT sum(new_urls), count(*)
FROM (SELECT new_urls FROM capture WHERE led_to IS NULL ORDER BY id DESC LIMIT {RECENT_PAGES})"""
INSERT = """
INSERT INTO sample(at, elapsed, run, frontier, known, pages, requests, bytes, errors, records, useful, discovery_ratio,
    duplicate_rate, content_duplicate_rate, bytes_per_useful_page, pages_per_second)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Samples:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        elapsed, captured = row(connection, "SELECT max(elapsed), (SELECT max(id) FROM capture) FROM sample")
        self._last: tuple[float, int] | None = None if elapsed is None else (elapsed, captured or 0)
        self._thinned = 0.0

    def take(self, at: float, elapsed: float, run: int) -> None:
        """Write one sample of the counters as they stand in this transaction."""
        counts = dict(rows(self._connection, "SELECT name, value FROM counter WHERE run = 0"))
        frontier, errors = row(self._connection, FRONTIER)
        new, captures = row(self._connection, RATIO)
        pages, captured = self._captured(self._last[1] if self._last else 0)
        count = counts.get
        self._connection.execute(
            INSERT,
            (
                *(
                    at,
                    elapsed,
                    run,
                    frontier,
                    self._known(),
                    count("pages", 0),
                    count("requests", 0),
                    count("bytes", 0),
                    errors,
                ),
                *(count("records", 0), count("useful", 0), ratio(new or 0, captures)),
                ratio(count("known_links", 0), count("links", 0)),
                ratio(count("duplicate_bodies", 0), count("bodies", 0)),
                ratio(count("bytes", 0), count("useful", 0)),
                self._speed(elapsed, pages),
            ),
        )
        self._last = (elapsed, captured)
        if elapsed - self._thinned >= THIN_EVERY:
            self._thin(elapsed)

    def _known(self) -> int:
        states = " + ".join(state.label for state in UrlState)
        known: int = value(self._connection, f"SELECT sum({states}) FROM host", default=0)
        return known

    def _captured(self, after: int) -> tuple[int, int]:
        """How many pages were answered since, and the number of the last capture."""
        sql = "SELECT count(*) FILTER (WHERE led_to IS NULL), max(id) FROM capture WHERE id > ?"
        pages, last = row(self._connection, sql, (after,))
        return pages, last or after

    def _speed(self, elapsed: float, pages: int) -> float | None:
        if self._last is None or elapsed <= self._last[0]:
            return None
        return pages / (elapsed - self._last[0])

    def _thin(self, elapsed: float) -> None:
        for age, apart in AGES:
            old = elapsed - age
            self._connection.execute(
                "DELETE FROM sample WHERE elapsed < ?1 AND elapsed >= ?2 AND id NOT IN (SELECT max(id) FROM sample "
                "WHERE elapsed < ?1 AND elapsed >= ?2 GROUP BY CAST(elapsed / ?3 AS INTEGER))",
                (old, old - 3 * THIN_EVERY - apart, apart),
            )
        self._thinned = elapsed


def ratio(part: float, whole: float) -> float | None:
    """part / whole, or None while there is nothing to divide by."""
    return part / whole if whole else None
