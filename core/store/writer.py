"""The one writer: everything that must be true together is one transaction of its `cycle`.

A cycle takes what came back, stores each result whole, gives out the next leases, and commits; only then does the loop
hear of them. The writer belongs to one thread. An error inside a cycle rolls it back and ends the engine: what memory
then holds may differ from the file, and the file is what counts. The next session goes on from it.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.policy import Policy
from core.policy.robots import product_token
from core.settings import CrawlSettings, decode
from core.store.crawl_file import open_writer
from core.store.faults import translated
from core.store.frontier import Frontier
from core.store.grants import Grants
from core.store.hosts import Hosts
from core.store.names import UrlState, WishKind
from core.store.pages import Pages
from core.store.query import row, rows, value
from core.store.records import Records
from core.store.responses import Responses
from core.store.results import Hop, PageResult, RobotsResult, SourceResult, Turn
from core.store.robots import UNREACHABLE, RobotsTable
from core.store.samples import Samples
from core.store.sessions import Begun, Sessions
from core.store.sources import Sources
from core.store.sweeps import LIMITS, PIECE, Sweep
from core.store.tally import Tally
from core.urls import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import apsw

    from core.store.results import Answer, FoundLink, Pace, Result

SAMPLE_EVERY = 1.0  # seconds
SYNC_EVERY = 1.0  # seconds: what a power cut may cost
WAL_LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """What others left in the file since the last look."""

    wishes: tuple[WishKind, ...] = ()
    settings: CrawlSettings | None = None
    changed: bool = False  # new settings, to be put in force by `use`


@dataclass(frozen=True, slots=True)
class HostPace:
    """What the file knows of a host's pace, for the loop that computes it."""

    host: int
    delay: float
    backoff_until: float  # wall time
    crawl_delay: float | None


