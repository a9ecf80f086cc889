"""Which requests may be sent next: the scheduler's choice, the robots check, and the lease, in one transaction.

A request occupies its slot, and its host's, from its committed lease until its result is committed.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.frontier.scheduler import NEVER, Refill, Scheduler, Take
from core.store.names import UrlState
from core.store.query import row, rows
from core.store.results import Work
from core.store.write.checked import Checked
from core.store.write.held_origins import HeldOrigins
from core.store.write.queue import BUFFER, Candidate
from core.store.write.sources import Source

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.responses import Responses
    from core.store.results import FoundLink
    from core.store.write.authorised import Authorised
    from core.store.write.frontier import Frontier
    from core.store.write.hosts import Hosts, Origin
    from core.store.write.leases import Leases
    from core.store.write.queue import Queue
    from core.store.write.robots import RobotsTable
    from core.store.write.sources import Sources
    from core.urls import Url

MOST_LEASES = 1_000_000  # in one transaction: no limit but the slots
MOST_SKIPS = 500  # blocked or excluded URLs passed over in one transaction
SLACK = 900.0  # seconds a lease outlives the slowest permitted fetch with its waits
HOPS = 12  # requests within one lease: more than robots.txt or a page may take

VALIDATORS = """
SELECT etag, last_modified, EXISTS (SELECT 1 FROM link WHERE source = url_id AND kind <> 'redirect'), response
FROM page WHERE url_id = ? AND content_hash IS NOT NULL AND soft_block = 0
AND outcome IN ('ok', 'not_modified') AND (status BETWEEN 200 AND 299 OR status = 304) AND last_fetched >= ?
AND NOT EXISTS (SELECT 1 FROM refusal_count WHERE found_on = url_id AND again)"""


@dataclass(frozen=True, slots=True)
class Lead:
    """Where an origin's robots.txt lies at another host, after so many redirects."""

    owner: int
    url: Url
    hops: int


@dataclass(frozen=True, slots=True)
class Probe:
    """A look at an origin's robots.txt; with a lead, at an address of this origin for another's rules."""

    origin: int
    lead: Lead | None = None


Item = Candidate | Source | Probe


@dataclass(frozen=True, slots=True)
class Granted:
    """Leased work, and the monotonic time of the next look (NEVER: when something comes back)."""

    work: tuple[Work, ...]
    until: float


