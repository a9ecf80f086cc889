"""The loop: leases out, results in. It holds no state of the crawl; the file does.

One cycle at a time runs in the writer's thread: while it runs, results gather, so that under load a transaction holds
many pages and otherwise one. Everything else happens on this loop.
"""

from __future__ import annotations

import asyncio
import os
import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from core.engine.chains import Chains
from core.engine.clock import Clock
from core.engine.ending import Ending
from core.engine.lag import Lag
from core.engine.outage import Outage
from core.engine.page import PageFetch
from core.engine.rereading import read_again
from core.engine.robots import RobotsFetch
from core.engine.rules import RulesInForce
from core.engine.seeding import places_to_ask, seed_lines, seed_sources, with_files
from core.engine.sources import SourceFetch
from core.engine.stopping import Stopping
from core.engine.telling import AT_THE_END, WHEN_STOPPED, Telling, TurnsWithTheFile
from core.engine.unforeseen import unforeseen
from core.engine.worker import Worker
from core.errors import BadInput, FileLocked, FronteiraError, StorageError
from core.fetch.client import Client
from core.fetch.pace import Pace as HostPace
from core.fetch.secrets import Secrets
from core.policy.policy import Policy
from core.policy.scope import listed_hosts
from core.store.names import CrawlState, WishKind
from core.store.results import Hop, Pace, Result
from core.store.words import quantity
from core.store.write.sessions import leave_word
from core.store.write.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.fetch.response import Fetched
    from core.settings import CrawlSettings
    from core.store.results import Answer, StoredPage, Turn, Work
    from core.store.write.sessions import Begun

T = TypeVar("T")

BATCH = 32  # results a transaction
LOOK_EVERY = 0.25  # seconds between looks at wishes and settings
DRAIN = 8.0  # seconds, when the window has gone
LONG = 3600.0


