"""The depth of a URL is the shortest way to it that is known.

When a shorter one is found, the depths of everything that was found behind it follow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.store.query import rows
from core.store.write.refusals import COLUMNS, Refusal

if TYPE_CHECKING:
    import apsw

CHILDREN = """
SELECT id FROM url WHERE found_on = ?1 AND depth > ?2
UNION SELECT url.id FROM link JOIN url ON url.id = link.target WHERE link.source = ?1 AND url.depth > ?2"""
REDIRECTED = "SELECT redirect_to IS NOT NULL FROM page WHERE url_id = ?"
CANONICAL = "SELECT alias_of FROM page WHERE url_id = ? AND alias_of IS NOT NULL"
REFUSED = f"""
UPDATE refused SET depth = ?2 WHERE depth > ?2 AND (found_on = ?1
    OR id IN (SELECT -target FROM link WHERE source = ?1 AND target < 0))
RETURNING {COLUMNS}"""
NEARER = "UPDATE url SET depth = ?2, depth_apart = min(depth_apart, ?2) WHERE id = ?1 AND depth > ?2"
NEARER_FOR_NOW = "UPDATE url SET depth_apart = coalesce(depth_apart, depth), depth = ?2 WHERE id = ?1 AND depth > ?2"


@dataclass(slots=True)
class Nearer:
    """What came nearer by a shorter way: refusals with their new depth, and pages with that of their links."""

    refusals: list[Refusal] = field(default_factory=list)
    pages: list[tuple[int, int]] = field(default_factory=list)


def shorten(connection: apsw.Connection, number: int, depth: int, *, for_now: bool = False) -> Nearer:
    """Bring a URL and its descendants to their new depths. `for_now`: each keeps beside it the depth it had."""
    nearer = Nearer()
    todo = [(number, depth)]
    while todo:
        number, depth = todo.pop()
        connection.execute(NEARER_FOR_NOW if for_now else NEARER, (number, depth))
        if not connection.changes():
            continue
        below = depth if any(redirected for (redirected,) in rows(connection, REDIRECTED, (number,))) else depth + 1
        nearer.refusals += [Refusal(*fields) for fields in rows(connection, REFUSED, (number, below))]
        nearer.pages.append((number, below))
        named = [(target, depth) for (target,) in rows(connection, CANONICAL, (number,))]
        todo += [(child, below) for (child,) in rows(connection, CHILDREN, (number, below))]
        todo += named  # taken up first: a canonical page is as deep as its alias
    return nearer
