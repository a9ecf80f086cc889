"""Which URLs a crawl would find today: what the seeds and sources name, and what links lead to from there.

Links of pages that failed count as they were seen last: a bad hour makes nobody unfindable. One byte a known URL.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.query import rows, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import apsw

    from core.store.named_pages import NamedPages

CHUNK = 1_000  # URLs whose links are read at once

SEEDS = "SELECT id FROM url WHERE seed"
MENTIONED = """
WITH RECURSIVE alive(id, fetched) AS (
    SELECT id, fetched FROM seed_source WHERE listed OR parent_id IS NULL UNION
    SELECT s.id, s.fetched FROM alive JOIN seed_source s ON s.parent_id = alive.id
    WHERE s.kind = 'archive' OR s.fetched >= alive.fetched)
SELECT url_id FROM mention JOIN alive ON source_id = alive.id"""
LINKED = "SELECT target FROM json_each(?1) JOIN link ON source = value WHERE target > 0"
STANDS_FOR = """
SELECT coalesce(same_as, alias_of) FROM json_each(?1) JOIN url ON url.id = value LEFT JOIN page ON url_id = url.id
WHERE coalesce(same_as, alias_of) IS NOT NULL"""
# An alias stands for the end of a chain: what it names itself may lie between.
NAMED = """
SELECT canonical FROM json_each(?1) JOIN page ON url_id = value JOIN url ON url.id = url_id
JOIN origin ON origin.id = origin_id
WHERE canonical IS NOT NULL AND canonical <> origin.base || url.path AND canonical IS NOT
    (SELECT base || path FROM url stood JOIN origin ON origin.id = stood.origin_id WHERE stood.id = alias_of)"""


class Reached:
    """Computed once, from the rows as they are; `number in reached` for an id of a URL.

    Of a million pages it takes half a minute: it is `whole` unless `stopping` said meanwhile to give it up.
    """

    def __init__(
        self, connection: apsw.Connection, named: NamedPages, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        self._connection = connection
        self._named = named
        self._marks = bytearray(1 + int(value(connection, "SELECT max(id) FROM url", default=0)))
        ahead = list(self._new(self._beginnings()))
        while ahead and not stopping():
            chunk, ahead = ahead[-CHUNK:], ahead[:-CHUNK]
            ahead += self._new(self._beyond(json.dumps(chunk)))
        self.whole = not ahead

    def __contains__(self, number: int) -> bool:
        return number < len(self._marks) and bool(self._marks[number])

    def _new(self, found: Iterable[int]) -> Iterator[int]:
        for number in found:
            if number < len(self._marks) and not self._marks[number]:
                self._marks[number] = 1
                yield number

    def _beginnings(self) -> Iterator[int]:
        for sql in (SEEDS, MENTIONED):
            yield from (number for (number,) in self._connection.execute(sql))

    def _beyond(self, chunk: str) -> Iterator[int]:
        for sql in (LINKED, STANDS_FOR):
            yield from (number for (number,) in self._connection.execute(sql, (chunk,)))
        for (text,) in rows(self._connection, NAMED, (chunk,)):
            key = self._named.key(text)
            known = self._named.find(key) if key is not None else None
            if known is not None:
                yield known[0]
