"""Kept responses that the crawl file knows nothing of: a kill between the two commits leaves some, which go.

They are the last ones that were stored, for a cycle keeps its responses just before it commits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.query import row
from core.store.responses import Answered

if TYPE_CHECKING:
    import apsw

    from core.store.responses import Responses

KNOWN = "SELECT 1 FROM capture WHERE url_id = ? AND at = ?"
CLAIMED = "SELECT url_id, last_fetched, response FROM page WHERE response IS NOT NULL"
PIECE = 100  # more than a cycle stores: where so many in a row are known, so are all before them


def sweep_responses(connection: apsw.Connection, responses: Responses) -> None:
    """Let go of what the last engine kept and could not commit. The caller holds the engine lock."""
    if not responses.is_there:
        return
    if responses.knows_no_answers:
        responses.adopt(Answered(*fields) for fields in connection.execute(CLAIMED))
    before: int | None = None
    while found := responses.last_answers(before, PIECE):
        unknown = [number for number, each in found if row(connection, KNOWN, (each.url, each.at)) is None]
        if not unknown:
            return
        responses.forget(unknown)
        before = found[-1][0]
