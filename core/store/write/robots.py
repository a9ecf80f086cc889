"""robots.txt in the file: the rules in force for each origin, and the ledger of all versions seen."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from core.policy.overrides import RobotsOverrides
from core.policy.robots import Robots, product_token
from core.policy.words import UNREACHABLE
from core.store.names import UrlState
from core.store.query import rows, value
from core.store.results import Answer, Pace, RobotsResult, Work

if TYPE_CHECKING:
    import apsw

    from core.settings import CrawlSettings
    from core.store.write.hosts import Hosts, Origin
    from core.store.write.queue import Queue
    from core.urls import Url

A_LONG_TIME = 10 * 365 * 86_400.0  # seconds

_LEADS_TO = {  # by the word that the error of such an answer begins with
    "private": "a private address",
    "block-host": "a blocked host",
    "authorisation": "a host whose authorisation ended",
}


class RobotsTable:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, hosts: Hosts, queue: Queue) -> None:
        self._connection = connection
        self._hosts = hosts
        self._queue = queue
        self._token = ""
        self._finds_sitemaps = False
        self._overrides: RobotsOverrides
        self._unreachable: dict[int, Origin] = {}

    def use(self, settings: CrawlSettings) -> None:
        """These settings count from now on; rules are read again from the ledger when they are asked for."""
        self._token = product_token(settings.fetch.user_agent)
        self._finds_sitemaps = "auto" in settings.seeds.sitemaps
        self._overrides = RobotsOverrides(settings)
        origins = self._hosts.origins()
        for origin in origins:
            origin.rules = None
        self._unreachable = {origin.id: origin for origin in origins if origin.robots_state == "disallow"}

    def obeyed(self, origin: Origin) -> bool:
        """Whether this origin's robots.txt counts; the analyst may override it, with a written reason."""
        return self._overrides.obeys(origin.url("/"))

    def must_ask(self, origin: Origin, at: float) -> bool:
        """Whether robots.txt has to be fetched before the next page of this origin: for its rules, or its sitemaps."""
        if not self.obeyed(origin):
            return self._finds_sitemaps and origin.robots_state == "unknown"
        return origin.robots_state == "unknown" or (origin.robots_state != "disallow" and origin.robots_due <= at)

    def refusal(self, origin: Origin, target: str) -> str | None:
        """Why this target may not be fetched, or None. The origin's robots.txt is known, or does not count."""
        if not self.obeyed(origin):
            return None
        if origin.robots_state == "disallow":
            return f"{UNREACHABLE} ({origin.robots_cause})" if origin.robots_cause else UNREACHABLE
        if origin.robots_state != "rules":
            return None
        verdict = self.rules(origin).verdict(target)
        return None if verdict.allowed else f"robots: {verdict.rule}"[:300]

    def rules(self, origin: Origin) -> Robots:
        if origin.rules is None:
            body = value(
                self._connection, "SELECT body FROM robots_version WHERE id = ?", (origin.robots_version,), b""
            )
            origin.rules = Robots.parse(bytes(body), self._token)
        return origin.rules

    def store(self, result: RobotsResult) -> None:
        """An answer for robots.txt: what it means from now on, and who is judged again."""
        origin = self._hosts.origin_by_id(result.work.id)
        before = (origin.robots_state, origin.robots_version)
        origin.robots_due = result.due
        if result.access == "retry":
            origin.robots_tries += result.counts
        else:
            origin.robots_tries = 0
            origin.robots_state = result.access
            origin.robots_cause = _cause(result.answer) if result.access == "disallow" else ""
            origin.crawl_delay = result.crawl_delay
            origin.robots_version = self._note_version(origin, result)
            origin.rules = None
            self._note_unreachable(origin)
        self._write(origin, result)
        if (
            result.access != "retry"
            and before != (origin.robots_state, origin.robots_version)
            and before[0] != "unknown"
        ):
            self.judge_again(origin)

    def led_astray(self, origin: Origin, to: Url, reason: str, at: float) -> None:
        """The host where its robots.txt lies may not be asked any more: nothing is known, until the next start."""
        fault = f"{reason.partition(':')[0]}: it redirects to {to.host}, where nothing may be asked."
        work = Work(0, "robots", origin.host, origin.id, origin.url("/robots.txt"), origin.id)
        answer = Answer(at, None, "error:blocked", error=fault)
        self.store(RobotsResult(work, answer, Pace(0.0), "disallow", due=at + A_LONG_TIME))

    def judge_again(self, origin: Origin) -> None:
        """Blocked URLs of the origin are pending again: their next turn asks the new rules."""
        sql = "SELECT id FROM url WHERE host_id = ? AND origin_id = ? AND state = 6 AND reason LIKE 'robots:%'"
        for (number,) in rows(self._connection, sql, (origin.host, origin.id)):
            self._queue.move(number, origin.host, UrlState.BLOCKED, UrlState.PENDING, None)
        self._queue.woken.add(origin.host)

    def ask_again(self) -> None:
        """A new session asks every origin whose robots.txt could not be had, before anything else."""
        for origin in self.unreachable():
            origin.robots_state, origin.robots_tries, origin.robots_due = "unknown", 0, 0.0
            self._note_unreachable(origin)
            self.judge_again(origin)

    def give_back_try(self, origin: Origin) -> None:
        """A robots.txt could not be had by a fault that was not its origin's: that counts no more."""
        origin.robots_tries = max(0, origin.robots_tries - 1)
        if origin.robots_state == "disallow":
            origin.robots_state, origin.robots_due = "unknown", 0.0
            self._note_unreachable(origin)
            self.judge_again(origin)

    def unreachable(self) -> list[Origin]:
        """Origins whose URLs are blocked because their robots.txt cannot be had."""
        return list(self._unreachable.values())

    def _note_unreachable(self, origin: Origin) -> None:
        if origin.robots_state == "disallow":
            self._unreachable[origin.id] = origin
        else:
            self._unreachable.pop(origin.id, None)

    def _note_version(self, origin: Origin, result: RobotsResult) -> int:
        digest = hashlib.sha256(b"%d %b" % (result.answer.status or 0, result.body)).digest()
        sql = "SELECT id, hash FROM robots_version WHERE origin_id = ? ORDER BY id DESC LIMIT 1"
        for number, known in rows(self._connection, sql, (origin.id,)):
            if bytes(known) == digest:
                self._connection.execute(
                    "UPDATE robots_version SET last_seen = ? WHERE id = ?", (result.answer.at, number)
                )
                return int(number)
        self._connection.execute(
            "INSERT INTO robots_version(origin_id, first_seen, last_seen, status, hash, body) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (origin.id, result.answer.at, result.answer.at, result.answer.status, digest, result.body),
        )
        return self._connection.last_insert_rowid()

    def _write(self, origin: Origin, result: RobotsResult) -> None:
        self._connection.execute(
            "UPDATE origin SET robots_state = ?, robots_status = ?, robots_fetched = ?, robots_due = ?, "
            "robots_tries = ?, robots_error = ?, robots_version = ?, crawl_delay = ? WHERE id = ?",
            (
                *(origin.robots_state, result.answer.status, result.answer.at, origin.robots_due, origin.robots_tries),
                *(result.answer.error or "", origin.robots_version, origin.crawl_delay, origin.id),
            ),
        )


def _cause(answer: Answer) -> str:
    """Why a robots.txt cannot be had, in a word or two: `timeout`, `status 503`."""
    if answer.status is not None and answer.outcome == "ok":
        return f"status {answer.status}"
    kind = answer.outcome.removeprefix("error:")
    return _LEADS_TO.get((answer.error or "").partition(":")[0], kind) if kind == "blocked" else kind
