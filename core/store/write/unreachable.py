"""Origins that cannot be reached: their names do not resolve, or nothing there accepts a connection.

Such an origin is held as a whole: recorded once, tried ever more seldom by one URL at a time, none of which spends a
try. It is given up, its URLs blocked until the next start, after `politeness.unreachable_after` seconds; one that has
never answered also as soon as nothing else is left and it failed as often as a page may. While the engine is offline
nothing counts against anybody. Times are monotonic, so that no clock that jumps gives up a host.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.names import UrlState
from core.store.query import row, rows
from core.store.words import quantity
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import Answer
    from core.store.write.hosts import Hosts, Origin
    from core.store.write.queue import Queue

WORD = "unreachable"
PIECE = 2_000  # URLs blocked in one transaction
FIRST_WAIT = 2.0  # seconds until an origin is tried again; doubles with each further failure
LONGEST_WAIT = 300.0

HAS_ANSWERED = """
SELECT 1 FROM url JOIN page ON page.url_id = url.id
WHERE host_id = ? AND origin_id = ? AND page.status IS NOT NULL LIMIT 1"""
NOT_REACHED = """
UPDATE host SET state = 'unreachable', unreachable_since = ?1 WHERE id = ?2 AND state = ''
AND (?3 OR NOT EXISTS (SELECT 1 FROM origin WHERE host_id = ?2 AND origin.id <> ?4))"""
REACHED = "UPDATE host SET state = '', unreachable_since = NULL WHERE state = 'unreachable'"
BLOCKED = f"""
SELECT url.id, host_id FROM url JOIN host ON host.id = host_id
WHERE url.state = 6 AND reason LIKE '{WORD}:%' AND tenant = ?"""


@dataclass(slots=True)
class Failing:
    """Since when an origin cannot be reached, when it failed last (monotonic), how often, and how."""

    since: float
    last: float
    kind: str  # dns, connect, timeout
    answered: bool  # some time before
    tries: int = 1


class Unreachable:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._failing: dict[int, Failing] = {}
        self._remarks: list[Remark] = []
        self._longest = 0.0
        self._longest_wait = LONGEST_WAIT
        self._tries = 1

    def __bool__(self) -> bool:
        return bool(self._failing)

    def use(self, settings: CrawlSettings) -> None:
        """These limits count from now on."""
        self._longest = settings.politeness.unreachable_after or float("inf")
        self._longest_wait = min(settings.politeness.retry_after_max or LONGEST_WAIT, LONGEST_WAIT)
        self._tries = settings.fetch.retries + 1

    def ask_again(self) -> None:
        """A new session tries every origin that an earlier one gave up."""
        self.forgive()
        for number, host in rows(self._connection, BLOCKED, (self._hosts.tenant,)):
            self._queue.move(number, host, UrlState.BLOCKED, UrlState.PENDING, None)

    def failed(self, number: int, answer: Answer, now: float) -> float:
        """A page's request did not reach its origin: the seconds until the next try.

        Of a burst that fails together the first counts.
        """
        known = self._failing.get(number)
        if known is None:
            known = self._failing[number] = self._first(self._hosts.origin_by_id(number), answer, now)
        elif now - answer.seconds >= known.last:
            known.tries, known.last, known.kind = known.tries + 1, now, _kind(answer)
        wait = FIRST_WAIT * 2.0 ** min(known.tries - 1, 16)
        return max(0.0, min(wait, self._longest_wait) + known.last - now)

    def reached(self, number: int) -> None:
        """Something answered there."""
        known = self._failing.pop(number, None)
        if known is not None:
            origin = self._hosts.origin_by_id(number)
            self._connection.execute(f"{REACHED} AND id = ?", (origin.host,))
            self._remarks.append(Remark("info", "fetch", f"{origin.base} can be reached again.", origin.name))

    def forgive(self) -> None:
        """The fault was the network's: whoever fails from now on begins anew."""
        self._failing.clear()
        self._connection.execute(REACHED)

    def give_up(self, now: float, *, alone: bool, offline: bool = False) -> bool:
        """Block what waits for origins that failed long enough; with `alone`, where nothing else is left, often enough.

        While the engine is offline only when all that is left has failed so long. Whether anything was blocked: then
        there may be more.
        """
        over = [number for number, failing in self._failing.items() if now - failing.since >= self._longest]
        if offline:
            over = over if over and self._only_wait(over) else []
        elif alone and (often := [number for number in self._failing if self._is_lost(number)]):
            over += often if self._only_wait(self._failing) else []
        return sum([self._block(number) for number in dict.fromkeys(over)]) > 0

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _first(self, origin: Origin, answer: Answer, now: float) -> Failing:
        kind = _kind(answer)
        others = [self._hosts.origin_by_id(number) for number in self._failing]
        if kind != "dns" or all(other.name != origin.name for other in others):
            message = f"{answer.error or 'It cannot be reached.'} Its other URLs wait."
            self._remarks.append(Remark("warning", "fetch", message, origin.name))
        self._connection.execute(NOT_REACHED, (answer.at, origin.host, kind == "dns", origin.id))
        return Failing(now, now, kind, self._has_answered(origin))

    def _has_answered(self, origin: Origin) -> bool:
        if origin.robots_state in {"rules", "allow"}:
            return True
        return row(self._connection, HAS_ANSWERED, (origin.host, origin.id)) is not None

    def _is_lost(self, number: int) -> bool:
        failing = self._failing[number]
        return not failing.answered and failing.tries >= self._tries

    def _only_wait(self, origins: list[int] | dict[int, Failing]) -> bool:
        """Whether every URL of the frontier waits for one of these origins."""
        sql = "SELECT id FROM host WHERE tenant = ? AND pending + leased + waiting > 0"
        marks = ", ".join(map(str, origins))
        elsewhere = f"SELECT 1 FROM url WHERE host_id = ? AND state IN (0, 1, 2) AND origin_id NOT IN ({marks}) LIMIT 1"
        hosts = {self._hosts.origin_by_id(number).host for number in origins}
        return all(
            host in hosts and row(self._connection, elsewhere, (host,)) is None
            for (host,) in rows(self._connection, sql, (self._hosts.tenant,))
        )

    def _block(self, number: int) -> int:
        origin, kind = self._hosts.origin_by_id(number), self._failing[number].kind
        sql = "SELECT id, state FROM url WHERE host_id = ? AND origin_id = ? AND state IN (0, 2) LIMIT ?"
        found = rows(self._connection, sql, (origin.host, number, PIECE))
        for url, state in found:
            self._queue.move(url, origin.host, UrlState(state), UrlState.BLOCKED, f"{WORD}: {kind}")
        if found:
            how = f"{origin.name} does not resolve" if kind == "dns" else f"{origin.base} cannot be reached"
            message = f"{how}: {quantity(len(found), 'URL')} left until the next start."
            self._remarks.append(Remark("warning", "fetch", message, origin.name))
        return len(found)


def _kind(answer: Answer) -> str:
    return answer.outcome.removeprefix("error:")