class Grants:
    """Used by the writer's thread inside its transaction, within one session."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        frontier: Frontier,
        queue: Queue,
        sources: Sources,
        robots: RobotsTable,
        leases: Leases,
        authorised: Authorised,
        responses: Responses,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._frontier = frontier
        self._queue = queue
        self._sources = sources
        self._robots = robots
        self._leases = leases
        self._authorised = authorised
        self._responses = responses
        self._barred: list[tuple[int, Source | Probe]] = []  # not sent: their host's authorisation is over
        self._probes: defaultdict[int, deque[Probe]] = defaultdict(deque)
        self._closed: dict[int, float] = {}  # origin -> wall time its robots.txt is asked for again, or is being asked
        self._probed: set[int] = set()
        self.held = HeldOrigins(lambda origin: self._queue.woken.add(self._host_of(origin)))
        self._wanted: dict[int, Origin] = {}  # asked for their robots.txt though no page of them waits
        self._scheduler: Scheduler[Item]
        self._settings: CrawlSettings

    def use(self, settings: CrawlSettings, now: float, at: float) -> None:
        """These settings count from now on; no buffered URL ignores them."""
        self._settings = settings
        self._checked = Checked(self._connection, settings)
        politeness = settings.politeness
        self._let_in_again()
        if not hasattr(self, "_scheduler"):
            self._scheduler = Scheduler(politeness.concurrency, politeness.per_host)
            self._register_all(now, at)
            return
        self._scheduler.resize(politeness.concurrency, politeness.per_host)
        for host, item in self._scheduler.clear():
            if isinstance(item, Source):
                self._sources.put_back(host, item)
            elif isinstance(item, Probe):
                self._probes[host].append(item)

    def pace(self, host: int, delay: float, ready_at: float) -> None:
        """The host's pace changed. `ready_at` is monotonic; 0 leaves the next start as it is."""
        self._scheduler.host(host, delay, ready_at)

    def release(self, host: int) -> None:
        self._scheduler.release(host)

    def hop(self, host: int, now: float) -> float:
        """Reserve the next start at a host for a request that goes on within its lease."""
        return self._scheduler.occupy(host, now)

    def want_robots(self, origin: Origin, at: float) -> None:
        """Ask for an origin's robots.txt without a page of it, where it is not known or too old."""
        if origin.robots_state == "unknown" or origin.robots_due <= at:
            self._wanted[origin.id] = origin

    def follow_robots(self, owner: Origin, to: FoundLink, hops: int) -> None:
        """An origin's robots.txt lies at another host: it is asked for there when that host's turn comes."""
        host = self._hosts.of(to.key.host)
        there = self._hosts.origin(host, to.fetch)
        self._probes[host.id].append(Probe(there.id, Lead(owner.id, to.fetch, hops)))
        self._queue.woken.add(host.id)

    def robots_answered(self, origin: Origin, retry_at: float | None) -> None:
        """The look at a robots.txt is over: its origin goes on, or waits for the next try."""
        self._probed.discard(origin.id)
        if retry_at is None:
            self._wanted.pop(origin.id, None)
        if retry_at is None or origin.robots_state == "disallow":
            self._closed.pop(origin.id, None)
            self._queue.woken.add(origin.host)
        else:
            self._closed[origin.id] = retry_at

    def take_back_overdue(self, now: float, at: float) -> int:
        """Leases whose time is over are work again; what still comes back under them counts for nothing."""
        overdue = self._leases.overdue(now)
        for held in overdue:
            self._leases.take_back(held, at)
            self._scheduler.release(held.host)
            self.held.try_again(held.origin)
            if held.purpose == "robots":
                self.robots_answered(self._hosts.origin_by_id(held.number), None)
            elif held.purpose != "page":
                self._sources.queue_again(held.number, held.host)
            self._queue.woken.add(held.host)
        return len(overdue)

    @property
    def in_flight(self) -> int:
        return self._scheduler.in_flight

    @property
    def closed(self) -> bool:
        """Whether an origin waits for its robots.txt."""
        return bool(self._closed or self._wanted)

    @property
    def barred(self) -> int:
        """How many sources are left unread because their host may not be asked any more."""
        return sum(isinstance(item, Source) for _, item in self._barred)

    def grant(self, now: float, at: float, most: int = MOST_LEASES) -> Granted:
        """Lease all that may be sent now, at most so many."""
        due = self._open(now, at)
        self._probe_origins(at)
        self._offer_woken(now, at)
        work: list[Work] = []
        skips = 0
        while skips < MOST_SKIPS and len(work) < most:
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
        for host in self._hosts:
            self._register(host.id, now, at)
            if host.queued:
                self._queue.woken.add(host.id)

    def _register(self, host_id: int, now: float, at: float) -> None:
        host = self._hosts.by_id(host_id)
        delay = max(host.delay, self._settings.politeness.delay)
        waited = at - host.last_request if host.last_request else delay
        longest = self._settings.politeness.retry_after_max or NEVER
        ready = max(0.0, delay - max(0.0, waited), min(host.backoff_until - at, longest))
        self._scheduler.host(host_id, delay, now + ready)

    def _offer_woken(self, now: float, at: float) -> None:
        for host in self._queue.woken:
            if not self._hosts.by_id(host).ours:
                continue
            if not self._scheduler.knows(host):
                self._register(host, now, at)
            self._scheduler.offer(host)
        self._queue.woken.clear()

    def _refill(self, host: int) -> None:
        items: list[Item] = []
        while self._probes[host]:
            items.append(self._probes[host].popleft())
        while (source := self._sources.take(host)) is not None:
            items.append(source)
        waiting = {*self._closed, *self.held}
        pending = self._queue.buffer(host, [number for number in waiting if self._host_of(number) == host])
        self._scheduler.supply(host, [*items, *pending], exhausted=len(pending) < BUFFER)

    def _open(self, now: float, at: float) -> float:
        """Origins whose next look at robots.txt is due go on; answers when the next look is due."""
        for origin_id, due in list(self._closed.items()):
            if due <= at:
                del self._closed[origin_id]
                self._queue.woken.add(self._hosts.origin_by_id(origin_id).host)
        self.held.open_due(at)
        unreachable = (origin for origin in self._robots.unreachable() if origin.id not in self._probed)
        waits = [*self._closed.values(), *self.held.dues, *(origin.robots_due for origin in unreachable)]
        return now + max(0.0, min(waits) - at) if waits else NEVER

    def _probe_origins(self, at: float) -> None:
        unreachable = [origin for origin in self._robots.unreachable() if origin.robots_due <= at]
        wanted = [origin for origin in self._wanted.values() if origin.id not in self._closed]
        for origin in (*unreachable, *wanted):
            if origin.id not in self._probed:
                self._probed.add(origin.id)
                self._probes[origin.host].append(Probe(origin.id))
                self._queue.woken.add(origin.host)

    # -- one item ---------------------------------------------------------------------------------------------------

    def _lease(self, host: int, item: Item, now: float, at: float) -> Work | None:
        origin = self._hosts.origin_by_id(item.origin)
        if isinstance(item, Probe) and item.lead is not None:
            return self._lease_elsewhere(host, origin, item.lead, now, at)
        if reason := self._authorised.refusal(origin.url("/"), at):
            self._bar(host, item, reason)
            return None
        if isinstance(item, Source):
            return self._lease_source(host, item, now, at)
        if isinstance(item, Probe):
            return self._lease_probe(host, origin, now, at)
        if self._robots.must_ask(origin, at) and origin.id not in self._closed:
            self._closed[origin.id] = NEVER
            return self._lease_robots(host, origin, now, at)
        waits = origin.id in self._closed or origin.id in self.held
        if not waits and self._queue.is_pending(item.id) and not self._objects(host, item, origin):
            self.held.asked(origin.id)
            return self._lease_page(host, item, origin.url(item.path), now, at)
        self._scheduler.skip(host)
        return None

    def _lease_probe(self, host: int, origin: Origin, now: float, at: float) -> Work | None:
        """A page's turn may have come before the probe's: then its robots.txt is being asked for already."""
        if origin.id in self._wanted:
            if origin.id in self._closed:
                self._scheduler.skip(host)
                return None
            self._closed[origin.id] = NEVER
        return self._lease_robots(host, origin, now, at)

    def _lease_elsewhere(self, host: int, there: Origin, lead: Lead, now: float, at: float) -> Work | None:
        """Judged once more: the redirect was allowed when it came."""
        owner = self._hosts.origin_by_id(lead.owner)
        if reason := self._frontier.barred(lead.url) or self._authorised.refusal(lead.url, at):
            self._scheduler.skip(host)
            self._robots.led_astray(owner, lead.url, reason, at)
            self.robots_answered(owner, None)
            return None
        lease = self._leases.give("robots", host, there.id, owner.id, now, at, self._longest(host))
        return Work(
            *(lease, "robots", host, there.id, lead.url, owner.id, lead.hops, owner.robots_tries),
            first=owner.url("/robots.txt").text,
            rules_of=owner.host,
        )

    def _host_of(self, origin: int) -> int:
        return self._hosts.origin_by_id(origin).host

    def _bar(self, host: int, item: Item, reason: str) -> None:
        """The host's authorisation is over: its URLs are blocked, nothing else of it is asked for."""
        if isinstance(item, Candidate):
            self._queue.move(item.id, host, UrlState.PENDING, UrlState.BLOCKED, reason)
        else:
            self._barred.append((host, item))
            if isinstance(item, Probe):
                self._wanted.pop(item.origin, None)
        self._scheduler.skip(host)

    def _let_in_again(self) -> None:
        """Other settings: what was barred asks again."""
        for host, item in self._barred:
            if isinstance(item, Source):
                self._sources.put_back(host, item)
            else:
                self._probed.discard(item.origin)
        self._barred.clear()

    def _objects(self, host: int, item: Candidate, origin: Origin) -> bool:
        """Patterns and robots.txt are asked as a URL is taken, not only as it was queued."""
        reason = self._frontier.excluded(item.id, item.origin, item.path)
        if reason:
            return self._queue.move(item.id, host, UrlState.PENDING, UrlState.EXCLUDED, reason)
        reason = self._robots.refusal(origin, origin.url(item.path).target)
        return bool(reason) and self._queue.move(item.id, host, UrlState.PENDING, UrlState.BLOCKED, reason)

    def _lease_page(self, host: int, item: Candidate, url: Url, now: float, at: float) -> Work:
        etag, last_modified = self._validators(item, url)
        self._queue.lease(item.id, host)
        lease = self._leases.give("page", host, item.origin, item.id, now, at, self._longest(host))
        return Work(
            *(lease, "page", host, item.origin, url, item.id, item.depth, item.tries, item.seed),
            etag=etag,
            last_modified=last_modified,
            referer=self._referer(item),
        )

    def _validators(self, item: Candidate, url: Url) -> tuple[str | None, str | None]:
        """ETag and Last-Modified of the stored answer (RFC 9110 section 13), where its links or its body are kept.

        None for a body that was not put to the content checks of now: a 304 would hide what it says.
        """
        known = (item.id, self._checked.since(url))
        etag, last_modified, linked, response = row(self._connection, VALIDATORS, known) or (None, None, 0, None)
        stored = linked or (response is not None and self._responses.keeps(response))
        return (etag, last_modified) if stored else (None, None)

    def _referer(self, item: Candidate) -> str | None:
        if item.found_on is None:
            return None
        sql = "SELECT origin_id, path FROM url WHERE id = ?"
        for origin, path in rows(self._connection, sql, (item.found_on,)):
            return self._hosts.url(origin, path).text
        return None

    def _lease_robots(self, host: int, origin: Origin, now: float, at: float) -> Work:
        self._probed.add(origin.id)
        lease = self._leases.give("robots", host, origin.id, origin.id, now, at, self._longest(host))
        return Work(
            *(lease, "robots", host, origin.id, origin.url("/robots.txt"), origin.id), tries=origin.robots_tries
        )

    def _lease_source(self, host: int, source: Source, now: float, at: float) -> Work:
        lease = self._leases.give(source.kind, host, source.origin, source.id, now, at, self._longest(host))
        origin = self._hosts.origin_by_id(source.origin)
        url = origin.url(source.address[len(origin.base) :])
        return Work(
            *(lease, source.kind, host, source.origin, url, source.id, source.level, source.tries),
            also=self._sources.also(source.id),
            first=self._sources.first_address(source),
        )

    def _longest(self, host: int) -> float:
        """Seconds that no permitted fetch outlasts: each hop has its deadline and its turn."""
        return HOPS * (self._settings.fetch.timeout + self._scheduler.delay(host)) + SLACK
