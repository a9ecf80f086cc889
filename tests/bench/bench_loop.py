"""How late the engine's loop is while pages of 10 MB come in: `python tests/bench/bench_loop.py [pages]`. Not a test.

A ticker on the engine's own loop is due every 5 ms; its lateness is what every other host has to wait. The aim is less
than 250 ms at the worst.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from core.engine.engine import Engine
from core.store.crawl_file import create
from tests.core.engine.crawl import politeness, quick
from tests.core.engine.scripted_site import ScriptedSite, page

PAGES = 8
TICK = 0.005
WORDS = "Goods of all kinds for house, yard and harbour. " * 8
LINKS = "".join(f'<p>{WORDS}<a href="/x/{number}">link {number}</a></p>\n' for number in range(1000))


def heavy(number: int, octets: int) -> bytes:
    body = page(title=f"Heavy {number}") + LINKS.encode() * (octets // len(LINKS))
    return body[: octets - 100]


async def measured(engine: Engine) -> list[float]:
    """Lateness of each tick in seconds, while the engine runs."""
    late: list[float] = []

    async def tick() -> None:
        while True:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            late.append(time.monotonic() - due)

    ticker = asyncio.create_task(tick())
    await engine.run()
    ticker.cancel()
    return late


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    for octets in (200_000, 2_000_000, 9_900_000):
        with tempfile.TemporaryDirectory() as name, ScriptedSite() as site:
            site.answers["/"] = page(*(f"/heavy/{number}" for number in range(pages)))
            site.answers |= {f"/heavy/{number}": heavy(number, octets) for number in range(pages)}
            path = Path(name) / "a.crawl"
            create(path, quick(f"{site.root}/", politeness=politeness(robots=False, concurrency=4)))
            started = time.monotonic()
            late = sorted(asyncio.run(measured(Engine(path))))
            seconds = time.monotonic() - started
        worst, typical = late[-1] * 1000, late[int(len(late) * 0.99)] * 1000
        print(f"{octets / 1e6:4.1f} MB a page: {seconds:5.1f} s, worst lateness {worst:.0f} ms, p99 {typical:.0f} ms")


if __name__ == "__main__":
    main()
