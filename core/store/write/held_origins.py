"""Origins out of reach, as the scheduler sees them: which wait until when, and of which one URL at a time is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.frontier.scheduler import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class HeldOrigins:
    """`wake` is told of every origin that may be asked again. Times are wall times, steady within a session."""

    def __init__(self, wake: Callable[[int], None]) -> None:
        self._wake = wake
        self._until: dict[int, float] = {}  # the next try; NEVER while one is under way
        self._trying: set[int] = set()

    def __contains__(self, origin: int) -> bool:
        """Whether nothing of it may be asked now."""
        return origin in self._until

    def __iter__(self) -> Iterator[int]:
        return iter(self._until)

    @property
    def dues(self) -> list[float]:
        """When each may be asked again."""
        return list(self._until.values())

    def hold(self, origin: int, until: float) -> None:
        """It cannot be reached: nothing of it is asked until then, and then one URL."""
        self._until[origin] = until
        self._trying.add(origin)

    def asked(self, origin: int) -> None:
        """A URL of it was leased: where one at a time is asked, the others wait for what comes of it."""
        if origin in self._trying:
            self._until[origin] = NEVER

    def reached(self, origin: int) -> None:
        """It answers (again)."""
        self._trying.discard(origin)
        self.try_again(origin)

    def try_again(self, origin: int) -> None:
        """A request told nothing of it: where one at a time is asked, the next may be."""
        if self._until.pop(origin, None) is not None:
            self._wake(origin)

    def open_due(self, at: float) -> None:
        """The time of some has come."""
        for origin, until in list(self._until.items()):
            if until <= at:
                self.try_again(origin)

    def release(self) -> None:
        """The network is back: whoever could not be reached may be asked as ever."""
        self._trying.clear()
        for origin in tuple(self._until):
            self.try_again(origin)
