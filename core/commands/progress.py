"""The progress line of `run` on a terminal."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.commands.words import size
from core.store.read.reader import Reader
from core.store.words import quantity

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from core.engine.ending import Ending
    from core.store.rows import Status

EVERY = 0.5  # seconds


async def with_progress(path: Path, engine: Coroutine[Any, Any, Ending]) -> Ending:
    """Run an engine and show a line about it that is written over twice a second."""
    reader = Reader(path)
    drawing = asyncio.create_task(_draw(reader))
    try:
        return await engine
    finally:
        drawing.cancel()
        _write(progress_line(reader.status()) + "\n")
        reader.close()


async def _draw(reader: Reader) -> None:
    while True:
        _write(progress_line(reader.status()))
        await asyncio.sleep(EVERY)


def progress_line(status: Status) -> str:
    """One line of at most 100 characters: state, pages, frontier, speed, bytes, records."""
    speed = f"{status.pages_per_second:.1f}/s" if status.pages_per_second is not None else "-"
    failed = status.urls.get("failed", 0)
    parts = [
        f"{status.state:<9}",
        quantity(status.pages, "page"),
        f"{status.frontier:,} in the frontier",
        speed,
        size(status.bytes),
        quantity(status.records, "record"),
        *([f"{failed:,} failed"] if failed else []),
    ]
    return "  ".join(parts)[:100]


def _write(line: str) -> None:
    with suppress(OSError):  # a terminal that has gone does not end a crawl
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
