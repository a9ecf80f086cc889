"""What came back from the network, stored under its lease: counted, written whole, its slot and its host's set free.

A result whose lease has passed to another commits nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.results import PageResult, RobotsResult, SourceResult
from core.store.write.generated import GeneratedSpaces
from core.store.write.named_sitemaps import named_before
from core.store.write.soft_blocks import SoftBlocks

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.results import Answer, Hop, Pace
    from core.store.write.grants import Grants
    from core.store.write.hosts import Hosts
    from core.store.write.leases import Leases
    from core.store.write.pages import Pages
    from core.store.write.portals import Portals
    from core.store.write.remarks import Remark
    from core.store.write.robots import RobotsTable
    from core.store.write.sources import Sources
    from core.store.write.tally import Tally
    from core.store.write.unreachable import Unreachable

LONGEST_ADDRESS = 2048  # characters of an address that is only told


class Arrivals:
    """Used by the writer's thread inside its transaction, within one session and its run."""

    def __init__(
        self,
        connection: apsw.Connection,
        hosts: Hosts,
        leases: Leases,
        grants: Grants,
        pages: Pages,
        robots: RobotsTable,
        sources: Sources,
        unreachable: Unreachable,
        portals: Portals,
        tally: Tally,
        run: int,
    ) -> None:
        self._connection = connection
        self._hosts = hosts
        self._leases = leases
        self._grants = grants
        self._pages = pages
        self._robots = robots
        self._sources = sources
        self._unreachable = unreachable
        self._portals = portals
        self._generated = GeneratedSpaces(connection, hosts)
        self._soft_blocks = SoftBlocks(connection, hosts)
        self._remarks: list[Remark] = []
        self.offline = False
        self._tally = tally
        self._run = run
        self._finds_sitemaps = False

    def use(self, settings: CrawlSettings) -> None:
        self._finds_sitemaps = "auto" in settings.seeds.sitemaps
        self._pages.use(settings)
        self._generated.use(settings)
        self._robots.use(settings)
        for link in named_before(self._connection, self._hosts, self._robots, settings):
            self._sources.add(link, parent=None, level=0, listed=False)
        self._unreachable.use(settings)

    def hop(self, hop: Hop, now: float) -> float:
        """A further request within a lease: counted now, sent at the monotonic time that is answered."""
        self._count(hop.work.host, hop.answer)
        self._tally.count("requests")
        self._tally.host(hop.work.host, "requests")
        if hop.led_to:
            self._add_hop(hop.work.id, hop.answer, hop.led_to)
        return self._grants.hop(hop.work.host, now)

    def store(self, result: PageResult | RobotsResult | SourceResult, now: float, at: float) -> bool:
        """Store a result; False where its lease is no longer there."""
        work = result.work
        if isinstance(result, SourceResult) and not result.done:  # a part of a source: the lease goes on
            if self._leases.holds(work.lease):
                self._sources.store(result)
            return False
        if not self._leases.end(work.lease):
            return False
        if isinstance(result, PageResult) and result.withdrawn:
            self._withdraw(work.host)
        else:
            self._count(work.host, result.answer)
        if isinstance(result, PageResult):
            self._pages.store(result, self._run)
            self._note_reach(result, now, at)
            self._portals.note(result, now, at)
            found = self._generated.note(result, at), self._soft_blocks.note(result, at)
            self._remarks += [remark for remark in found if remark is not None]
        elif isinstance(result, RobotsResult):
            self._store_robots(result)
        else:
            self._sources.store(result)
        self._pace(work.host, result.pace, now, at)
        self._grants.release(work.host)
        return True

    def _add_hop(self, number: int, answer: Answer, led_to: str) -> None:
        """A page's redirect to another spelling of itself: each hop is recorded, and this one is no page's answer."""
        self._connection.execute(
            "INSERT INTO capture(url_id, run, at, status, outcome, bytes, seconds, led_to) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, self._run, answer.at, answer.status, answer.outcome),
                *(answer.wire_bytes, answer.seconds, led_to[:LONGEST_ADDRESS]),
            ),
        )

    def take_remarks(self) -> list[Remark]:
        """What is worth a line in the log since the last time."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _withdraw(self, host: int) -> None:
        """A hop that was counted as it was given its turn was not sent."""
        self._tally.count("requests", -1)
        self._tally.host(host, "requests", -1)

    def _count(self, host: int, answer: Answer) -> None:
        self._tally.count("bytes", answer.wire_bytes)
        self._tally.host(host, "bytes", answer.wire_bytes)
        self._tally.host(host, "seconds", answer.seconds)
        if answer.again:
            self._tally.count("requests")
            self._tally.host(host, "requests")
        if answer.status is None:
            self._tally.count("errors")
            self._tally.host(host, "errors")
        elif 200 <= answer.status < 600:
            self._tally.host(host, f"status_{answer.status // 100}xx")

    def _note_reach(self, result: PageResult, now: float, at: float) -> None:
        """What a page's request says of its origin: it is there, it is to be left alone for a while, or nothing."""
        origin, answer = result.work.origin, result.answer
        if answer.unreached and not self.offline:
            self._grants.held.hold(origin, at + self._unreachable.failed(origin, answer, now))
        elif result.counts:
            self._unreachable.reached(origin)
            self._grants.held.reached(origin)
        else:
            self._grants.held.try_again(origin)

    def _store_robots(self, result: RobotsResult) -> None:
        origin = self._hosts.origin_by_id(result.work.id)
        if result.moved is not None:
            self._grants.follow_robots(origin, result.moved, result.work.depth + 1)
            return
        self._robots.store(result)
        if result.owner_delay is not None:
            self._connection.execute("UPDATE host SET delay = ? WHERE id = ?", (result.owner_delay, origin.host))
            self._grants.pace(origin.host, result.owner_delay, 0.0)
        if self._finds_sitemaps:
            for link in result.sitemaps:
                self._sources.add(link, parent=None, level=0, listed=False)
        self._grants.robots_answered(origin, result.due if result.access == "retry" else None)

    def _pace(self, host: int, pace: Pace, now: float, at: float) -> None:
        self._connection.execute(
            "UPDATE host SET delay = ?, backoff_until = ?, last_request = ?, "
            "last_error = CASE WHEN ?4 = '' THEN last_error ELSE ?4 END WHERE id = ?5",
            (pace.delay, pace.not_before, at, pace.error, host),
        )
        self._grants.pace(host, pace.delay, now + pace.not_before - at if pace.not_before > at else 0.0)
