"""Connections that hang, drip, break or never begin."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.system.torture.fault import HEAD, OK, SMALL, Fault, document, raw

if TYPE_CHECKING:
    from tests.system.torture.visit import Visit

TIMEOUT = ("error:timeout",)
CUT = ("error:timeout", "truncated")


async def _resets(visit: Visit) -> None:
    visit.reset()


async def _resets_within(visit: Visit) -> None:
    await visit.send(HEAD + b"Content-Length: 100000\r\n\r\n" + b"x" * 1000)
    await asyncio.sleep(0.1)
    visit.reset()


async def _resets_once(visit: Visit) -> None:
    if visit.count == 1:
        visit.reset()
    await visit.reply(200, document("ok", "x"))


async def _hangs(visit: Visit) -> None:
    await visit.hang()


async def _slow_headers(visit: Visit) -> None:
    await visit.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await visit.send(b"X")
        await visit.pause(1)


async def _slow_body(visit: Visit) -> None:
    await visit.send(HEAD + b"Connection: close\r\n\r\n<html>")
    while True:
        await visit.send(b"x")
        await visit.pause(1)


async def _slow_but_good(visit: Visit) -> None:
    await visit.pause(3)
    await visit.reply(200, document("slow ok", "fine"))


async def _stalls(visit: Visit) -> None:
    await visit.send(HEAD + b"Content-Length: 2000\r\n\r\n" + b"y" * 1000)
    await visit.hang()


async def _continues(visit: Visit) -> None:
    while True:
        await visit.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 20)
        await visit.pause(0.05)


_HALF = HEAD + b"Content-Length: 100000\r\n\r\n" + b"x" * 1000
_HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 1000
_WHOLE = HEAD + b"Content-Length: %d\r\n\r\n" % len(SMALL) + SMALL

FAULTS = (
    Fault("reset-before-response", "network", "a reset instead of an answer", ("error:disconnect",), _resets),
    Fault("reset-mid-body", "network", "a reset in the body", ("error:disconnect", "truncated"), _resets_within),
    raw("truncated-body", "network", "an early end of the body", _HALF, ("error:disconnect", "truncated")),
    Fault("hang", "network", "takes the request and never answers", TIMEOUT, _hangs, slow=True),
    Fault("slow-headers", "network", "a byte of the head every second", TIMEOUT, _slow_headers, slow=True),
    Fault("slow-body", "network", "a byte of the body every second", CUT, _slow_body, slow=True),
    Fault("slow-ok", "network", "three seconds, then a good page", OK, _slow_but_good),
    Fault("stall-mid-body", "network", "half a body, then silence", CUT, _stalls, slow=True),
    raw("early-hints-flood", "network", "1000 times 103 before the 200", _HINTS + _WHOLE, ("ok", "error:protocol")),
    Fault("continue-forever", "network", "100 Continue without end", (*TIMEOUT, "error:protocol"), _continues),
    Fault("reset-flap", "retry", "a reset once, then 200", OK, _resets_once),
)
