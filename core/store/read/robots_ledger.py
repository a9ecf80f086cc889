"""Every robots.txt a crawl was ever given, as it is kept: for the tester of the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import row, rows
from core.store.read.functions import decoded
from core.store.read.look import look_into

if TYPE_CHECKING:
    from pathlib import Path

_VERSIONS = """SELECT v.id, o.base, v.status, v.first_seen, v.last_seen, o.robots_version = v.id
    FROM robots_version v JOIN origin o ON o.id = v.origin_id ORDER BY o.base, v.id DESC"""


@dataclass(frozen=True, slots=True)
class KeptRobots:
    """One version: its origin (`scheme://host[:port]`), the answer's status, when it was first and last seen (Unix
    time), and whether it is the one in force."""

    id: int
    origin: str
    status: int | None
    first_seen: float
    last_seen: float
    in_force: bool


def kept_robots(path: Path) -> tuple[KeptRobots, ...]:
    """All versions by origin, of each the newest first."""
    with look_into(path) as connection:
        found = rows(connection, _VERSIONS)
    return tuple(
        KeptRobots(number, origin, status, first, last, bool(in_force))
        for number, origin, status, first, last, in_force in found
    )


def robots_text(path: Path, number: int) -> str:
    """The text of a version; empty where there is no such version or it has none."""
    with look_into(path) as connection:
        found = row(connection, "SELECT body FROM robots_version WHERE id = ?", (number,))
        return (decoded(bytes(found[0] or b"")) or "") if found else ""
