"""What counts against the limits on pages: in all, per host, per pattern, parameter combinations per path.

A URL counts once, from the moment it is admitted, whatever its final outcome: retries, robots.txt and sitemaps do not
count. One that is blocked or excluded gives its place back.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows, value
from core.urls import Rules, key_form

if TYPE_CHECKING:
    import apsw

    from core.policy.policy import Policy
    from core.settings import CrawlSettings
    from core.store.write.hosts import Host, Hosts
    from core.store.write.tally import Tally
    from core.urls import Url

OUTSIDE = frozenset({UrlState.EXCLUDED, UrlState.BLOCKED})
PIECE = 10_000
COUNTED = "counted_patterns"  # in meta: the patterns whose counters are kept


class Limits:
    """Used by the writer's thread inside its transaction; the counts are mirrored in memory."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, tally: Tally) -> None:
        self._connection = connection
        self._hosts = hosts
        self._tally = tally
        self._policy: Policy
        self._rules: Rules
        self._patterns: tuple[str, ...] = ()
        self._counts: list[int] = []
        self._most_sets = 0
        self.total = 0

    def use(self, settings: CrawlSettings, policy: Policy) -> None:
        """These limits count from now on. A pattern that was not counted so far is counted over all known URLs."""
        self._policy = policy
        self._rules = Rules.of(settings.normalise)
        self._patterns = tuple(item.pattern for item in settings.budgets.patterns)
        self._most_sets = settings.budgets.max_parameter_sets
        self.total = self._hosts.total_admitted
        self._counts = [self._counter(pattern) for pattern in self._patterns]
        self._count_new_patterns()

    def widen(self, policy: Policy) -> None:
        """The same limits, with one more host in scope."""
        self._policy = policy

    @property
    def pattern_counts(self) -> tuple[int, ...]:
        """Admitted URLs of each of `budgets.patterns`."""
        return tuple(self._counts)

    def parameter_sets(self, host: Host, key: Url) -> int:
        """How many parameter combinations of this path are known; 0 where nobody asks."""
        if "?" not in key.target or not self._most_sets:
            return 0
        sql = "SELECT count FROM path_count WHERE host_id = ? AND path = ?"
        number: int = value(self._connection, sql, (host.id, path_key(key)), 0)
        return number

    def admitted(self, host: Host, key: Url) -> None:
        """A URL entered the frontier."""
        host.admitted += 1
        self.total += 1
        self._count(key, 1)
        if "?" in key.target:
            self._connection.execute(
                "INSERT INTO path_count(host_id, path, count) VALUES (?, ?, 1) "
                "ON CONFLICT(host_id, path) DO UPDATE SET count = count + 1",
                (host.id, path_key(key)),
            )

    def moved(self, number: int, host: int, before: UrlState, after: UrlState) -> None:
        """A URL changed its state: where it was blocked or excluded, or is no longer, its place is free or taken."""
        change = (after not in OUTSIDE) - (before not in OUTSIDE)
        if not change:
            return
        self._hosts.by_id(host).admitted += change
        self.total += change
        if self._patterns:
            origin, path = row(self._connection, "SELECT origin_id, path FROM url WHERE id = ?", (number,))
            self._count(key_form(self._hosts.url(origin, path), self._rules), change)

    def _count(self, key: Url, change: int) -> None:
        for number in self._policy.budget_patterns(key):
            self._counts[number] += change
            self._tally.count(_counter_name(self._patterns[number]), change)

    def _counter(self, pattern: str) -> int:
        sql = "SELECT value FROM counter WHERE name = ? AND run = 0"
        number: int = value(self._connection, sql, (_counter_name(pattern),), 0)
        return number

    def _count_new_patterns(self) -> None:
        kept = set(json.loads(value(self._connection, "SELECT value FROM meta WHERE name = ?", (COUNTED,), "[]")))
        if kept == set(self._patterns):
            return
        new = {number for number, pattern in enumerate(self._patterns) if pattern not in kept}
        for pattern in kept.symmetric_difference(self._patterns):
            self._connection.execute("DELETE FROM counter WHERE name = ?", (_counter_name(pattern),))
        for number in new:
            self._counts[number] = 0
        if new:
            self._count_known(new)
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)", (COUNTED, json.dumps(sorted(set(self._patterns))))
        )

    def _count_known(self, new: set[int]) -> None:
        after = 0
        outside = ", ".join(str(int(state)) for state in sorted(OUTSIDE))
        sql = (
            f"SELECT id, host_id, origin_id, path FROM url WHERE id > ? AND state NOT IN ({outside}) "
            "ORDER BY id LIMIT ?"
        )
        while found := rows(self._connection, sql, (after, PIECE)):
            for _number, host, origin, path in found:
                if self._hosts.by_id(host).ours:
                    self._count_one(key_form(self._hosts.url(origin, path), self._rules), new)
            after = found[-1][0]

    def _count_one(self, key: Url, new: set[int]) -> None:
        for number in new.intersection(self._policy.budget_patterns(key)):
            self._counts[number] += 1
            self._tally.count(_counter_name(self._patterns[number]))


def path_key(key: Url) -> int:
    """A signed 64-bit hash of a URL without its parameters, within its host."""
    return signed_hash(f"{key.scheme}:{key.port}{key.path}")


def signed_hash(text: str) -> int:
    """XXH3 as SQLite keeps it."""
    from xxhash import xxh3_64_intdigest

    number: int = xxh3_64_intdigest(text.encode())
    return number - (1 << 64) if number >= 1 << 63 else number


def _counter_name(pattern: str) -> str:
    return f"pattern.{pattern}"
