"""Exact copies: "content seen" is another check than "URL seen".

A copy points to the first page with its body, of its own tenant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.relaxed import COPY
from core.store.query import rows, value
from core.store.write.refusal_counts import MARKED, NOT_MARKED

if TYPE_CHECKING:
    import apsw

    from core.store.results import Parsed

FIRST = """
SELECT url_id FROM page WHERE content_hash = ?1 AND url_id <> ?2 AND duplicate_of IS NULL AND alias_of IS NOT ?2
AND (status BETWEEN 200 AND 299 OR status = 304)
AND (SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = url_id) = ?3 LIMIT 1"""

READ_AGAIN = f"UPDATE refusal_count SET again = {MARKED} WHERE found_on = ? AND word = ? AND again = {NOT_MARKED}"


class Copies:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def first(self, number: int, parsed: Parsed | None) -> int | None:
        """The first page with this very body, or None where this page is it, or where the first is its alias."""
        return self.first_with(parsed.content_hash, number) if parsed else None

    def first_with(self, content_hash: bytes | None, number: int) -> int | None:
        """The same by the hash of the body."""
        if content_hash is None:
            return None
        first: int | None = value(self._connection, FIRST, (content_hash, number, self._tenant))
        return first

    def left(self, number: int, content_hash: bytes | None) -> None:
        """A page has another body now: of those that pointed to it, the oldest is the first one from here on.

        Its links, which were not followed while it was a copy, are read now.
        """
        sql = "SELECT url_id FROM page WHERE content_hash = ? AND duplicate_of = ? ORDER BY url_id"
        copies = [copy for (copy,) in rows(self._connection, sql, (content_hash, number))]
        if copies:
            heir = copies[0]
            self._connection.executemany(
                "UPDATE page SET duplicate_of = ? WHERE url_id = ?",
                [(None if copy == heir else heir, copy) for copy in copies],
            )
            self._connection.execute(READ_AGAIN, (heir, COPY))
