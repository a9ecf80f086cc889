"""What a crawl that has nothing more to do leaves undone: the reason it ends before the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows, value
from core.store.robots import UNREACHABLE
from core.store.sweeps import LIMITS

if TYPE_CHECKING:
    import apsw


def leftovers(connection: apsw.Connection) -> str:
    """Which limit or host, where, and how many URLs; empty where the crawl is finished."""
    sql = "SELECT reason, count(*) FROM refused WHERE word IN (?, ?, ?) GROUP BY reason ORDER BY 2 DESC LIMIT 1"
    for reason, count in rows(connection, sql, LIMITS):
        where = _where(connection, reason)
        return f"{reason}{'' if ':' in reason else ':'} {count:,} URLs left{where}"
    blocked = value(connection, "SELECT count(*) FROM url WHERE state = 6 AND reason = ?", (UNREACHABLE,), 0)
    return f"unreachable: {blocked:,} URLs left, their robots.txt cannot be had" if blocked else ""


def _where(connection: apsw.Connection, reason: str) -> str:
    if not reason.startswith("host-limit"):
        return ""
    url = value(connection, "SELECT url FROM refused WHERE reason = ? LIMIT 1", (reason,), "")
    return f" at {url.split('/')[2]}" if url.count("/") > 1 else ""
