"""Telling others of changes, beside the crawl: heralds come and go with the settings, and end with the session."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.settings import CrawlSettings, Fetch, Notify
    from core.store.notices import Waiting
    from core.store.write.outbox import Outbox

T = TypeVar("T")
AT_THE_END = 10.0  # seconds that a finished crawl waits for its receivers
WHEN_STOPPED = 2.0  # for one that was stopped: a person waits


class InWriter(Protocol):
    """Carries a call out in the writer's thread."""

    async def __call__(self, call: Callable[[], T], /) -> T: ...


class TurnsWithTheFile:
    """The outbox as heralds ask it: each question a turn in the writer's thread."""

    def __init__(self, outbox: Outbox, in_writer: InWriter, at: Callable[[], float]) -> None:
        self._outbox = outbox
        self._in_writer = in_writer
        self._at = at

    async def waiting(self, way: str, most: int) -> Waiting:
        """The next notices."""
        return await self._in_writer(lambda: self._outbox.waiting(way, most))

    async def told(self, way: str, through: int) -> None:
        """They were delivered."""
        await self._in_writer(lambda: self._outbox.told(way, through))

    async def complain(self, way: str, message: str) -> None:
        """It does not get through."""
        await self._in_writer(lambda: self._outbox.complain(way, message, self._at()))

    async def recovered(self, way: str) -> None:
        """It does again."""
        await self._in_writer(lambda: self._outbox.recovered(way, self._at()))


class Telling:
    """`use` after the writer took the settings, `finish` before the session ends, `end` in any case."""

    def __init__(self, path: Path, outbox: TurnsWithTheFile, chance: Callable[[], float]) -> None:
        self._path = path
        self._outbox = outbox
        self._chance = chance
        self._told_by: tuple[Notify, Fetch] | None = None
        self._closing = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def use(self, settings: CrawlSettings) -> None:
        """Heralds for these settings, in place of others; where nothing changed, those go on."""
        told_by = (settings.notify, settings.fetch)
        if told_by == self._told_by:
            return
        await self.end()
        self._told_by = told_by
        if not (settings.notify.file or settings.notify.webhook):
            return
        from core.notify import Herald, ways  # few crawls tell anybody

        for way in ways(settings, self._path):
            herald = Herald(way, self._outbox, self._closing, self._chance)
            self._tasks.add(asyncio.create_task(herald.run()))

    async def finish(self, seconds: float) -> None:
        """Tell what still can be told within so many seconds. A fault of ours in a herald is raised here."""
        if not self._tasks:
            return
        self._closing.set()
        done, _ = await asyncio.wait(self._tasks, timeout=seconds)
        await self.end()
        for task in done:
            task.result()

    async def end(self) -> None:
        """At once: what is on its way is told again another time."""
        tasks, self._tasks = self._tasks, set()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
