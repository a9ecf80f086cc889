"""Which wishes belong to the newest session: those left since it began, whatever the clocks of their writers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import value

if TYPE_CHECKING:
    import apsw

    from core.store.names import WishKind

WISHED_BEFORE = "wished_before"  # in meta: the last wish that was there as the newest session began


def wished_since(
    connection: apsw.Connection, kind: WishKind, started: float | None, *, still_open: bool = False
) -> bool:
    """Whether this was wished in the newest session, and, by choice, not done yet.

    Wishes are told apart by their numbers, for the window's clock may have been set since. Files in which no engine has
    noted the number go by the time the session `started`.
    """
    before = value(connection, "SELECT value FROM meta WHERE name = ?", (WISHED_BEFORE,))
    later, limit = ("at >= ?", started or 0.0) if before is None else ("id > ?", int(before))
    undone = " AND done IS NULL" if still_open else ""
    found: int = value(connection, f"SELECT count(*) FROM wish WHERE kind = ? AND {later}{undone}", (kind, limit), 0)
    return found > 0
