"""Hosts whose name does not resolve: recorded once, probed ever more seldom, given up in the end until the next start.

The pace of such a host lets one URL through at a time; none of its URLs spends a try. It is given up, its URLs blocked,
after `politeness.unreachable_after` seconds, or when nothing else is left and it failed as often as a page may.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import rows, value
from core.store.words import quantity
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import Answer
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

REASON = "unreachable: dns"
PIECE = 2_000  # URLs blocked in one transaction


@dataclass(slots=True)
class Failing:
    """Since when a host does not resolve, when it failed last (wall times), and how often."""

    since: float
    last: float
    probes: int = 1


class Unresolved:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._failing: dict[int, Failing] = {}
        self._remarks: list[Remark] = []
        self._longest = 0.0
        self._probes = 1

    def __bool__(self) -> bool:
        return bool(self._failing)

    def use(self, settings: CrawlSettings) -> None:
        """These limits count from now on."""
        self._longest = settings.politeness.unreachable_after or float("inf")
        self._probes = settings.fetch.retries + 1

    def ask_again(self) -> None:
        """A new session tries every host that an earlier one gave up."""
        self._failing.clear()
        sql = "SELECT url.id, host_id FROM url JOIN host ON host.id = host_id WHERE url.state = 6 AND reason = ?"
        for number, host in rows(self._connection, f"{sql} AND tenant = ?", (REASON, self._hosts.tenant)):
            self._queue.move(number, host, UrlState.BLOCKED, UrlState.PENDING, None)

    def note(self, host: int, answer: Answer) -> None:
        """What a request for a page of this host came to. Of a burst that fails together the first counts."""
        if answer.outcome != "error:dns":
            self._failing.pop(host, None)
            return
        known = self._failing.get(host)
        if known is None:
            self._failing[host] = Failing(answer.at, answer.at)
            name = self._hosts.by_id(host).name
            self._remarks.append(Remark("warning", "fetch", f"{answer.error} Its other URLs wait.", name))
        elif answer.at - answer.seconds >= known.last:
            known.probes, known.last = known.probes + 1, answer.at

    def give_up(self, at: float, *, alone: bool) -> bool:
        """Block what waits for hosts that failed long enough; with `alone`, where nothing else is left, often enough.

        Whether anything was blocked: then there may be more.
        """
        over = [host for host, failing in self._failing.items() if at - failing.since >= self._longest]
        if alone and self._only_these_wait():
            over += [host for host, failing in self._failing.items() if failing.probes >= self._probes]
        return sum([self._block(host) for host in dict.fromkeys(over)]) > 0

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _only_these_wait(self) -> bool:
        sql = "SELECT id FROM host WHERE tenant = ? AND pending + leased + waiting > 0"
        return all(host in self._failing for (host,) in rows(self._connection, sql, (self._hosts.tenant,)))

    def _block(self, host: int) -> int:
        if not value(self._connection, "SELECT pending + waiting FROM host WHERE id = ?", (host,), 0):
            return 0
        sql = "SELECT id, state FROM url WHERE host_id = ? AND state IN (0, 2) LIMIT ?"
        found = rows(self._connection, sql, (host, PIECE))
        for number, state in found:
            self._queue.move(number, host, UrlState(state), UrlState.BLOCKED, REASON)
        if found:
            name = self._hosts.by_id(host).name
            message = f"{name} does not resolve: {quantity(len(found), 'URL')} left until the next start."
            self._remarks.append(Remark("warning", "fetch", message, name))
        return len(found)
