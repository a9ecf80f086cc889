"""Tells what waits in the outbox by one way, for as long as the crawl runs, and a little longer.

It never holds the crawl up: it waits for its turn with the file like anybody, a receiver that fails is tried again
after 1, 2, 4 ... 300 seconds, and at the end there is a deadline. What is not told by then stays in the outbox.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from core.notify.way import Undelivered

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.notify.way import Way
    from core.store.notices import Waiting

LOOK_EVERY = 1.0  # seconds between looks into an empty outbox
LONGEST_WAIT = 300.0
LONGEST_ASKED = 3600.0  # a receiver may ask for a longer rest than that in vain
SLOWEST = 60.0  # seconds for one delivery, whatever happens
FAILURES_TOLD = 3  # in a row: then it is an alarm


class Outbox(Protocol):
    """What waits, for one way. Each call is a short turn with the crawl file."""

    async def waiting(self, way: str, most: int) -> Waiting:
        """The next notices."""

    async def told(self, way: str, through: int) -> None:
        """They were delivered."""

    async def complain(self, way: str, message: str) -> None:
        """It does not get through."""

    async def recovered(self, way: str) -> None:
        """It does again."""


class Herald:
    """`run` goes on until `closing` is set and nothing more can be told; `chance` gives numbers from 0 to 1."""

    def __init__(self, way: Way, outbox: Outbox, closing: asyncio.Event, chance: Callable[[], float]) -> None:
        self._way = way
        self._outbox = outbox
        self._closing = closing
        self._chance = chance
        self._failures = 0
        self._first = True
        self._through = 0

    async def run(self) -> None:
        """Tell what waits, in order. Cancelled where the deadline has come."""
        try:
            while True:
                waiting = await self._outbox.waiting(self._way.name, self._way.most)
                try:
                    told = await self._tell(waiting)
                except Undelivered as fault:
                    await self._fail(fault)
                    if self._closing.is_set():
                        return
                    await self._pause(self._wait(fault))
                else:
                    if not told and self._closing.is_set():
                        return
                    if not told:
                        await self._pause(LOOK_EVERY)
        finally:
            await self._way.close()

    async def _tell(self, waiting: Waiting) -> bool:
        """Whether there was anything."""
        if waiting.notices:
            await self._deliver(waiting)
            if self._failures or self._first:  # an alarm may stand from an earlier session
                await self._outbox.recovered(self._way.name)
            self._failures, self._first = 0, False
        if waiting.through == self._through:
            return False
        await self._outbox.told(self._way.name, waiting.through)
        self._through = waiting.through
        return True

    async def _deliver(self, waiting: Waiting) -> None:
        try:
            async with asyncio.timeout(SLOWEST):
                await self._way.deliver(waiting.notices)
        except Undelivered:
            raise
        except TimeoutError:
            raise Undelivered(f"It took longer than {SLOWEST:.0f} seconds.") from None
        except Exception as error:  # whatever it is, it is told as an alarm, and no crawl ends by it
            raise Undelivered(f"{type(error).__name__}: {error}") from error

    async def _fail(self, fault: Undelivered) -> None:
        self._failures += 1
        if self._failures >= FAILURES_TOLD or self._closing.is_set():
            message = f"Changes of records cannot be told (notify.{self._way.name}), they wait in the file. {fault}"
            await self._outbox.complain(self._way.name, message)

    def _wait(self, fault: Undelivered) -> float:
        grown = min(2.0 ** min(self._failures - 1, 20), LONGEST_WAIT)
        return max(grown * (0.75 + self._chance() / 2), min(fault.after, LONGEST_ASKED))

    async def _pause(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        except TimeoutError:
            pass  # the time has come
