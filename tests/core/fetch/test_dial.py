"""What is checked is what is connected to, and no connection takes longer than its share of the deadline."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import core.fetch.dial
from core.fetch.client import Client
from core.fetch.resolve import KEPT
from core.fetch.secrets import Secrets
from core.settings import CrawlSettings
from core.urls.url import Url
from tests.core.fetch.raw_server import request

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fetch.response import Fetched

PUBLIC, PRIVATE = "93.184.216.34", "127.0.0.3"
EVIL = Url("http", "rebinds.test", 80, "/")


class Names:
    """A name server that answers with the next list at every look-up."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self.asked = 0
        self._answers = answers

    def __call__(self, _: str) -> tuple[str, ...]:
        self.asked += 1
        return self._answers[min(self.asked, len(self._answers)) - 1]


def fetched_through(
    names: Callable[[str], tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
    urls: tuple[Url, ...],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[list[Fetched], list[str]]:
    """The answers, and every address that was connected to; nothing leaves the machine."""
    connected: list[str] = []

    async def run() -> list[Fetched]:
        async def connect(_: object, address: str, *__: object, **___: Any) -> Any:
            connected.append(address)
            raise ConnectionRefusedError(111, "Connection refused")

        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", connect)
        secrets = Secrets({}, lambda _: None)
        async with Client(CrawlSettings(), frozenset(), secrets, lookup=names, clock=clock) as ours:
            return [await ours.fetch(request(url)) for url in urls]

    return asyncio.run(run()), connected


def test_a_name_is_looked_up_once_for_check_and_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names((PUBLIC,), (PRIVATE,))
    answers, connected = fetched_through(names, monkeypatch, (EVIL,))
    assert connected == [PUBLIC]
    assert names.asked == 1
    assert answers[0].outcome == "error:connect"


def test_a_name_that_turns_private_later_is_blocked_then(monkeypatch: pytest.MonkeyPatch) -> None:
    names, now = Names((PUBLIC,), (PRIVATE,)), iter(range(0, 100_000, int(KEPT) + 1))
    answers, connected = fetched_through(names, monkeypatch, (EVIL, EVIL), lambda: float(next(now)))
    assert connected == [PUBLIC]
    assert answers[1].outcome == "error:blocked"
    assert (answers[1].error or "").startswith("private:")


def test_private_addresses_among_public_ones_are_never_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    _, connected = fetched_through(Names((PRIVATE, PUBLIC, "::ffff:10.0.0.1", "::1")), monkeypatch, (EVIL,))
    assert connected == [PUBLIC]


@pytest.mark.parametrize("host", ["127.0.0.3", "[::ffff:7f00:3]", "[::1]", "169.254.169.254", "[fd00:ec2::254]"])
def test_an_address_needs_no_name_server_to_be_refused(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    names = Names((PUBLIC,))
    answers, connected = fetched_through(names, monkeypatch, (Url("http", host, 80, "/"),))
    assert (answers[0].outcome, connected, names.asked) == ("error:blocked", [], 0)


def test_a_name_server_that_hangs_is_given_up_within_the_time_for_a_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core.fetch.dial, "CONNECT", 0.1)
    released = threading.Event()

    def hangs(_: str) -> tuple[str, ...]:
        released.wait(10)
        return ()

    began = time.monotonic()
    answers, connected = fetched_through(hangs, monkeypatch, (EVIL,))
    released.set()
    assert (answers[0].outcome, connected) == ("error:timeout", [])
    assert time.monotonic() - began < 3


def test_an_address_that_never_answers_is_given_up_within_the_time_for_a_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(core.fetch.dial, "CONNECT", 0.1)

    async def run() -> Fetched:
        async def never(*_: object, **__: object) -> Any:
            await asyncio.Event().wait()

        monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", never)
        async with Client(CrawlSettings(), frozenset(), Secrets({}, lambda _: None), lookup=Names((PUBLIC,))) as ours:
            return await ours.fetch(request(EVIL))

    fetched = asyncio.run(run())
    assert fetched.outcome == "error:timeout"
    assert "No connection" in (fetched.error or "")
    assert not fetched.reached
