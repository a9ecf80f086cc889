"""Counts that change in the transaction that stores what they count.

A Tally gathers the changes of one transaction and writes them just before its COMMIT: one row a counter and one a
host, however many pages the transaction holds.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from core.store.names import UrlState

HOST_COLUMNS = (
    *("pending", "leased", "waiting", "done", "failed", "excluded", "blocked", "held", "gone", "refused"),
    *("requests", "bytes", "status_2xx", "status_3xx", "status_4xx", "status_5xx", "errors", "seconds"),
)
_UPDATE_HOST = f"UPDATE host SET {', '.join(f'{column} = {column} + ?' for column in HOST_COLUMNS)} WHERE id = ?"
_COLUMN = {name: number for number, name in enumerate(HOST_COLUMNS)}
_ADD = """INSERT INTO counter(name, run, value) VALUES (?, ?, ?)
          ON CONFLICT(name, run) DO UPDATE SET value = value + excluded.value"""


class Tally:
    """The changes of one transaction."""

    def __init__(self) -> None:
        self._counters: defaultdict[str, int] = defaultdict(int)
        self._in_run: defaultdict[str, int] = defaultdict(int)
        self._of_run: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._hosts: dict[int, list[float]] = {}

    def count(self, name: str, change: int = 1) -> None:
        """Change a counter of the crawl and of its run."""
        self._counters[name] += change

    def pending(self, name: str) -> int:
        """The change of a counter in this transaction so far."""
        return self._counters.get(name, 0)

    def count_in_run(self, name: str, change: int = 1) -> None:
        """Change a counter of the run alone: what the crawl as a whole has counted before."""
        self._in_run[name] += change

    def count_of(self, run: int, name: str, change: int = 1) -> None:
        """Change a counter of the crawl and of the run, perhaps an earlier one, that counted wrongly."""
        self._of_run[name, 0] += change
        self._of_run[name, run] += change

    def host(self, host: int, column: str, change: float = 1) -> None:
        """Change a column of a host's row."""
        row = self._hosts.get(host)
        if row is None:
            row = self._hosts[host] = [0] * len(HOST_COLUMNS)
        row[_COLUMN[column]] += change

    def move(self, host: int, before: UrlState | None, after: UrlState | None) -> None:
        """A URL of the host went from one state to another; None is outside."""
        if before is not None:
            self.host(host, before.label, -1)
        if after is not None:
            self.host(host, after.label)

    def flush(self, connection: apsw.Connection, run: int) -> None:
        """Write all changes; the Tally is empty afterwards."""
        counters = [(name, which, change) for name, change in self._counters.items() if change for which in {0, run}]
        counters += [(name, run, change) for name, change in self._in_run.items() if change]
        counters += [(name, which, change) for (name, which), change in self._of_run.items() if change]
        if counters:
            connection.executemany(_ADD, counters)
        if self._hosts:
            connection.executemany(_UPDATE_HOST, [(*row, host) for host, row in self._hosts.items()])
        self.forget()

    def forget(self) -> None:
        """Drop all changes: their transaction was rolled back."""
        self._counters.clear()
        self._in_run.clear()
        self._of_run.clear()
        self._hosts.clear()
