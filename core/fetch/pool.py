"""Connections that wait for their next request, by where they lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.fetch.connection import Connection

    Place = tuple[str, str, int]

KEPT = 30.0  # seconds without a request; most servers give up sooner or at a minute
MOST_IDLE = 256
_SWEPT_EVERY = 10.0


class Pool:
    """Keeps idle connections for half a minute. Times are the caller's, in seconds on one clock."""

    def __init__(self) -> None:
        self._idle: dict[Place, list[tuple[float, Connection]]] = {}
        self._count = 0
        self._swept = 0.0

    def take(self, place: Place, now: float) -> Connection | None:
        """The connection to this place that was used last, if one still stands."""
        waiting = self._idle.get(place)
        while waiting:
            since, connection = waiting.pop()
            self._count -= 1
            if connection.free and now - since <= KEPT:
                return connection
            connection.close()
        self._idle.pop(place, None)
        return None

    def give(self, place: Place, connection: Connection, now: float) -> None:
        """Keep a free connection for later."""
        self._idle.setdefault(place, []).append((now, connection))
        self._count += 1
        if now - self._swept > _SWEPT_EVERY or self._count > MOST_IDLE:
            self._sweep(now)

    def clear(self) -> None:
        """Close them all."""
        for waiting in self._idle.values():
            for _, connection in waiting:
                connection.close()
        self._idle.clear()
        self._count = 0

    def _sweep(self, now: float) -> None:
        """Close what has waited too long, and the longest waiting where there are too many."""
        self._swept = now
        every = sorted(
            ((since, place, connection) for place, waiting in self._idle.items() for since, connection in waiting),
            key=lambda entry: entry[0],
        )
        self._idle.clear()
        self._count = 0
        surplus = len(every) - MOST_IDLE * 3 // 4
        for position, (since, place, connection) in enumerate(every):
            if position < surplus or now - since > KEPT or not connection.free:
                connection.close()
            else:
                self._idle.setdefault(place, []).append((since, connection))
                self._count += 1
