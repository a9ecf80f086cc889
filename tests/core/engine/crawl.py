"""A real crawl file with a real engine on it, in the test's own process."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from core.engine.engine import Engine
from core.settings import Budgets, CrawlSettings, Fetch, Politeness, Scope, Seeds
from core.store.crawl_file import create
from core.store.names import UrlState
from core.store.read.audit import audit
from core.store.read.reader import Reader
from core.store.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.engine.ending import Ending
    from core.store.rows import Status

DEADLINE = 30.0  # seconds for a whole crawl


def quick(*seeds: str, **sections: Any) -> CrawlSettings:
    """Settings without waits; a section given replaces the quick one."""
    quick_sections: dict[str, Any] = {
        "seeds": Seeds(urls=seeds),
        "politeness": politeness(),
        "fetch": fetch(),
    }
    return CrawlSettings(**{**quick_sections, **sections})


def politeness(**changes: Any) -> Politeness:
    return Politeness(**{"delay": 0.0, "per_host": 4, "concurrency": 8, **changes})


def fetch(**changes: Any) -> Fetch:
    return Fetch(**{"retries": 0, "timeout": 10.0, **changes})


@dataclass(frozen=True, slots=True)
class UrlRow:
    """What the file says of one URL."""

    url: str
    state: str
    reason: str | None
    status: int | None
    outcome: str | None
    depth: int


class Crawl:
    """One crawl file. Every run is audited: links, records and counters must be whole after each of them."""

    def __init__(self, folder: Path, settings: CrawlSettings, name: str = "test.crawl") -> None:
        self.path = folder / name
        create(self.path, settings)

    def run(self, during: Callable[[], None] | None = None, **options: Any) -> Ending:
        """Run an engine to its end, `during` beside it in a thread."""
        ending = asyncio.run(self._run(during, options))
        certificate = audit(self.path)
        assert certificate.ok, certificate
        return ending

    def set(self, settings: CrawlSettings) -> None:
        wishes = Wishes(self.path)
        wishes.set_settings(settings)
        wishes.close()

    def stop(self) -> None:
        wishes = Wishes(self.path)
        wishes.stop()
        wishes.close()

    def status(self) -> Status:
        reader = Reader(self.path)
        try:
            return reader.status()
        finally:
            reader.close()

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a statement finds; nothing stays open."""
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        connection.execute("PRAGMA query_only=1")
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def change(self, sql: str, *values: Any) -> None:
        """Set the clock of stored rows back, or the like, between two runs."""
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.execute(sql, values)
        finally:
            connection.close()

    def urls(self) -> dict[str, UrlRow]:
        """Every known URL by path and query."""
        sql = (
            "SELECT url.path, origin.base || url.path, state, reason, status, outcome, depth FROM url "
            "JOIN origin ON origin.id = origin_id LEFT JOIN page ON page.url_id = url.id ORDER BY url.id"
        )
        return {path: UrlRow(url, UrlState(state).label, *rest) for path, url, state, *rest in self.rows(sql)}

    def states(self) -> dict[str, str]:
        return {path: found.state for path, found in self.urls().items()}

    def refused(self) -> dict[str, str]:
        """Every refusal: URL to reason."""
        return dict(self.rows("SELECT url, reason FROM refused ORDER BY id"))

    def log(self, kind: str) -> list[str]:
        return [message for (message,) in self.rows("SELECT message FROM log WHERE kind = ? ORDER BY id", kind)]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """For what only the file shows: looks again each time another process has written, at most until a deadline."""
        until = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < until, self.urls()

    async def _run(self, during: Callable[[], None] | None, options: dict[str, Any]) -> Ending:
        engine = Engine(self.path, **options)
        async with asyncio.timeout(DEADLINE):
            if during is None:
                return await engine.run()
            running = asyncio.create_task(engine.run())
            await asyncio.to_thread(during)
            return await running


__all__ = ["Budgets", "Crawl", "Scope", "fetch", "politeness", "quick"]
