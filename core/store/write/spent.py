"""Whether the crawl has used up what it may: of seconds, of bytes. Limits on pages are in limits.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import value

if TYPE_CHECKING:
    import apsw

    from core.settings import Budgets


def used_up(connection: apsw.Connection, budgets: Budgets, elapsed: float) -> str:
    """The reason to end, or nothing. `elapsed` is seconds of running since the crawl began."""
    if budgets.max_seconds and elapsed >= budgets.max_seconds:
        return f"seconds: {budgets.max_seconds:g} used up"
    if budgets.max_bytes:
        used = value(connection, "SELECT value FROM counter WHERE name = 'bytes' AND run = 0", default=0)
        if used >= budgets.max_bytes:
            return f"bytes: {budgets.max_bytes:,} used up"
    return ""