class Engine:
    """Runs one crawl file until it is finished, stopped, or a budget is used up. The caller holds the engine lock."""

    def __init__(
        self,
        path: Path,
        *,
        attached: bool = False,
        concurrency: int | None = None,
        recrawl: str = "",
        clock: Clock | None = None,
    ) -> None:
        self._path = path
        self._attached = attached
        self._concurrency = concurrency
        self._recrawl = recrawl
        self._clock = clock or Clock()
        self._writer = Writer(path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._chance = random.Random().random  # noqa: S311 - jitter is no secret
        self._results: list[Result] = []
        self._hops: dict[int, asyncio.Future[float]] = {}
        self._paces: dict[int, HostPace] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._begun = False
        self._worker = Worker()
        self._chains = Chains()
        self._lag = Lag()
        self._looked = 0.0
        outbox = TurnsWithTheFile(self._writer.outbox, self._in_writer, self._clock.at)
        self._telling = Telling(path, outbox, self._chance)
        self._outage: Outage
        self._client: Client
        self._stopping: Stopping
        self._rules: RulesInForce

    async def run(self) -> Ending:
        """Crawl. Raises FronteiraError for a fault of the world; what was committed is safe."""
        self._wake = asyncio.Event()
        self._stopping = Stopping(asyncio.get_running_loop(), self._wake.set, self._now)
        self._stopping.listen_to_signals(self._leave_word)
        self._lag.watch(asyncio.get_running_loop())
        if self._attached:
            self._stopping.listen_to_stdin()
        try:
            return await self._session()
        except Exception as fault:
            await self._note_failure(fault)
            raise
        finally:
            self._lag.end()
            self._clock.end()
            await self._telling.end()
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks)
            await self._worker.close()
            self._thread.shutdown()
            self._writer.close()

    # -- a session --------------------------------------------------------------------------------------------------

    async def _session(self) -> Ending:
        if not self._recrawl and not self._writer.has_work(self._clock.at()):
            await self._tell_what_is_left(AT_THE_END)
            return Ending("finished")
        self._writer.settings = settings = self._completed(self._writer.settings)
        self._rules = RulesInForce(settings)
        async with Client(settings, listed_hosts(settings), Secrets(), wall=self._clock.at) as client:
            self._client = client
            client.check_secrets()
            begun = self._writer.begin(os.getpid(), self._now(), self._clock.at(), recrawl=self._recrawl)
            self._begun = True
            self._note_begin(begun)
            self._outage = Outage(self._clock, self._writer.answered_origins())
            self._clock.watch(asyncio.get_running_loop(), self._on_lapse)
            self._seed(settings)
            self._load_paces(settings)
            self._set_workers()
            await self._telling.use(settings)
            ending = await self._crawl()
        await self._tell_what_is_left(AT_THE_END if ending.outcome == "finished" else self._stopping.left(WHEN_STOPPED))
        self._log(self._lag.level, "lag", self._lag.sentence)
        self._writer.end(self._now(), self._clock.at(), ending.outcome, ending.reason)
        return ending

    async def _crawl(self) -> Ending:
        limit = ""
        while True:
            self._wake.clear()
            batch, self._results = self._results[:BATCH], self._results[BATCH:]
            if self._stopping.requested:
                self._writer.state = CrawlState.STOPPING
            elif not batch:  # what failed as the network went is stored by then, and can be set right
                await self._tell_outage()
            granting = not (self._stopping.requested or limit) and self._outage.may_ask()
            turn = await self._cycle(batch, granting=granting)
            limit = turn.limit or self._outage.over(self._rules.settings.politeness.unreachable_after)
            self._start(turn)
            if self._failure is not None:
                raise self._failure
            ending = await self._ending(turn, limit)
            if ending is not None:
                return ending
            if not self._results:
                await self._rest(turn)
            await self._look()

    async def _cycle(self, batch: list[Result], *, granting: bool) -> Turn:
        return await self._in_writer(
            lambda: self._writer.cycle(batch, self._now(), self._clock.at(), granting=granting)
        )

    async def _ending(self, turn: Turn, limit: str) -> Ending | None:
        """Whether this was the last cycle, and why."""
        if self._tasks or self._results:
            late = self._stopping.deadline is not None and self._now() >= self._stopping.deadline
            return Ending("stopped", self._stopping.reason) if late else None
        if self._stopping.requested:
            return Ending("stopped", self._stopping.reason)
        if limit:
            return Ending("stopped", limit)
        if not turn.idle or turn.work:
            return None
        if await self._in_writer(lambda: self._writer.readmit_limited(self._clock.at())):
            return None
        left = await self._in_writer(self._writer.leftovers)
        if left:
            return Ending("stopped", left)
        reckon = partial(self._writer.reckon, self._now(), self._clock.at(), lambda: self._stopping.requested)
        if await self._in_writer(reckon):
            return None
        stopped = self._stopping.requested  # meanwhile: the next session reckons
        return Ending("stopped", self._stopping.reason) if stopped else Ending("finished")

    async def _rest(self, turn: Turn) -> None:
        """Wait for a result, the next due host, or the next look at the file."""
        seconds = LOOK_EVERY if self._outage.offline else min(max(0.0, turn.until - self._now()), LOOK_EVERY)
        if seconds:
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                pass  # the time has come

    # -- what others ask --------------------------------------------------------------------------------------------

    async def _look(self) -> None:
        if self._now() - self._looked < LOOK_EVERY:
            return
        self._looked = self._now()
        asked = await self._in_writer(self._writer.ask)
        if asked.settings is not None:
            await self._change_settings(asked.settings)
        if WishKind.STOP in asked.wishes and not self._stopping.requested:
            self._stopping.request("stop")
            await self._in_writer(lambda: self._writer.carry_out(self._clock.at(), WishKind.STOP))
        for kind in {WishKind.RELEASE, WishKind.CONFIRM}.intersection(asked.wishes):
            await self._in_writer(partial(self._writer.carry_out, self._clock.at(), kind))
        if self._stopping.window_closed and not self._stopping.requested:
            if await self._in_writer(self._writer.keeps_running):
                self._stopping.window_closed = False
            else:
                self._stopping.request("stop: the window closed", within=DRAIN)

    async def _change_settings(self, settings: CrawlSettings) -> None:
        """Put changed settings in force. Such as cannot be used are told in the log, and the old ones stay."""
        try:
            settings = self._completed(settings)
            Policy(settings)
            rules = RulesInForce(settings)
            if rules.urls != self._rules.urls:
                raise BadInput("Which spellings count as one page changes only between two sessions.")
            self._client.update(settings, listed_hosts(settings))
        except BadInput as fault:
            message = f"The changed settings cannot be used, the old ones stay in force: {fault}"
            await self._in_writer(lambda: self._log("error", "settings", message))
            return
        self._rules = rules
        await self._in_writer(lambda: self._writer.use(settings, self._now(), self._clock.at()))
        await self._in_writer(lambda: self._seed(settings))
        await self._telling.use(settings)
        await self._in_writer(lambda: self._log("info", "settings", "The settings were changed."))
        self._load_paces(settings)
        self._set_workers()

    # -- work -------------------------------------------------------------------------------------------------------

    def _set_workers(self) -> None:
        parts = (self._client, self._rules, self, self._chance)
        self._page = PageFetch(*parts, self._worker, self._chains)
        self._robots, self._source = RobotsFetch(*parts), SourceFetch(*parts)

    def _start(self, turn: Turn) -> None:
        for lease, start in turn.starts.items():
            waiting = self._hops.pop(lease, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(start)
        for way in (*map(self._do, turn.work), *map(self._read_again, turn.stored)):
            task = asyncio.create_task(way)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _read_again(self, page: StoredPage) -> None:
        result = await read_again(self._rules, page)
        self._results.append(result)  # to the list of now: a cycle takes the whole list away
        self._wake.set()

    async def _do(self, work: Work) -> None:
        try:
            if work.purpose == "page":
                results: list[Result] = [await self._page.run(work)]
            elif work.purpose == "robots":
                results = [await self._robots.run(work)]
            else:
                results = [*await self._source.run(work)]
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever it is, it is this lease's outcome, and no worker dies of it
            pace = self._paces.get(work.host) or self._new_pace(self._rules.settings)
            results = [unforeseen(work, error, pace.delay, self._clock.at())]
        except BaseException as fault:  # an end that was asked for, and no failure of this lease
            self._failure = fault
            results = []
        self._results += results
        self._wake.set()

    async def hop(self, work: Work, answer: Answer, led_to: str = "") -> None:
        """A further request within a lease: counted now, sent when the host's turn comes."""
        waiting = asyncio.get_running_loop().create_future()
        self._hops[work.lease] = waiting
        self._results.append(Hop(work, answer, led_to))
        self._wake.set()
        start = await waiting
        await asyncio.sleep(max(0.0, start - self._now()))

    @property
    def rules(self) -> RulesInForce:
        """Those in force now: what waited for its turn within a lease asks them once more."""
        return self._rules

    def pace(self, work: Work, fetched: Fetched, crawl_delay: float | None = None) -> Pace:
        """The host's pace after this answer; `crawl_delay` is what its robots.txt has just asked for."""
        at = self._clock.at()
        before = self._paces.get(work.host) or self._new_pace(self._rules.settings)
        self._outage.note(work, fetched, before.delay)
        if crawl_delay is not None:
            before = self._with_floor(before, self._rules.settings, crawl_delay)
        after = before
        if not self._outage.overlaps(fetched):
            after = before.after(fetched.outcome, fetched.seconds, fetched.status, fetched.retry_after, at)
        self._paces[work.host] = after
        error = fetched.error or (f"status {fetched.status}" if fetched.status and fetched.status >= 400 else "")
        return Pace(after.delay, after.until if after.until > at else 0.0, error)

    def soft_blocked(self, work: Work, fetched: Fetched, reason: str) -> Pace:
        """The host's pace after a page that fails its content checks."""
        at = self._clock.at()
        before = self._paces.get(work.host) or self._new_pace(self._rules.settings)
        after = self._paces[work.host] = before.after_soft_block(fetched.seconds, at)
        return Pace(after.delay, after.until if after.until > at else 0.0, f"soft-block: {reason}")

    def slow_down(self, host: int, crawl_delay: float) -> float:
        """A host's robots.txt that lay at another asks for this delay: the one that counts from now on."""
        settings = self._rules.settings
        before = self._paces.get(host) or self._new_pace(settings)
        pace = self._paces[host] = self._with_floor(before, settings, crawl_delay)
        return pace.delay

    def spared(self, fetched: Fetched) -> bool:
        """Whether the network, or this machine, is to blame for how a request ended: that spends no try."""
        return fetched.interrupted and self._outage.overlaps(fetched)

    # -- the network ------------------------------------------------------------------------------------------------

    def _on_lapse(self, seconds: float) -> None:
        self._outage.lapsed(seconds)
        self._wake.set()

    async def _tell_outage(self) -> None:
        """Where the network went or came back, the file says so, and who had suffered by it is set right."""
        change = self._outage.take_change()
        if change is None:
            return
        self._client.forget_connections()
        await self._in_writer(lambda: self._writer.use_outage(change, self._now(), self._clock.at()))

    # -- small things -----------------------------------------------------------------------------------------------

    def _load_paces(self, settings: CrawlSettings) -> None:
        for known in self._writer.paces():
            before = self._paces.get(known.host) or self._new_pace(settings)
            self._paces[known.host] = self._with_floor(before, settings, known.crawl_delay)

    def _new_pace(self, settings: CrawlSettings) -> HostPace:
        politeness = settings.politeness
        return HostPace(politeness.delay, politeness.adaptive, politeness.retry_after_max or float("inf"))

    def _with_floor(self, pace: HostPace, settings: CrawlSettings, crawl_delay: float | None) -> HostPace:
        politeness = settings.politeness
        floor = max(politeness.delay, crawl_delay or 0.0) if politeness.robots else politeness.delay
        cap = politeness.retry_after_max or float("inf")
        return pace.with_floor(floor, adaptive=politeness.adaptive, cap=cap)

    def _completed(self, settings: CrawlSettings) -> CrawlSettings:
        """The settings as this session runs them: with the seed files read and the command line's word."""
        settings = with_files(settings)
        if self._concurrency is None:
            return settings
        politeness = msgspec.structs.replace(settings.politeness, concurrency=self._concurrency)
        return msgspec.structs.replace(settings, politeness=politeness)

    def _seed(self, settings: CrawlSettings) -> None:
        rules = self._rules.urls
        lines, sources = seed_lines(settings, rules), seed_sources(settings, rules)
        self._writer.seed(lines, sources, self._clock.at(), places_to_ask(settings, rules))

    async def _tell_what_is_left(self, seconds: float) -> None:
        """The last changes of records, to those who are told; what they do not take waits for the next start."""
        await self._telling.use(self._writer.settings)
        await self._telling.finish(seconds)
        left = await self._in_writer(self._writer.outbox.left)
        if left:
            message = f"{quantity(left, 'change')} of records still to be told: at the next start."
            await self._in_writer(lambda: self._log("warning", "notify", message))

    async def _note_failure(self, fault: Exception) -> None:
        """Leave the reason in the file, where that can still be written."""
        if not self._begun:
            return
        word = "disk" if isinstance(fault, StorageError) and not isinstance(fault, FileLocked) else "error"
        reason = f"{word}: {fault}" if isinstance(fault, FronteiraError) else f"{word}: {type(fault).__name__}: {fault}"
        try:
            await self._in_writer(lambda: self._writer.fail(self._now(), self._clock.at(), reason[:500]))
        except FronteiraError:
            return  # the first fault is the one to tell; the next session finds this one without an end

    def _note_begin(self, begun: Begun) -> None:
        if begun.interrupted is not None:
            how = "was killed" if begun.last_outcome == "killed" else "crashed"
            message = f"The last session {how}: {quantity(begun.interrupted, 'request')} in flight taken back."
            self._log("warning", "kill", message)
        verb = "Started" if begun.new_run else "Went on with"
        self._log("info", "start", f"{verb} run {begun.run}.")

    def _log(self, level: str, kind: str, message: str) -> None:
        self._writer.log(self._clock.at(), self._now(), level, kind, message)

    def _leave_word(self, reason: str) -> None:
        """The last word of an engine that is told to end at once: its writer may be in the middle of something."""
        if self._begun:
            leave_word(self._path, os.getpid(), reason)

    async def _in_writer(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def _now(self) -> float:
        return self._clock.now()
