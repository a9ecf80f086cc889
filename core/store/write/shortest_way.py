"""The depth of a URL is the shortest way to it that is known.

When a shorter one is found, the depths of everything that was found behind it follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import rows
from core.store.write.refusals import Refusal

if TYPE_CHECKING:
    import apsw

CHILDREN = """
SELECT id FROM url WHERE found_on = ?1 AND depth > ?2
UNION SELECT url.id FROM link JOIN url ON url.id = link.target WHERE link.source = ?1 AND url.depth > ?2"""
REDIRECTED = "SELECT redirect_to IS NOT NULL FROM page WHERE url_id = ?"
CANONICAL = "SELECT alias_of FROM page WHERE url_id = ? AND alias_of IS NOT NULL"
REFUSED = """
UPDATE refused SET depth = ?2 WHERE depth > ?2 AND (found_on = ?1
    OR id IN (SELECT -target FROM link WHERE source = ?1 AND target < 0))
RETURNING id, url, depth, found_on, seed, reason"""


def shorten(connection: apsw.Connection, number: int, depth: int) -> list[Refusal]:
    """Bring a URL and its descendants to their new depths; answers the refusals that came nearer by it."""
    nearer: list[Refusal] = []
    todo = [(number, depth)]
    while todo:
        number, depth = todo.pop()
        connection.execute("UPDATE url SET depth = ?2 WHERE id = ?1 AND depth > ?2", (number, depth))
        if not connection.changes():
            continue
        below = depth if any(redirected for (redirected,) in rows(connection, REDIRECTED, (number,))) else depth + 1
        nearer += [Refusal(*fields) for fields in rows(connection, REFUSED, (number, below))]
        named = [(target, depth) for (target,) in rows(connection, CANONICAL, (number,))]
        todo += [(child, below) for (child,) in rows(connection, CHILDREN, (number, below))]
        todo += named  # taken up first: a canonical page is as deep as its alias
    return nearer
