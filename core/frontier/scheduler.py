"""The scheduler: which URL next, or when to ask again. Pure: times come in, nothing is read or written.

One queue a host (Mercator, Heydon and Najork 1999): a heap of hosts ordered by the time each may be asked
again, and a small buffer of URLs per host that the store refills. A large host never starves a small one, a
slow one never holds up another. Times are seconds on any one monotonic clock.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")
NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class Take(Generic[T]):
    """This item is due now; its slot and its host's are occupied until `release`."""

    host: int
    item: T


@dataclass(frozen=True, slots=True)
class Refill:
    """The buffer of this host is empty: `supply` it, then ask again."""

    host: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is due before `until`; NEVER when only a release or new work can change that."""

    until: float


@dataclass(slots=True)
class _Host(Generic[T]):
    id: int
    delay: float
    not_before: float
    started: float = -NEVER  # its last start, or the one that is reserved
    before: float = -NEVER  # the start before that, for a start that was none
    buffer: deque[T] = field(default_factory=deque)
    exhausted: bool = True  # the store has nothing more
    in_flight: int = 0
    entry: float = NEVER  # the time of its valid heap entry

    @property
    def ready_at(self) -> float:
        return max(self.not_before, self.started + self.delay)

    def has_work(self) -> bool:
        return bool(self.buffer) or not self.exhausted


class Scheduler(Generic[T]):
    """`concurrency` slots in all, `per_host` requests at once to one host."""

    def __init__(self, concurrency: int, per_host: int) -> None:
        self.concurrency = concurrency
        self.per_host = per_host
        self.in_flight = 0
        self._hosts: dict[int, _Host[T]] = {}
        self._heap: list[tuple[float, int]] = []

    def next(self, now: float) -> Take[T] | Refill | Wait:
        """The next item whose host may be asked at `now`. Never blocks."""
        if self.in_flight >= self.concurrency:
            return Wait(NEVER)
        while self._heap:
            ready_at, host_id = self._heap[0]
            host = self._hosts.get(host_id)
            if host is None or host.entry != ready_at or not self._eligible(host):
                heapq.heappop(self._heap)
                if host is not None and host.entry == ready_at:
                    host.entry = NEVER
                continue
            if ready_at > now:
                return Wait(ready_at)
            if not host.buffer:
                return Refill(host_id)
            heapq.heappop(self._heap)
            host.entry = NEVER
            return self._take(host, now)
        return Wait(NEVER)

    def resize(self, concurrency: int, per_host: int) -> None:
        """Other limits from now on; what is in flight above them ends by itself."""
        self.concurrency = concurrency
        self.per_host = per_host
        for host in self._hosts.values():
            self._push(host)

    def knows(self, host: int) -> bool:
        return host in self._hosts

    def host(self, host: int, delay: float, ready_at: float) -> None:
        """Make a host known, or change its pace: `delay` between two starts, none before `ready_at`.

        The new delay counts from the last start: a host that becomes slower is not asked once more at the old pace.
        """
        known = self._hosts.get(host)
        if known is None:
            self._hosts[host] = _Host(host, delay, ready_at)
            return
        known.delay = delay
        known.not_before = max(known.not_before, ready_at)
        self._push(known)

    def delay(self, host: int) -> float:
        """Seconds between two starts at a host."""
        return self._hosts[host].delay

    def offer(self, host: int) -> None:
        """The store has work for this host (again)."""
        known = self._hosts[host]
        known.exhausted = False
        self._push(known)

    def supply(self, host: int, items: Iterable[T], *, exhausted: bool) -> None:
        """Answer a Refill."""
        known = self._hosts[host]
        known.buffer.extend(items)
        known.exhausted = exhausted
        self._push(known)

    def release(self, host: int) -> None:
        """A request's result is committed: its slot and its host's are free."""
        known = self._hosts[host]
        known.in_flight -= 1
        self.in_flight -= 1
        self._push(known)

    def skip(self, host: int) -> None:
        """The item just taken led to no request: its slot is free and the host's pace is as before."""
        known = self._hosts[host]
        known.started = known.before
        self.release(host)

    def occupy(self, host: int, now: float) -> float:
        """Reserve the host's next start within a running request (a redirect to itself); answers when."""
        known = self._hosts[host]
        start = max(now, known.ready_at)
        known.before, known.started = known.started, start
        self._push(known)
        return start

    def clear(self) -> list[tuple[int, T]]:
        """Forget all buffers (the rules changed) and offer their hosts again; answers what was in them."""
        dropped = [(host.id, item) for host in self._hosts.values() for item in host.buffer]
        for host in self._hosts.values():
            if host.buffer:
                host.buffer.clear()
                self.offer(host.id)
        return dropped

    def _take(self, host: _Host[T], now: float) -> Take[T]:
        item = host.buffer.popleft()
        host.in_flight += 1
        self.in_flight += 1
        host.before, host.started = host.started, now
        self._push(host)
        return Take(host.id, item)

    def _eligible(self, host: _Host[T]) -> bool:
        return host.in_flight < self.per_host and host.has_work()

    def _push(self, host: _Host[T]) -> None:
        ready_at = host.ready_at
        if host.entry != ready_at and self._eligible(host):
            host.entry = ready_at
            heapq.heappush(self._heap, (ready_at, host.id))
