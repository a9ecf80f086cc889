"""Which requests may be sent next: the scheduler's choice, the robots check, and the lease, in one transaction.

A request occupies its slot, and its host's, from its committed lease until its result is committed (SPEC 1.2).
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.frontier.scheduler import NEVER, Refill, Scheduler, Take
from core.store.frontier import BUFFER, Candidate
from core.store.names import UrlState
from core.store.query import row, rows
from core.store.results import Work
from core.store.sources import Source
from core.urls import Url, key_form

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.frontier import Frontier
    from core.store.hosts import Hosts, Origin
    from core.store.robots import RobotsTable
    from core.store.sources import Sources
    from core.store.tally import Tally
    from core.urls import Rules

MOST_SKIPS = 500  # blocked or excluded URLs passed over in one transaction
SLACK = 900.0  # seconds a lease outlives the slowest permitted fetch with its waits
HOPS = 12


@dataclass(frozen=True, slots=True)
class Probe:
    """A look at an origin's robots.txt."""

    origin: int


Item = Candidate | Source | Probe


@dataclass(frozen=True, slots=True)
class Granted:
    """Leased work, and the monotonic time of the next look (NEVER: when something comes back)."""

    work: tuple[Work, ...]
    until: float


class Grants:
    """Used by the writer's thread inside its transaction. `session` is the engine's own."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        sources: Sources,
        robots: RobotsTable,
        tally: Tally,
        session: int,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._sources = sources
        self._robots = robots
        self._tally = tally
        self._session = session
        self._probes: defaultdict[int, deque[Probe]] = defaultdict(deque)
        self._gates: dict[int, float] = {}  # origin -> wall time its robots.txt is asked for again
        self._probed: set[int] = set()
        self._scheduler: Scheduler[Item]
        self._settings: CrawlSettings
        self._rules: Rules
        self._overridden: frozenset[str] = frozenset()
        self.checks_exclusions = False  # while rows that a new pattern takes out may still be pending

    def use(self, settings: CrawlSettings, rules: Rules, now: float, at: float) -> None:
        """These settings count from now on; no buffered URL ignores them."""
        self._settings = settings
        self._rules = rules
        self._overridden = frozenset(item.host.lower() for item in settings.politeness.robots_override)
        politeness = settings.politeness
        if not hasattr(self, "_scheduler"):
            self._scheduler = Scheduler(politeness.concurrency, politeness.per_host)
            self._register_all(now, at)
        else:
            self._scheduler.resize(politeness.concurrency, politeness.per_host)
        self._scheduler.clear()

    def pace(self, host: int, delay: float, ready_at: float) -> None:
        """The host's pace changed. `ready_at` is monotonic; 0 leaves the next start as it is."""
        self._scheduler.host(host, delay, ready_at)

    def release(self, host: int) -> None:
        self._scheduler.release(host)

    def hop(self, host: int, now: float) -> float:
        """Reserve the next start at a host for a request that goes on within its lease."""
        return self._scheduler.occupy(host, now)

    def robots_answered(self, origin: Origin, retry_at: float | None) -> None:
        """The look at a robots.txt is over: its host goes on, or waits for the next try."""
        self._probed.discard(origin.id)
        if retry_at is None:
            self._gates.pop(origin.id, None)
            self._scheduler.open_gate(origin.host)
        else:
            self._gates[origin.id] = retry_at

    @property
    def in_flight(self) -> int:
        return self._scheduler.in_flight

    @property
    def gated(self) -> bool:
        """Whether a host waits for its robots.txt."""
        return bool(self._gates)

    def grant(self, now: float, at: float) -> Granted:
        """Lease all that may be sent now."""
        due = self._open_gates(now, at)
        self._probe_unreachable(at)
        self._offer_woken(now, at)
        work: list[Work] = []
        skips = 0
        while skips < MOST_SKIPS:
            step = self._scheduler.next(now)
            if isinstance(step, Refill):
                self._refill(step.host)
            elif isinstance(step, Take):
                leased = self._lease(step.host, step.item, now, at)
                work += [leased] if leased else []
                skips += not leased
            else:
                return Granted(tuple(work), min(step.until, due))
        return Granted(tuple(work), now)

    # -- work comes in ----------------------------------------------------------------------------------------------

    def _register_all(self, now: float, at: float) -> None:
        # Asked of the rows: the mirror of the hosts was read before a dead session's leases were taken back.
        sql = "SELECT id FROM host WHERE EXISTS (SELECT 1 FROM url WHERE host_id = host.id AND state = 0)"
        pending = {number for (number,) in rows(self._connection, sql)}
        for host in self._hosts:
            self._register(host.id, now, at)
            if host.id in pending:
                self._frontier.woken.add(host.id)
        self._frontier.woken |= self._sources.hosts_with_work()

    def _register(self, host_id: int, now: float, at: float) -> None:
        host = self._hosts.by_id(host_id)
        delay = max(host.delay, self._settings.politeness.delay)
        waited = at - host.last_request if host.last_request else delay
        ready = max(
            0.0, delay - max(0.0, waited), min(host.backoff_until - at, self._settings.politeness.retry_after_max)
        )
        self._scheduler.host(host_id, delay, now + ready)

    def _offer_woken(self, now: float, at: float) -> None:
        for host in self._frontier.woken:
            if not self._scheduler.knows(host):
                self._register(host, now, at)
            self._scheduler.offer(host)
        self._frontier.woken.clear()

    def _refill(self, host: int) -> None:
        items: list[Item] = []
        while self._probes[host]:
            items.append(self._probes[host].popleft())
        while (source := self._sources.take(host)) is not None:
            items.append(source)
        pending = self._frontier.buffer(host)
        self._scheduler.supply(host, [*items, *pending], exhausted=len(pending) < BUFFER)

    def _open_gates(self, now: float, at: float) -> float:
        for origin_id, due in list(self._gates.items()):
            if due <= at:
                del self._gates[origin_id]
                self._scheduler.open_gate(self._hosts.origin_by_id(origin_id).host)
        unreachable = (origin for origin in self._robots.unreachable() if origin.id not in self._probed)
        waits = [*self._gates.values(), *(origin.robots_due for origin in unreachable)]
        return now + max(0.0, min(waits) - at) if waits else NEVER

    def _probe_unreachable(self, at: float) -> None:
        for origin in self._robots.unreachable():
            if origin.robots_due <= at and origin.id not in self._probed:
                self._probed.add(origin.id)
                self._probes[origin.host].append(Probe(origin.id))
                self._frontier.woken.add(origin.host)

    # -- one item ---------------------------------------------------------------------------------------------------

    def _lease(self, host: int, item: Item, now: float, at: float) -> Work | None:
        if isinstance(item, Source):
            return self._lease_source(host, item, at)
        if isinstance(item, Probe):
            return self._lease_robots(host, self._hosts.origin_by_id(item.origin), at)
        origin = self._hosts.origin_by_id(item.origin)
        if self._needs_robots(origin, at):
            self._scheduler.put_back(host, item, gate=True)
            return self._lease_robots(host, origin, at)
        url = self._frontier.url_of(item.origin, item.path)
        state, reason = self._objection(origin, url)
        if state is not None:
            self._frontier.set_state(item.id, host, UrlState.PENDING, state, reason)
            self._scheduler.skip(host, now)
            return None
        return self._lease_page(host, item, url, at)

    def _needs_robots(self, origin: Origin, at: float) -> bool:
        if not self._obeys_robots(origin):
            return "auto" in self._settings.seeds.sitemaps and origin.robots_state == "unknown"
        return origin.robots_state == "unknown" or (origin.robots_state != "disallow" and origin.robots_due <= at)

    def _obeys_robots(self, origin: Origin) -> bool:
        if not self._settings.politeness.robots:
            return False
        name = self._hosts.by_id(origin.host).name
        return name not in self._overridden and f"{name}:{origin.port}" not in self._overridden

    def _objection(self, origin: Origin, url: Url) -> tuple[UrlState | None, str | None]:
        if self.checks_exclusions:
            reason = self._frontier.policy.excluded(key_form(url, self._rules))
            if reason:
                return UrlState.EXCLUDED, reason
        if self._obeys_robots(origin):
            reason = self._robots.refusal(origin, url.target)
            if reason:
                return UrlState.BLOCKED, reason
        return None, None

    def _lease_page(self, host: int, item: Candidate, url: Url, at: float) -> Work:
        etag, last_modified = self._validators(item)
        self._connection.execute("UPDATE url SET state = 1 WHERE id = ?", (item.id,))
        self._tally.move(host, UrlState.PENDING, UrlState.LEASED)
        lease = self._write_lease(item.id, item.origin, "page", host, at)
        return Work(
            *(lease, "page", host, item.origin, url, item.id, item.depth, item.tries, item.seed),
            etag=etag,
            last_modified=last_modified,
            referer=self._referer(item),
        )

    def _validators(self, item: Candidate) -> tuple[str | None, str | None]:
        """ETag and Last-Modified of the stored answer (RFC 9110 section 13), where its content is still known."""
        found = row(
            self._connection,
            "SELECT etag, last_modified FROM page WHERE url_id = ? AND content_hash IS NOT NULL AND soft_block = 0 "
            "AND outcome IN ('ok', 'not_modified')",
            (item.id,),
        )
        return found or (None, None)

    def _referer(self, item: Candidate) -> str | None:
        if item.found_on is None:
            return None
        sql = "SELECT origin_id, path FROM url WHERE id = ?"
        for origin, path in rows(self._connection, sql, (item.found_on,)):
            return self._frontier.url_of(origin, path).text
        return None

    def _lease_robots(self, host: int, origin: Origin, at: float) -> Work:
        self._probed.add(origin.id)
        lease = self._write_lease(None, origin.id, "robots", host, at)
        url = self._frontier.url_of(origin.id, "/robots.txt")
        return Work(lease, "robots", host, origin.id, url, origin.id, tries=origin.robots_tries)

    def _lease_source(self, host: int, source: Source, at: float) -> Work:
        lease = self._write_lease(None, source.origin, "sitemap", host, at)
        base = self._hosts.origin_by_id(source.origin).base
        url = self._frontier.url_of(source.origin, source.address[len(base) :])
        return Work(lease, "sitemap", host, source.origin, url, source.id, source.level, source.tries)

    def _write_lease(self, number: int | None, origin: int, purpose: str, host: int, at: float) -> int:
        expires = at + HOPS * self._settings.fetch.timeout + SLACK
        self._connection.execute(
            "INSERT INTO lease(url_id, origin_id, purpose, session_id, at, expires) VALUES (?, ?, ?, ?, ?, ?)",
            (number, origin, purpose, self._session, at, expires),
        )
        self._tally.count("requests")
        self._tally.host(host, "requests")
        return self._connection.last_insert_rowid()
