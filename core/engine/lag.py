"""How late the engine's own loop is: the longest time that one piece of work kept every other host waiting."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

EVERY = 0.05  # seconds between two looks: twenty a second cost nothing, and no stall worth telling hides between them
TOO_LONG = 1.0  # seconds


class Lag:
    """Looks at the clock in even steps; what a look comes too late was somebody else's. `clock` is monotonic.

    `longest` is the worst of the session in seconds. A process that was stopped from outside is late too.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.longest = 0.0
        self._clock = clock
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin; once more from every look."""
        self._due = self._clock() + EVERY
        self._timer = loop.call_later(EVERY, self._look, loop)

    def end(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def level(self) -> str:
        """How much the worst is worth in the log."""
        return "warning" if self.longest > TOO_LONG else "info"

    @property
    def sentence(self) -> str:
        """The worst in words."""
        return f"No host waited longer than {self.longest:.3f} s for the engine's own work (its loop's largest lag)."

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        self.longest = max(self.longest, self._clock() - self._due)
        self.watch(loop)
