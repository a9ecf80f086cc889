"""The engine's time, which a clock set to another day, a suspended machine and a stopped process leave as it is.

`now` is monotonic and counts running alone: a time in which this process could do nothing, because it was stopped or
the machine slept, is left out, so that no lease runs out, no budget of seconds is used up and no host seems slow by it.
`at` is the wall time, for people and for what is stored: read from the system once, as the engine starts, and carried
on by a clock that nobody sets. A clock that jumps makes no duration negative and no retry wait for a day; its
correction counts from the next session on.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

EVERY = 1.0  # seconds between two looks
LAPSE = 5.0  # seconds by which a look comes too late, or the machine was away, until it counts as a lapse


def monotonic_with_sleep() -> float:
    """Seconds on a clock that goes on while the machine sleeps, where there is one beside `time.monotonic`."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":  # there time.monotonic stands still in sleep, and this one does not
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()


class Clock:
    """All times in seconds. `monotonic` may stand still while the machine sleeps, `awake_or_not` may not."""

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        awake_or_not: Callable[[], float] = monotonic_with_sleep,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._monotonic = monotonic
        self._awake_or_not = awake_or_not
        self._lost = 0.0
        self._seen = monotonic()
        self._seen_with_sleep = awake_or_not()
        self._epoch = wall() - self._seen_with_sleep
        self._timer: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Monotonic, without lapses."""
        return self._monotonic() - self._lost

    def at(self) -> float:
        """Seconds since the epoch."""
        return self._epoch + self._awake_or_not()

    def look(self) -> float:
        """To be called at least every EVERY seconds: how long this process could do nothing meanwhile; mostly 0."""
        seen, seen_with_sleep = self._monotonic(), self._awake_or_not()
        late = seen - self._seen - EVERY
        slept = (seen_with_sleep - self._seen_with_sleep) - (seen - self._seen)
        self._seen, self._seen_with_sleep = seen, seen_with_sleep
        stood = late if late > LAPSE else 0.0
        self._lost += stood
        lapse = stood + slept
        return lapse if lapse > LAPSE else 0.0

    def watch(self, loop: asyncio.AbstractEventLoop, lapsed: Callable[[float], None]) -> None:
        """Look from now on, and tell of every lapse."""
        lapse = self.look()
        if lapse:
            lapsed(lapse)
        self._timer = loop.call_later(EVERY, self.watch, loop, lapsed)

    def end(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
