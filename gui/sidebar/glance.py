"""A short look at a crawl that is not open: enough for one line of the sidebar, and cheap."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import FileMissing, FronteiraError
from core.store.lock import holder
from core.store.names import CrawlState
from core.store.read.reader import Reader

if TYPE_CHECKING:
    from core.store.rows import Status

Stamp = tuple[tuple[int, int], tuple[int, int], int]
ABSENT = (0, 0)


@dataclass(frozen=True, slots=True)
class Glance:
    """One crawl as the sidebar shows it; `fault` is a sentence where the file cannot be read."""

    path: Path
    name: str
    state: str = CrawlState.IDLE
    reason: str = ""
    pages: int = 0
    alarms: int = 0
    ended: float | None = None
    missing: bool = False
    fault: str = ""
    next_run: float | None = None  # by the schedule, seconds since the epoch
    overdue: bool = False
    rests: bool = False  # it has come to its end: nothing that could be fetched is left


def from_status(path: Path, status: Status) -> Glance:
    """The same line, from what is already known of an open crawl."""
    name = status.name or path.stem
    ended = status.state == CrawlState.FINISHED
    return Glance(
        *(path, name, status.state, status.reason, status.pages, len(status.alarms), status.ended),
        next_run=status.next_run,
        overdue=status.overdue(time.time()),
        rests=status.engine is None and (ended or (status.state == CrawlState.STOPPED and not status.frontier)),
    )


def stamp(path: Path) -> Stamp:
    """Changes when the file, its log or its engine does: nothing is opened while nothing happened."""
    held = holder(path)
    return _mark(path), _mark(Path(f"{path}-wal")), held.pid if held else 0


def look(path: Path) -> Glance:
    """Read the line from the file. Never raises a fault of the world: it is part of the line."""
    try:
        reader = Reader(path)
        try:
            return from_status(path, reader.status())
        finally:
            reader.close()
    except FileMissing:
        return Glance(path, path.stem, missing=True)
    except FronteiraError as fault:
        return Glance(path, path.stem, fault=str(fault))


def _mark(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return ABSENT
    return found.st_mtime_ns, found.st_size
