"""Hosts whose pages lead to one login or portal: on hold, with an alarm, until a probe or the analyst shows otherwise.

What waits of such a host is held. Now and then one of its URLs is asked; an answer of its own ends the hold, and so do
other settings (cookies, say), the next start, the analyst's wish. The pages that led to the portal meanwhile are asked
again, for what they would have said is not known.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.portal import RECENT, common_portal, portal
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.words import quantity
from core.store.write.remarks import Remark

if TYPE_CHECKING:
    import apsw

    from core.store.results import PageResult
    from core.store.write.hosts import Hosts
    from core.store.write.queue import Queue

KIND = "login"  # of the alarm
HELD = "held"  # the host's state
REASON = "hold: its pages lead to "
PIECE = 2_000  # URLs a transaction
PROBE_EVERY = 300.0  # seconds

WAITING = "SELECT id, state FROM url WHERE host_id = ? AND state IN (0, 2) AND id <> ? LIMIT ?"
BACK = f"SELECT id, state FROM url WHERE host_id = ? AND state = 7 AND reason LIKE '{REASON}%' LIMIT ?"
LED_THERE = """
SELECT url.id, state FROM url JOIN page ON page.url_id = url.id
WHERE host_id = ?1 AND state = 3 AND substr(redirect_to, 1, length(?2)) = ?2 AND last_fetched <= ?3 LIMIT ?4"""
STANDING = """
SELECT host.id, alarm.pattern FROM host JOIN alarm ON alarm.host = host.name
WHERE host.tenant = ? AND host.state = ? AND alarm.kind = ? AND alarm.cleared IS NULL"""


@dataclass(slots=True)
class Hold:
    """A host on hold: the page it leads to, when it is probed next (monotonic), and the URL that probes."""

    place: str
    next_probe: float
    probe: int = 0


class Portals:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._recent: defaultdict[int, deque[str]] = defaultdict(lambda: deque(maxlen=RECENT))
        self._held: dict[int, Hold] = {}
        self._ending: dict[int, tuple[str, float]] = {}  # whose URLs come back, with the page they led to until when
        self._remarks: list[Remark] = []

    def ask_again(self, at: float) -> None:
        """A new session asks every host that an earlier one held."""
        self._recent.clear()
        self._held = {
            host: Hold(place, 0.0) for host, place in rows(self._connection, STANDING, (self._hosts.tenant, HELD, KIND))
        }
        self.release_all(at)

    def release_all(self, at: float) -> None:
        """Other settings, or the analyst's word: whoever is held is asked again."""
        for host in tuple(self._held):
            self._release(host, at, "")

    def note(self, result: PageResult, now: float, at: float) -> None:
        """The final answer of a page."""
        if result.retry_at is not None:
            return
        work, target = result.work, result.redirect
        place = portal(work.url, target.fetch, result.answer.status) if target is not None else ""
        hold = self._held.get(work.host)
        if hold is not None:
            self._note_probe(result, hold, place, at)
            return
        recent = self._recent[work.host]
        recent.append(place)
        if place and (common := common_portal(recent)):
            self._hold(work.host, common, len(recent), now, at)

    def step(self, now: float) -> bool:
        """The next piece of what is held or comes back; whether there is more."""
        more = [self._take_back(host, *ended) for host, ended in tuple(self._ending.items())]
        for host, hold in self._held.items():
            more.append(self._hold_piece(host, hold))
            if now >= hold.next_probe:
                self._probe(host, hold, now)
        return any(more)

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _hold(self, host: int, place: str, looked_at: int, now: float, at: float) -> None:
        name = self._hosts.by_id(host).name
        led = sum(found == place for found in self._recent.pop(host))
        message = (
            f"{led} of the last {looked_at} pages of {name} led to {place}: a login or a portal, it seems. The host is "
            f"on hold. Give the crawl what the page asks for (cookies, a header), or exclude what needs it; it goes on "
            "with other settings, with the next start, or when a page answers for itself."
        )
        self._held[host] = Hold(place, now + PROBE_EVERY)
        self._ending.pop(host, None)
        self._connection.execute("UPDATE host SET state = ? WHERE id = ?", (HELD, host))
        self._connection.execute(
            "INSERT INTO alarm(kind, pattern, host, message, raised) VALUES (?, ?, ?, ?, ?)",
            (KIND, place, name, message, at),
        )
        self._remarks.append(Remark("warning", KIND, message, name, place))

    def _hold_piece(self, host: int, hold: Hold) -> bool:
        found = rows(self._connection, WAITING, (host, hold.probe, PIECE))
        for number, state in found:
            self._queue.move(number, host, UrlState(state), UrlState.HELD, f"{REASON}{hold.place}"[:300])
        return len(found) == PIECE

    def _probe(self, host: int, hold: Hold, now: float) -> None:
        hold.next_probe = now + PROBE_EVERY
        for number, _ in rows(self._connection, BACK, (host, 1)):
            hold.probe = number
            self._queue.move(number, host, UrlState.HELD, UrlState.PENDING, None)

    def _note_probe(self, result: PageResult, hold: Hold, place: str, at: float) -> None:
        """What was in flight as the host was held may still come in: only the probe's answer counts."""
        if result.work.id != hold.probe:
            return
        hold.probe = 0
        if place != hold.place and result.answer.status is not None:
            name = self._hosts.by_id(result.work.host).name
            self._release(result.work.host, at, f"{name} answers for itself again: it is no longer on hold.")

    def _release(self, host: int, at: float, message: str) -> None:
        name = self._hosts.by_id(host).name
        self._ending[host] = (self._held.pop(host).place, at)
        self._connection.execute("UPDATE host SET state = '' WHERE id = ?", (host,))
        self._connection.execute(
            "UPDATE alarm SET cleared = ? WHERE kind = ? AND host = ? AND cleared IS NULL", (at, KIND, name)
        )
        if message:
            self._remarks.append(Remark("info", KIND, message, name))

    def _take_back(self, host: int, place: str, until: float) -> bool:
        found = rows(self._connection, BACK, (host, PIECE))
        found = found or rows(self._connection, LED_THERE, (host, place, until, PIECE))
        for number, state in found:
            self._queue.move(number, host, UrlState(state), UrlState.PENDING, None)
        if not found:
            del self._ending[host]
        return bool(found)


def left_on_hold(connection: apsw.Connection, tenant: str) -> str:
    """What such holds leave undone, as a reason; empty where nothing is held."""
    sql = (
        "SELECT host.name, count(*) FROM url JOIN host ON host.id = host_id "
        f"WHERE url.state = 7 AND url.reason LIKE '{REASON}%' AND tenant = ? GROUP BY 1 ORDER BY 2 DESC"
    )
    found = rows(connection, sql, (tenant,))
    if not found:
        return ""
    others = f" and {quantity(len(found) - 1, 'other host')}" if len(found) > 1 else ""
    left = quantity(sum(count for _, count in found), "URL")
    where = "SELECT pattern FROM alarm WHERE kind = ? AND host = ? AND cleared IS NULL"
    place = value(connection, where, (KIND, found[0][0]), "a login")
    return f"hold: {left} left at {found[0][0]}{others}, whose pages lead to {place}"
