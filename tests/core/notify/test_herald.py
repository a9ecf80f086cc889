"""A herald: in order, at least once, never in the way, and an alarm where it does not get through."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from core.notify.herald import LONGEST_WAIT, Herald
from core.notify.way import Undelivered
from tests.core.notify.notices import MemoryOutbox, notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.notices import Notice


class Ear:
    """A way that hears; the first so many times it does not."""

    name = "webhook"
    most = 2

    def __init__(self, deaf: int = 0, after: float = 0.0) -> None:
        self.heard: list[str] = []
        self.tries = 0
        self.closed = False
        self._deaf = deaf
        self._after = after

    async def deliver(self, notices: Sequence[Notice]) -> None:
        self.tries += 1
        if self.tries <= self._deaf:
            raise Undelivered("It is deaf.", self._after)
        self.heard += [each.key for each in notices]

    async def close(self) -> None:
        self.closed = True


def herald(ear: Ear, outbox: MemoryOutbox, *, closing: bool = True) -> Herald:
    event = asyncio.Event()
    if closing:
        event.set()
    return Herald(ear, outbox, event, lambda: 0.5)


def test_all_that_waits_is_told_in_order_and_then_it_ends() -> None:
    ear, outbox = Ear(), MemoryOutbox([notice(number) for number in range(1, 6)])
    asyncio.run(herald(ear, outbox).run())
    assert ear.heard == [f"r{number}:1" for number in range(1, 6)]
    assert (outbox.cursor, ear.closed, outbox.recoveries) == (5, True, 1)


def test_killed_between_delivery_and_cursor_it_tells_again_with_the_same_key() -> None:
    ear, outbox = Ear(), MemoryOutbox([notice(1), notice(2), notice(3)], dies=True)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(herald(ear, outbox).run())
    outbox.dies = False
    asyncio.run(herald(ear, outbox).run())
    assert ear.heard == ["r1:1", "r2:1", "r1:1", "r2:1", "r3:1"]


def test_at_the_end_a_receiver_that_fails_keeps_nobody_waiting() -> None:
    ear, outbox = Ear(deaf=99), MemoryOutbox([notice(1)])
    asyncio.run(herald(ear, outbox).run())
    assert (ear.tries, outbox.cursor) == (1, 0)
    assert outbox.complaints[0].endswith("It is deaf.")


@pytest.mark.parametrize(("after", "longest"), [(0.0, LONGEST_WAIT), (500.0, 500.0)])
def test_it_waits_longer_each_time_and_complains_at_the_third_failure(
    monkeypatch: pytest.MonkeyPatch, after: float, longest: float
) -> None:
    waits: list[float] = []
    outbox = MemoryOutbox([notice(1)])
    ear = Ear(deaf=12, after=after)
    told = herald(ear, outbox, closing=False)

    async def pause(seconds: float) -> None:
        waits.append(seconds)
        if ear.heard:
            raise asyncio.CancelledError

    monkeypatch.setattr(told, "_pause", pause)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(told.run())
    failed = waits[:12]
    assert failed == sorted(failed)
    assert failed[-1] == longest
    assert len(outbox.complaints) == 10
    assert ear.heard == ["r1:1"]
    assert outbox.recoveries == 1


def test_a_fault_of_ours_is_told_too_and_ends_nothing() -> None:
    class Broken(Ear):
        async def deliver(self, notices: Sequence[Notice]) -> None:
            raise ZeroDivisionError(f"{len(notices)} / 0")

    outbox = MemoryOutbox([notice(1)])
    asyncio.run(herald(Broken(), outbox).run())
    assert "ZeroDivisionError" in outbox.complaints[0]
