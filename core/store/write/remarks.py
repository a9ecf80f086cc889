"""What the log says of what came back: decisions and their reasons, each once, bounded.

What every page did stands in the tables; here stands what changes the course: a robots.txt and what it means, a source
and what it brought, a host that asks for a rest, a limit that is reached, and the first failures of a session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import row
from core.store.results import PageResult, RobotsResult, SourceResult
from core.store.words import quantity

if TYPE_CHECKING:
    import apsw

    from core.store.results import Answer
    from core.store.write.tally import Tally

MOST_FAILURES = 200  # of a session
A_LONG_TIME = 30 * 86_400.0  # seconds: no session is waited for so long
LIMITS = {
    "host-limit": "The limit of URLs per host is reached",
    "total-limit": "The limit of URLs in all is reached",
    "pattern-limit": "The limit of a pattern is reached",
    "depth": "The limit of depth is reached",
    "trap": "A trap is suspected",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """A line for the log."""

    level: str
    kind: str
    message: str
    host: str = ""
    url: str = ""


class Remarks:
    """Used by the writer's thread inside its transaction; remembers what this session has said already."""

    def __init__(self, connection: apsw.Connection, tally: Tally) -> None:
        self._connection = connection
        self._tally = tally
        self._failures = 0
        self._resting: dict[int, float] = {}  # host -> wall time
        self._limits: set[str] = set()

    def on(self, result: PageResult | RobotsResult | SourceResult) -> list[Remark]:
        """What is worth a line about a stored result."""
        if not result.counts:
            found: Remark | None = None  # nobody's fault, and asked again: whose it was is told once
        elif isinstance(result, RobotsResult):
            found = self._robots(result)
        elif isinstance(result, SourceResult):
            found = self._source(result)
        else:
            found = self._failure(result)
        return [remark for remark in (self._rest(result), found) if remark is not None]

    def on_limits(self) -> list[Remark]:
        """Limits that refused a URL in this transaction for the first time in this session."""
        words = [word for word in LIMITS if word not in self._limits and self._tally.pending(f"refused.{word}") > 0]
        self._limits.update(words)
        return [self._limit(word) for word in words]

    def _limit(self, word: str) -> Remark:
        sql = "SELECT reason, url FROM refused WHERE word = ? ORDER BY id DESC LIMIT 1"
        reason, url = row(self._connection, sql, (word,)) or (word, "")
        return Remark("warning", "limit", f"{LIMITS[word]}: what is found beyond it is refused ({reason}).", url=url)

    def _rest(self, result: PageResult | RobotsResult | SourceResult) -> Remark | None:
        host, pace, answer = result.work.host, result.pace, result.answer
        if pace.not_before <= answer.at or self._resting.get(host, 0.0) > answer.at:
            return None
        self._resting[host] = pace.not_before
        seconds = pace.not_before - answer.at
        name = result.work.url.host
        message = f"{name} asked for a rest (status {answer.status}): no request for {seconds:.0f} s."
        return Remark("info", "host", message, name, result.work.url.text)

    def _robots(self, result: RobotsResult) -> Remark:
        work, answer = result.work, result.answer
        whose = (work.first or work.url.text).removesuffix("/robots.txt") if work.rules_of else work.url.origin
        level = "warning" if result.access in {"disallow", "retry"} else "info"
        if result.moved is not None:
            there = result.moved.fetch
            message = f"robots.txt of {whose} lies at {there.text}: it is asked for when it is that host's turn."
        elif result.access == "rules":
            message = " ".join((_read(result, whose), *result.warnings))
        elif result.access == "allow":
            then = "everything may be fetched" if result.obeyed else "it names no sitemaps"
            message = f"{whose} has no robots.txt ({_came(answer)}): {then}."
        else:
            message = _not_had(result, whose)
        return Remark(level, "robots", message, work.url.host, work.url.text)

    def _source(self, result: SourceResult) -> Remark:
        work = result.work
        if result.retry_at is not None or result.failed:
            then = "tried again" if result.retry_at is not None else "given up"
            why = (result.message or f"not a {work.purpose}").rstrip(".")
            message = f"The {work.purpose} {work.url.text} could not be read, {then}: {why}."
            return Remark("warning", work.purpose, message, work.url.host, work.url.text)
        sql = "SELECT found, new, message FROM seed_source WHERE id = ?"
        found, new, said = row(self._connection, sql, (work.id,))
        more = f"; {said.rstrip('.')}" if said else ""
        message = f"The {work.purpose} {work.url.text} brought {quantity(found, 'URL')}, {new:,} of them new{more}."
        return Remark("info", work.purpose, message, work.url.host, work.url.text)

    def _failure(self, result: PageResult) -> Remark | None:
        answer, url = result.answer, result.work.url
        blocked = result.parsed is not None and result.parsed.soft_block
        failed = answer.status is None or answer.status >= 400 or answer.outcome.startswith("error:") or blocked
        if result.retry_at is not None or not failed or self._failures > MOST_FAILURES:
            return None
        self._failures += 1
        if self._failures > MOST_FAILURES:
            return Remark("warning", "page", "Further failures are in the table of URLs only.")
        why = result.parsed.detail if result.parsed is not None and blocked else ""
        said = answer.error or why or f"It answered {answer.status}."
        return Remark("warning", "page", f"Failed. {said}", url.host, url.text)


def _came(answer: Answer) -> str:
    status = f"status {answer.status}" if answer.status is not None else answer.outcome
    return (answer.error or status).rstrip(".")


def _read(result: RobotsResult, whose: str) -> str:
    if not result.obeyed:
        return f"robots.txt of {whose} was read for its sitemaps alone: its rules do not count here."
    pause = f", Crawl-delay {result.crawl_delay:g} s" if result.crawl_delay else ""
    return f"robots.txt of {whose} was read: its rules are in force{pause}."


def _not_had(result: RobotsResult, whose: str) -> str:
    wait = result.due - result.answer.at
    then = f"asked again in {wait:.0f} s" if wait < A_LONG_TIME else "asked again at the next start"
    held = "no page is fetched meanwhile" if result.access == "retry" else "its URLs are blocked"
    held = held if result.obeyed else "no sitemaps are known from it"
    return f"robots.txt of {whose} cannot be had ({_came(result.answer)}): {held}, {then}."