class Writer:
    """Opened by the holder of the engine lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: apsw.Connection = open_writer(path)
        self._tally = Tally()
        self.settings_version, self.settings = self._newest_settings()
        self._hosts = Hosts(self._connection, self.settings.tenant)
        self._frontier = Frontier(self._connection, self._hosts, self._tally, self.settings.tenant)
        self._sources = Sources(self._connection, self._hosts, self._frontier)
        self._robots = RobotsTable(self._connection, self._hosts, self._frontier, self._tally)
        self._records = Records(self._connection, self._tally, self.settings.tenant)
        self._pages = Pages(self._connection, self._frontier, self._records, self._tally)
        self._responses = Responses(path)
        self._sessions = Sessions(self._connection, self._tally)
        self._samples = Samples(self._connection)
        self._grants: Grants
        self._begun: Begun
        self._sweep: Sweep | None = None
        self._extra_hosts: frozenset[str] = frozenset()
        self._started = self._last_sample = self._last_sync = 0.0
        self._data_version = -1
        self.state = "running"

    # -- a session --------------------------------------------------------------------------------------------------

    def has_work(self, at: float) -> bool:
        """Whether a start would find anything: an open run, or something pending or due."""
        if self._sessions.has_open_run() or value(self._connection, "SELECT count(*) FROM run", default=0) == 0:
            return True
        queued = value(self._connection, "SELECT sum(pending + leased + waiting) FROM host", default=0)
        return bool(queued or self._sources.open_count() or self._swept_version() < self.settings_version) or bool(
            value(self._connection, "SELECT 1 FROM url WHERE state IN (3, 4) AND due <= ? LIMIT 1", (at,))
        )

    def begin(self, pid: int, now: float, at: float, *, recrawl: str = "") -> Begun:
        """Open a session: take back a dead one's leases, take up what is due (`recrawl` all: every URL)."""
        with self._transaction():
            self._started = self._last_sample = self._last_sync = now
            self._begun = self._sessions.begin(pid, at, recrawl=bool(recrawl))
            self._make_grants()
            self._put_in_force(self.settings, now, at)
            if self._begun.new_run:
                self._take_up_due(at, everything=recrawl == "all")
            self._ask_unreachable_again()
            self._sources.load()
            if self._swept_version() < self.settings_version and self.settings_version > 1:
                self._start_sweep()
            self._close_wishes(at, WishKind.STOP, WishKind.KILL, WishKind.KEEP)
        return self._begun

    def apply(self, now: float, at: float) -> None:
        """Bring the stored rows in line with the newest settings, without a session and without a request."""
        with self._transaction():
            self._started = now
            self._begun = self._sessions.outside()
            self._make_grants()
            self._put_in_force(self.settings, now, at)
            if self._swept_version() < self.settings_version:
                self._start_sweep()
            self._close_wishes(at, WishKind.STOP, WishKind.KEEP)
        while self._sweep is not None:
            with self._transaction():
                self._step_sweep(at)

    def paces(self) -> tuple[HostPace, ...]:
        """The pace of every host as the file knows it."""
        delays: dict[int, float] = {}
        for origin in self._hosts.origins():
            if origin.crawl_delay is not None:
                delays[origin.host] = max(delays.get(origin.host, 0.0), origin.crawl_delay)
        return tuple(HostPace(host.id, host.delay, host.backoff_until, delays.get(host.id)) for host in self._hosts)

    def seed(
        self, lines: Sequence[tuple[str, FoundLink | None, str]], sitemaps: Sequence[FoundLink], at: float
    ) -> None:
        """The analyst's seeds and sitemaps: each is queued once, however often this is called."""
        with self._transaction():
            for text, found, problem in lines:
                self._sources.add_seed(text, found, problem, at)
            for link in sitemaps:
                self._sources.add(link, parent=None, level=0, listed=True)

    def cycle(self, results: Sequence[Result], now: float, at: float, *, granting: bool) -> Turn:
        """Store what came back, lease what comes next. One transaction."""
        starts: dict[int, float] = {}
        self._keep_responses(results)
        due = now - self._last_sync >= SYNC_EVERY
        with self._transaction(durable=due):
            if due:
                self._last_sync = now
            for result in results:
                self._store(result, now, at, starts)
            turn = self._next_turn(now, at, starts, granting=granting)
            if now - self._last_sample >= SAMPLE_EVERY:
                self.sample(now, at)
        return turn

    def ask(self) -> Asked:
        """Look for wishes and new settings; one cheap read when nobody wrote."""
        with translated(self._path):
            version: int = value(self._connection, "PRAGMA data_version")
            if version == self._data_version:
                return Asked()
            self._data_version = version
            wishes = rows(self._connection, "SELECT kind FROM wish WHERE done IS NULL ORDER BY id")
            newest, settings = self._newest_settings()
        kinds = tuple(WishKind(kind) for (kind,) in wishes if kind in WishKind.__members__.values())
        if newest == self.settings_version:
            return Asked(kinds)
        self.settings_version = newest
        return Asked(kinds, settings, changed=True)

    def use(self, settings: CrawlSettings, now: float, at: float) -> None:
        """Put changed settings in force and start bringing stored rows in line."""
        with self._transaction():
            self._put_in_force(settings, now, at)
            self._start_sweep()

    def keeps_running(self) -> bool:
        """Whether the window asked this session to go on when it closes."""
        sql = "SELECT 1 FROM wish JOIN session ON session.id = ? WHERE kind = 'keep' AND at >= session.started"
        return value(self._connection, sql, (self._begun.session,)) is not None

    def answer_wishes(self, at: float, *kinds: WishKind) -> None:
        """Mark wishes as carried out."""
        with self._transaction():
            self._close_wishes(at, *kinds)

    def log(self, at: float, now: float, level: str, kind: str, message: str, *, host: str = "", url: str = "") -> None:
        """A line for people. One transaction of its own."""
        with self._transaction():
            self._log(at, now, level, kind, message, host, url)

    def sample(self, now: float, at: float) -> None:
        """A point of the charts, inside a transaction."""
        self._tally.flush(self._connection, self._begun.run)
        self._samples.take(at, self.elapsed(now), self._begun.run)
        self._sessions.tick(self._begun.session, now - self._started, self.state)
        self._last_sample = now

    def elapsed(self, now: float) -> float:
        """Seconds of running since the crawl began, across restarts."""
        return self._begun.elapsed + now - self._started

    def readmit_limited(self, at: float) -> int:
        """At the end: URLs refused for a limit that has room again get in."""
        with self._transaction():
            total, after = 0, 0
            while True:
                admitted, following = self._frontier.readmit(LIMITS, after, PIECE, at)
                total += admitted
                if following is None:
                    return total
                after = following

    def leftovers(self) -> str:
        """What a crawl that has nothing more to do leaves undone, as a reason; empty: it is finished."""
        sql = "SELECT reason, count(*) FROM refused WHERE word IN (?, ?, ?) GROUP BY reason ORDER BY 2 DESC LIMIT 1"
        for reason, count in rows(self._connection, sql, LIMITS):
            where = self._where_left(reason)
            return f"{reason}{'' if ':' in reason else ':'} {count:,} URLs left{where}"
        blocked = value(self._connection, "SELECT count(*) FROM url WHERE state = 6 AND reason = ?", (UNREACHABLE,), 0)
        if blocked:
            return f"unreachable: {blocked:,} URLs left, their robots.txt cannot be had"
        return ""

    def end(self, now: float, at: float, outcome: str, reason: str) -> None:
        """Close the session and note why."""
        with self._transaction(durable=True):
            self.sample(now, at)
            self._sessions.end(self._begun, at, now - self._started, outcome, reason)
            kind = "finish" if outcome == "finished" else "stop"
            self._log(at, now, "info", kind, f"{outcome.capitalize()}{': ' + reason if reason else '.'}", "", "")

    def fail(self, now: float, at: float, reason: str) -> None:
        """Close a session that a fault ends. Memory is not believed any more: nothing is counted."""
        with translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._sessions.end(self._begun, at, now - self._started, "failed", reason)
                self._log(at, now, "error", "failure", reason, "", "")
                self._connection.execute("COMMIT")
            except BaseException:
                if not self._connection.get_autocommit():
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Fold the WAL into the file, so that one file is one file (SPEC 1.1)."""
        self._responses.close()
        with translated(self._path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._connection.close()

    # -- within a transaction ---------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, *, durable: bool = False) -> Iterator[None]:
        """BEGIN IMMEDIATE to COMMIT with the counts; `durable` waits for the disk."""
        connection = self._connection
        with translated(self._path):
            if durable:
                connection.execute("PRAGMA synchronous=FULL")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._tally.flush(connection, self._run())
                connection.execute("COMMIT")
            except BaseException:
                if not connection.get_autocommit():
                    connection.execute("ROLLBACK")
                raise
            finally:
                if durable:
                    connection.execute("PRAGMA synchronous=NORMAL")

    def _make_grants(self) -> None:
        parts = (self._connection, self._hosts, self._frontier, self._sources, self._robots, self._tally)
        self._grants = Grants(*parts, self._begun.session)
        extra = value(self._connection, "SELECT value FROM meta WHERE name = 'extra_hosts'", default="[]")
        self._extra_hosts = frozenset(json.loads(extra))

    def _run(self) -> int:
        return self._begun.run if hasattr(self, "_begun") else 0

    def _store(self, result: Result, now: float, at: float, starts: dict[int, float]) -> None:
        work, answer = result.work, result.answer
        if isinstance(result, Hop):
            self._count_answer(work.host, answer)
            self._tally.count("requests")
            self._tally.host(work.host, "requests")
            starts[work.lease] = self._grants.hop(work.host, now)
            return
        last_part = not isinstance(result, SourceResult) or result.done
        if last_part and not self._end_lease(work.lease):
            return  # the lease has passed to another: nothing is committed (SPEC 1.5)
        if last_part:
            self._count_answer(work.host, answer)
        if isinstance(result, PageResult):
            self._pages.store(result, self._begun.run)
            self._widen(result)
        elif isinstance(result, RobotsResult):
            self._store_robots(result)
        else:
            self._sources.store(result)
        if last_part:
            self._pace(work.host, result.pace, now, at)
            self._grants.release(work.host)

    def _end_lease(self, lease: int) -> bool:
        self._connection.execute("DELETE FROM lease WHERE id = ?", (lease,))
        return self._connection.changes() == 1

    def _count_answer(self, host: int, answer: Answer) -> None:
        self._tally.count("bytes", answer.wire_bytes)
        self._tally.host(host, "bytes", answer.wire_bytes)
        self._tally.host(host, "seconds", answer.seconds)
        if answer.status is None:
            self._tally.count("errors")
            self._tally.host(host, "errors")
        elif 200 <= answer.status < 600:
            self._tally.host(host, f"status_{answer.status // 100}xx")

    def _pace(self, host: int, pace: Pace, now: float, at: float) -> None:
        self._connection.execute(
            "UPDATE host SET delay = ?, backoff_until = ?, last_request = ?, "
            "last_error = CASE WHEN ?4 = '' THEN last_error ELSE ?4 END WHERE id = ?5",
            (pace.delay, pace.not_before, at, pace.error, host),
        )
        self._grants.pace(host, pace.delay, now + pace.not_before - at if pace.not_before > at else 0.0)

    def _store_robots(self, result: RobotsResult) -> None:
        self._robots.store(result)
        if "auto" in self.settings.seeds.sitemaps:
            for link in result.sitemaps:
                self._sources.add(link, parent=None, level=0, listed=False)
        origin = self._hosts.origin_by_id(result.work.origin)
        self._grants.robots_answered(origin, result.due if result.access == "retry" else None)

    def _widen(self, result: PageResult) -> None:
        """A seed's redirect widens the scope to its target host, once and visibly (SPEC 2.6)."""
        target = result.redirect
        if target is None or not result.work.seed or self._frontier.policy.in_scope(target.fetch):
            return
        host = target.fetch.host
        self._extra_hosts |= {host}
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES ('extra_hosts', ?)",
            (json.dumps(sorted(self._extra_hosts)),),
        )
        message = f"The seed {result.work.url.text} redirects to {host}: the scope now includes it."
        self._log(result.answer.at, self._last_sample, "info", "seed", message, host, result.work.url.text)
        self._frontier.use(self.settings, Policy(self.settings, self._extra_hosts))

    def _next_turn(self, now: float, at: float, starts: dict[int, float], *, granting: bool) -> Turn:
        if self._sweep is not None:
            self._step_sweep(at)
        due = [moment for moment in (self._frontier.wake(at), self._sources.wake(at)) if moment is not None]
        limit = self._used_up(now)
        until = now + max(0.0, min(due) - at) if due else float("inf")
        if self._sweep is not None:
            until = now
        if not granting or limit:
            return Turn((), until, starts, limit=limit)
        granted = self._grants.grant(now, at)
        idle = self._is_idle(bool(granted.work) or bool(due) or self._sweep is not None)
        return Turn(granted.work, min(until, granted.until), starts, idle=idle)

    def _is_idle(self, busy: bool) -> bool:
        if busy or self._grants.in_flight or self._grants.gated or self._frontier.woken:
            return False
        self._tally.flush(self._connection, self._begun.run)
        queued = value(self._connection, "SELECT sum(pending + leased + waiting) FROM host", default=0)
        return queued == 0 and self._sources.open_count() == 0

    def _used_up(self, now: float) -> str:
        budgets = self.settings.budgets
        if budgets.max_seconds and self.elapsed(now) >= budgets.max_seconds:
            return f"seconds: {budgets.max_seconds:g} used up"
        if budgets.max_bytes:
            used = value(self._connection, "SELECT value FROM counter WHERE name = 'bytes' AND run = 0", default=0)
            if used >= budgets.max_bytes:
                return f"bytes: {budgets.max_bytes:,} used up"
        return ""

    def _put_in_force(self, settings: CrawlSettings, now: float, at: float) -> None:
        rules = Rules.of(settings.normalise)
        self.settings = settings
        self._frontier.use(settings, Policy(settings, self._extra_hosts))
        self._pages.use(settings)
        self._robots.token = product_token(settings.fetch.user_agent)
        self._robots.forget()
        self._grants.use(settings, rules, now, at)

    def _start_sweep(self) -> None:
        self._sweep = Sweep(self._connection, self._frontier, Rules.of(self.settings.normalise))
        self._grants.checks_exclusions = True

    def _step_sweep(self, at: float) -> None:
        if self._sweep is None:
            return
        self._sweep.step(at)
        if not self._sweep.over:
            return
        progress = self._sweep.progress
        self._sweep = None
        self._grants.checks_exclusions = False
        self._connection.execute(
            "INSERT OR REPLACE INTO meta(name, value) VALUES ('swept_version', ?)", (str(self.settings_version),)
        )
        if progress.excluded or progress.returned or progress.readmitted:
            message = (
                f"The new settings excluded {progress.excluded:,} known URLs, brought back {progress.returned:,} "
                f"and admitted {progress.readmitted:,} that were refused before."
            )
            self._log(at, self._last_sample, "info", "settings", message, "", "")

    def _swept_version(self) -> int:
        return int(value(self._connection, "SELECT value FROM meta WHERE name = 'swept_version'", default="1"))

    def _take_up_due(self, at: float, *, everything: bool) -> None:
        """A new run: answered URLs whose time has come (or all of them) are pending again."""
        condition, values = ("state IN (3, 4, 8)", ()) if everything else ("state IN (3, 4) AND due <= ?", (at,))
        found = rows(
            self._connection, f"SELECT host_id, state, count(*) FROM url WHERE {condition} GROUP BY 1, 2", values
        )
        self._connection.execute(
            f"UPDATE url SET state = 0, due = NULL, reason = NULL, tries = 0, reclaims = 0 WHERE {condition}", values
        )
        for host, state, count in found:
            self._tally.host(host, UrlState(state).label, -count)
            self._tally.host(host, UrlState.PENDING.label, count)
            self._frontier.woken.add(host)

    def _ask_unreachable_again(self) -> None:
        for origin in self._robots.unreachable():
            origin.robots_state, origin.robots_tries, origin.robots_due = "unknown", 0, 0.0
            self._robots.judge_again(origin)

    def _close_wishes(self, at: float, *kinds: WishKind) -> None:
        marks = ", ".join("?" * len(kinds))
        self._connection.execute(f"UPDATE wish SET done = ? WHERE done IS NULL AND kind IN ({marks})", (at, *kinds))

    def _keep_responses(self, results: Sequence[Result]) -> None:
        """Written before the main commit: a response nobody refers to is swept, a reference to none cannot be."""
        kept = [result.response for result in results if isinstance(result, PageResult) and result.response]
        if kept:
            self._responses.keep(kept)

    def _newest_settings(self) -> tuple[int, CrawlSettings]:
        version, text = row(self._connection, "SELECT version, json FROM setting ORDER BY version DESC LIMIT 1")
        return version, decode(text)

    def _where_left(self, reason: str) -> str:
        if not reason.startswith("host-limit"):
            return ""
        url = value(self._connection, "SELECT url FROM refused WHERE reason = ? LIMIT 1", (reason,), "")
        return f" at {url.split('/')[2]}" if url.count("/") > 1 else ""

    def _log(self, at: float, now: float, level: str, kind: str, message: str, host: str, url: str) -> None:
        self._connection.execute(
            "INSERT INTO log(at, elapsed, level, kind, host, url, message) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (at, self.elapsed(now), level, kind, host, url, message),
        )
