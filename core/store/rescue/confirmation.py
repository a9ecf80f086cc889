"""Settings that a salvage left out of force: they stay in the file until the analyst confirms them or writes others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import decode
from core.store.names import UNCONFIRMED
from core.store.query import value
from core.store.read.look import look_into
from core.store.rescue.caution import cautious

if TYPE_CHECKING:
    from pathlib import Path

    from core.errors import Problem
    from core.settings import CrawlSettings


def unconfirmed(path: Path) -> tuple[CrawlSettings, tuple[Problem, ...]] | None:
    """The whole settings that came with the rescued rows, and what of them is not in force; None where nothing waits.

    To confirm them, put them in force: `Wishes.set_settings`. With any newer settings nothing waits any more.
    """
    with look_into(path) as connection:
        version = value(connection, "SELECT CAST(value AS INTEGER) FROM meta WHERE name = ?", (UNCONFIRMED,))
        newest = value(connection, "SELECT max(version) FROM setting")
        if version is None or newest != version + 1:
            return None
        settings = decode(value(connection, "SELECT json FROM setting WHERE version = ?", (version,)))
    return settings, cautious(settings)[1]
