"""The one writer: everything that must be true together is one transaction of its `cycle`.

A cycle takes what came back, stores each result whole, gives out the next leases, and commits; only then does the loop
hear of them. The writer belongs to one thread. An error inside a cycle rolls it back and ends the engine: what memory
then holds may differ from the file, and the file is what counts. The next session goes on from it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.errors import FileMissing
from core.policy.policy import Policy
from core.store.crawl_file import open_writer
from core.store.faults import translated
from core.store.lock import identity
from core.store.names import CrawlState, WishKind
from core.store.query import value
from core.store.responses import Answered, Responses
from core.store.results import Hop, PageReadAgain, PageResult, Turn
from core.store.words import ending_in_words
from core.store.write.absences import Absences
from core.store.write.aliases import Aliases
from core.store.write.arrivals import Arrivals
from core.store.write.authorised import Authorised
from core.store.write.frontier import Frontier
from core.store.write.grants import MOST_LEASES, Grants
from core.store.write.hosts import Hosts
from core.store.write.inbox import Asked, Inbox
from core.store.write.journal import Journal
from core.store.write.known import KnownUrls
from core.store.write.leases import Leases
from core.store.write.leftovers import leftovers
from core.store.write.limits import Limits
from core.store.write.outages import Outages
from core.store.write.outbox import Outbox
from core.store.write.paces import HostPace, stored_paces
from core.store.write.pages import Pages
from core.store.write.portals import Portals
from core.store.write.queue import Queue
from core.store.write.reckoning import Reckoning
from core.store.write.records import Records
from core.store.write.refusals import Refusals
from core.store.write.rekey import pending_rules, rekey
from core.store.write.remarks import Remarks
from core.store.write.rereadings import Rereadings
from core.store.write.robots import RobotsTable
from core.store.write.samples import Samples
from core.store.write.sessions import Begun, Sessions
from core.store.write.sources import Sources
from core.store.write.spent import used_up
from core.store.write.sweeps import LIMITS, PIECE, Sweep, note_swept, swept_version, words_in_question
from core.store.write.swept_responses import sweep_responses
from core.store.write.tally import Tally
from core.store.write.tenants import take_over
from core.store.write.typed_seeds import TypedSeeds
from core.store.write.unreachable import Unreachable
from core.store.write.widening import Widening
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.store.results import FoundLink, OutageChange, Result
    from core.store.write.remarks import Remark

SAMPLE_EVERY = 1.0  # seconds
PROBE = 1  # requests that are sent at a time while the engine is offline
SYNC_EVERY = 1.0  # seconds: what a power cut may cost


class Writer:
    """Opened by the holder of the engine lock. `most_refused` URLs have a row with their reason; None: a million."""

    def __init__(self, path: Path, most_refused: int | None = None) -> None:
        connection = self._connection = open_writer(path)
        self._path, self._identity = path, identity(path)
        with translated(path):
            self._inbox = Inbox(connection)
            take_over(connection, self._inbox.settings.tenant)
        self.settings = self._inbox.settings
        tenant, tally = self.settings.tenant, Tally()
        self._tally = tally
        self._hosts = Hosts(connection, tenant)
        self._limits = Limits(connection, self._hosts, tally)
        self._queue = Queue(connection, self._hosts, self._limits, tally)
        self._authorised = Authorised(connection, self._hosts, self._queue)
        self._unreachable = Unreachable(connection, self._hosts, self._queue)
        self._portals = Portals(connection, self._hosts, self._queue)
        refusals = Refusals(connection, tally, tenant, most_refused)
        self._refusal_counts = refusals.counts
        known = KnownUrls(connection, self._hosts)
        self._frontier = Frontier(connection, self._hosts, known, refusals, self._limits, self._queue)
        self._sources = Sources(connection, self._hosts, self._frontier, self._queue)
        self._robots = RobotsTable(connection, self._hosts, self._queue)
        self._outages = Outages(*(connection, self._hosts, self._queue, self._robots, self._sources, self._unreachable))
        self._leases = Leases(connection, tally)
        self._sessions = Sessions(connection, self._leases, tenant)
        records = Records(connection, tally, tenant)
        self._aliases = Aliases(connection, self._hosts, self._frontier, self._queue, records, tally)
        self._absences = Absences(connection, self._hosts, self._queue)
        self._reckoning = Reckoning(connection, self._hosts, self._queue, self._absences)
        self._pages = Pages(connection, self._frontier, self._queue, records, self._aliases, self._absences, tally)
        self._responses = Responses(path)
        self._typed_seeds = TypedSeeds(connection, self._frontier, tenant)
        self._rereadings = Rereadings(
            *(connection, self._hosts, self._frontier, self._queue, self._sources, refusals.counts, self._responses)
        )
        self._samples = Samples(connection)
        self._journal = Journal(connection)
        self.outbox = Outbox(connection)
        self._remarks = Remarks(connection, tally)
        with translated(path):
            self._widening = Widening(connection, self._hosts, self._frontier, self._queue, refusals.counts)
            self._begun = self._sessions.outside()
        self._grants: Grants
        self._arrivals: Arrivals
        self._sweep: Sweep | None = None
        self._started = self._last_sample = self._last_sync = 0.0
        self.state: str = CrawlState.RUNNING
        self._reason = ""  # of the state

    # -- a session --------------------------------------------------------------------------------------------------

    def has_work(self, at: float) -> bool:
        """Whether a start would find anything: an open run, or something pending or due."""
        with translated(self._path):
            if self._sessions.has_open_run() or value(self._connection, "SELECT count(*) FROM run", default=0) == 0:
                return True
            if self._queue.length() or self._sources.open_count() or self._rereadings.are_open:
                return True
            return swept_version(self._connection) < self._inbox.settings_version or self._queue.has_due(at)

    def begin(self, pid: int, now: float, at: float, *, recrawl: str = "") -> Begun:
        """Open a session: take back a dead one's leases, take up what is due (`recrawl` all: every URL)."""
        sweep_responses(self._connection, self._responses)
        with self._transaction():
            self._started = self._last_sample = self._last_sync = now
            self._begun = self._sessions.begin(pid, at, recrawl=bool(recrawl))
            self._take_up(now, at)
            if self._begun.new_run:
                self._queue.take_up_due(at, everything=recrawl == "all")
            self._robots.ask_again()
            self._authorised.ask_again(at)
            self._unreachable.ask_again()
            self._portals.ask_again(at)
            longest = self.settings.politeness.retry_after_max or float("inf")
            self._queue.bound_waits(at + longest)
            self._sources.load(at, longest)
            if 1 < self._inbox.settings_version > swept_version(self._connection):
                self._start_sweep()
            self._confirm_if_wished(at)
            self._inbox.close(at, WishKind.STOP, WishKind.KILL, WishKind.KEEP, WishKind.RELEASE)
        return self._begun

    def apply(self, now: float, at: float) -> None:
        """Bring the stored rows in line with the newest settings, without a session and without a request."""
        with self._transaction():
            self._started = now
            if self._follows_other_rules():
                self._sessions.close_dead(at)  # nothing is in flight while keys change
            self._take_up(now, at)
            if swept_version(self._connection) < self._inbox.settings_version:
                self._start_sweep()
            self._confirm_if_wished(at)
            self._inbox.close(at, WishKind.STOP, WishKind.KEEP)
        unfinished = True
        while unfinished:
            with self._transaction():
                unfinished = self._step(at)
                self._note_all(now, at)

    def paces(self) -> tuple[HostPace, ...]:
        """The pace of every host as the file knows it."""
        return stored_paces(self._hosts, self._robots)

    def seed(
        self,
        lines: Sequence[tuple[str, FoundLink | None, str]],
        sources: Sequence[FoundLink],
        at: float,
        places: Sequence[FoundLink] = (),
    ) -> None:
        """The analyst's seeds and sources: each is queued once, however often this is called.

        The robots.txt of `places` is asked for its sitemaps, though no page of them is known.
        """
        with self._transaction():
            for text, found, problem in lines:
                if self._sources.add_seed(text, found, problem, at) and problem:
                    message = f"The seed “{text[:200]}” was left out. {problem}"
                    self._journal.write(at, self.elapsed(self._last_sample), "warning", "seed", message)
            if self._sweep is not None:  # the settings were changed
                self._sources.try_failed_again()
            for link in sources:
                self._sources.add(link, parent=None, level=0, listed=True)
            for place in places:
                origin = self._hosts.origin(self._hosts.of(place.key.host), place.fetch)
                self._grants.want_robots(origin, at)

    def cycle(self, results: Sequence[Result], now: float, at: float, *, granting: bool) -> Turn:
        """Store what came back, lease what comes next. One transaction."""
        starts: dict[int, float] = {}
        self._keep_responses(results)
        durable = now - self._last_sync >= SYNC_EVERY
        with self._transaction(durable=durable):
            for result in results:
                if isinstance(result, Hop):
                    starts[result.work.lease] = self._arrivals.hop(result, now)
                elif isinstance(result, PageReadAgain):
                    self._rereadings.store(result, at)
                elif self._arrivals.store(result, now, at):
                    self._note([*self._remarks.on(result), *self._arrivals.take_remarks()], now, at)
                    self._note(self._widening.on(result), now, at)
            self._note(self._remarks.on_limits(), now, at)
            if durable:
                self._last_sync = now
                self._grants.take_back_overdue(now, at)
            turn = self._next_turn(now, at, starts, granting=granting)
            if self._aliases.barred(at, self._begun.run):
                turn = replace(turn, until=now, idle=False)
            self._note_all(now, at)
            if now - self._last_sample >= SAMPLE_EVERY:
                self.sample(now, at)
        return turn

    def ask(self) -> Asked:
        """Look for wishes and new settings; one cheap read when nobody wrote. FileMissing where the file is gone."""
        with translated(self._path):
            if identity(self._path) != self._identity:
                todo = "Start the crawl again where the file is now; move a crawl only while nothing runs it."
                raise FileMissing(f"{self._path} was moved, deleted or replaced while its crawl ran.", todo)
            return self._inbox.look()

    def use(self, settings: CrawlSettings, now: float, at: float) -> None:
        """Put changed settings in force and start bringing stored rows in line."""
        with self._transaction():
            self._put_in_force(settings, now, at)
            self._note(self._inbox.take_remarks(), now, at)
            self._portals.release_all(at)
            self._start_sweep()

    def answered_origins(self) -> set[int]:
        """The origins that have answered before, as far as that can be told at a glance."""
        with translated(self._path):
            return self._outages.answered_origins()

    def use_outage(self, change: OutageChange, now: float, at: float) -> None:
        """The engine went offline, or came back."""
        with self._transaction():
            self._arrivals.offline = change.offline
            self.state = CrawlState.OFFLINE if change.offline else CrawlState.RUNNING
            self._reason = f"unreachable: {change.cause}" if change.offline else ""
            if not change.offline:
                self._grants.held.release()
            self._note([self._outages.take(change)], now, at)
            self.sample(now, at)

    def keeps_running(self) -> bool:
        """Whether the window asked this session to go on when it closes."""
        with translated(self._path):
            return self._inbox.keeps_running(self._begun.session)

    def carry_out(self, at: float, kind: WishKind) -> None:
        """A wish of the analyst: hosts on hold are asked again, or what vanished is gone; others are only noted."""
        with self._transaction():
            if kind is WishKind.RELEASE:
                self._portals.release_all(at)
            elif kind is WishKind.CONFIRM:
                self._absences.confirm(at)
            self._inbox.close(at, kind)

    def log(self, at: float, now: float, level: str, kind: str, message: str, *, host: str = "", url: str = "") -> None:
        """A line for people. One transaction of its own."""
        with self._transaction():
            self._journal.write(at, self.elapsed(now), level, kind, message, host=host, url=url)

    def sample(self, now: float, at: float) -> None:
        """A point of the charts, inside a transaction."""
        self._tally.flush(self._connection, self._begun.run)
        self._samples.take(at, self.elapsed(now), self._begun.run)
        self._sessions.tick(self._begun.session, now - self._started, self.state, self._reason)
        self._last_sample = now

    def elapsed(self, now: float) -> float:
        """Seconds of running since the crawl began, across restarts."""
        return self._begun.elapsed + now - self._started

    def readmit_limited(self, at: float) -> int:
        """At the end: URLs refused for a limit that has room again get in, and seed lines lead to theirs."""
        total = 0
        for readmit in (partial(self._frontier.readmit, LIMITS), self._typed_seeds.admit_again):
            after: int | None = 0
            while after is not None:
                with self._transaction():
                    admitted, after = readmit(after, PIECE, at)
                total += admitted
        return total

    def reckon(self, now: float, at: float, stopping: Callable[[], bool] = lambda: False) -> int:
        """At the end of a complete run: what was not found in it; how many URLs are to be asked before it is over."""
        unfinished, asked = True, 0
        while unfinished and not stopping():
            with translated(self._path):
                if not self._reckoning.prepare(stopping):
                    break
            with self._transaction():
                if not self._absences.step(at):
                    unfinished, asked = self._reckoning.step(at)
                self._note_all(now, at)
        return asked

    def leftovers(self) -> str:
        """What a crawl that has nothing more to do leaves undone, as a reason; empty: it is complete."""
        with translated(self._path):
            return leftovers(self._connection, self._hosts.tenant)

    def end(self, now: float, at: float, outcome: str, reason: str) -> None:
        """Close the session and note why."""
        with self._transaction(durable=True):
            self.sample(now, at)
            self._sessions.end(self._begun, at, now - self._started, outcome, reason)
            kind = "finish" if outcome == "finished" else "stop"
            self._journal.write(at, self.elapsed(now), "info", kind, ending_in_words(outcome, reason))

    def fail(self, now: float, at: float, reason: str) -> None:
        """Close a session that a fault ends. Memory is not believed any more: nothing is counted."""
        self._tally.forget()
        with self._transaction():
            self._sessions.end(self._begun, at, now - self._started, "failed", reason)
            self._journal.write(at, self.elapsed(now), "error", "failure", reason)

    def close(self) -> None:
        """Fold the WAL into the file, so that one file is one file."""
        with translated(self._path):
            try:
                self._responses.close()
                self._connection.setbusytimeout(500)  # a reader in the way is not waited for: a next close folds it
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._connection.close()

    # -- within a transaction ---------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, *, durable: bool = False) -> Iterator[None]:
        """BEGIN IMMEDIATE to COMMIT with the counts; `durable` waits for the disk."""
        connection = self._connection
        with translated(self._path):
            if durable:
                connection.execute("PRAGMA synchronous=FULL")
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._sessions.refuse_stranger(self._begun.session)
                yield
                self._tally.flush(connection, self._begun.run)
                connection.execute("COMMIT")
            finally:
                if not connection.get_autocommit():
                    connection.execute("ROLLBACK")
                if durable:
                    connection.execute("PRAGMA synchronous=NORMAL")

    def _take_up(self, now: float, at: float) -> None:
        """What the file holds, as the leases that were taken back leave it."""
        self._tally.flush(self._connection, self._begun.run)
        self._hosts.load()
        self._rekey(now, at)
        parts = (self._frontier, self._queue, self._sources, self._robots, self._leases)
        self._grants = Grants(self._connection, self._hosts, *parts, self._authorised, self._responses)
        self._arrivals = Arrivals(
            *(self._connection, self._hosts, self._leases, self._grants, self._pages, self._robots, self._sources),
            *(self._unreachable, self._portals, self._tally, self._begun.run),
        )
        self._absences.load(self._begun.run)
        self._reckoning.load(self._begun.run)
        self._put_in_force(self.settings, now, at)

    def _follows_other_rules(self) -> Rules | None:
        """The rules that stored keys follow, where they are not those of the settings."""
        before = pending_rules(self._connection)
        return None if before == Rules.of(self.settings.normalise) else before

    def _rekey(self, now: float, at: float) -> None:
        if (before := self._follows_other_rules()) is None:
            return
        message = rekey(self._connection, self._tally, self.settings, before)
        self._tally.flush(self._connection, self._begun.run)
        self._hosts.load()
        self._journal.write(at, self.elapsed(now), "info", "settings", message)

    def _put_in_force(self, settings: CrawlSettings, now: float, at: float) -> None:
        self.settings = settings
        self._responses.most = settings.budgets.max_response_bytes
        self._frontier.use(settings, Policy(settings, self._widening.hosts))
        self._typed_seeds.use(settings)
        self._rereadings.use(settings)
        self._reckoning.use(settings)
        self._arrivals.use(settings)
        self._authorised.use(settings, at)
        self._grants.use(settings, now, at)
        self.outbox.use(settings.notify)

    def _note_all(self, now: float, at: float) -> None:
        rooms = (self._authorised, self._unreachable, self._portals, self._aliases, self._absences, self._widening)
        for room in rooms:
            self._note(room.take_remarks(), now, at)

    def _confirm_if_wished(self, at: float) -> None:
        if self._inbox.is_wished(WishKind.CONFIRM):
            self._absences.confirm(at)
            self._inbox.close(at, WishKind.CONFIRM)

    def _note(self, remarks: list[Remark], now: float, at: float) -> None:
        for remark in remarks:
            self._journal.write(
                *(at, self.elapsed(now), remark.level, remark.kind, remark.message), host=remark.host, url=remark.url
            )

    def _next_turn(self, now: float, at: float, starts: dict[int, float], *, granting: bool) -> Turn:
        unfinished = self._step(at)
        unfinished = self._portals.step(now) or unfinished
        due = [moment for moment in (self._queue.wake(at), self._sources.wake(at)) if moment is not None]
        limit = used_up(self._connection, self.settings.budgets, self.elapsed(now))
        until = now + max(0.0, min(due) - at) if due else float("inf")
        if unfinished:
            until = now
        if not granting or limit:
            return Turn((), until, starts, limit=limit)
        stored = () if unfinished else self._rereadings.next()  # marks count when all of them are set
        offline = self._arrivals.offline
        granted = self._grants.grant(now, at, PROBE if offline else MOST_LEASES)
        alone = not (granted.work or unfinished or self._reads_on)
        if self._unreachable and self._unreachable.give_up(now, alone=alone, offline=offline):
            return Turn(granted.work, now, starts, stored=stored)
        idle = self._is_idle(bool(granted.work) or bool(due) or unfinished)
        if idle and (self._widening.mark_counted() or self._aliases.start_second_look()):
            return Turn(granted.work, now, starts, stored=stored)
        return Turn(granted.work, min(until, granted.until), starts, idle=idle, stored=stored)

    @property
    def _reads_on(self) -> bool:
        """Whether something is in flight, waits for a robots.txt, or is a page or a source left to read."""
        if self._grants.in_flight or self._grants.closed or self._rereadings.are_open:
            return True
        return self._sources.open_count() != self._grants.barred

    def _is_idle(self, busy: bool) -> bool:
        if busy or self._reads_on or self._queue.woken:
            return False
        self._tally.flush(self._connection, self._begun.run)
        return not self._queue.length()

    def _start_sweep(self) -> None:
        self._sweep = Sweep(
            *(self._connection, self._hosts, self._frontier, self._queue, self._robots, self._authorised),
            *(self._refusal_counts, self._typed_seeds),
            version=self._inbox.settings_version,
            words=words_in_question(self._connection, swept_version(self._connection)),
        )

    def _step(self, at: float) -> bool:
        """The next piece of what goes over many rows; whether there is more."""
        self._step_sweep(at)
        unfinished = self._absences.step(at)
        unfinished = self._widening.step(self.settings, at) or unfinished
        unfinished = self._aliases.step(at, self._begun.run) or unfinished
        unfinished = self._aliases.barred(at, self._begun.run) or unfinished
        return unfinished or self._sweep is not None

    def _step_sweep(self, at: float) -> None:
        if self._sweep is None:
            return
        self._sweep.step(at)
        if not self._sweep.over:
            return
        message, version = self._sweep.progress.sentence(), self._sweep.version
        self._sweep = None
        self._aliases.look_again()
        note_swept(self._connection, version)
        if message:
            self._journal.write(at, self.elapsed(self._last_sample), "info", "settings", message)

    def _keep_responses(self, results: Sequence[Result]) -> None:
        """Written before the main commit: a response nobody refers to is swept, a reference to none cannot be."""
        kept = [result for result in results if isinstance(result, PageResult) and result.response]
        if kept:
            responses = [result.response for result in kept if result.response]
            answers = [Answered(each.work.id, each.answer.at, each.response.hash) for each in kept if each.response]
            self._responses.keep(responses, answers)
