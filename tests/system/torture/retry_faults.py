"""Servers that ask for a rest, in every way the header can be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.fault import OK, Fault, document

if TYPE_CHECKING:
    from tests.system.torture.visit import Visit

RESTS = {
    "huge": "99999999",
    "negative": "-5",
    "text": "soon",
    "date-past": "Mon, 01 Jan 1990 00:00:00 GMT",
    "nan": "nan",
    "date-future": "Fri, 31 Dec 9999 23:59:59 GMT",
}


def _rests(name: str, value: str) -> Fault:
    async def answer(visit: Visit) -> None:
        await visit.reply(503, b"no", headers=(("Retry-After", value),))

    return Fault(f"503-retry-{name}", "retry", f"503 with Retry-After: {value}", OK, answer)


async def _flaps(visit: Visit) -> None:
    await visit.reply(500 if visit.count <= 2 else 200, document("flap", "x"))


async def _fails(visit: Visit) -> None:
    await visit.reply(500, b"no")


FAULTS = (
    *(_rests(name, value) for name, value in RESTS.items()),
    Fault("500-flap", "retry", "500 twice, then 200", OK, _flaps),
    Fault("500-always", "retry", "500 always", OK, _fails),
)
