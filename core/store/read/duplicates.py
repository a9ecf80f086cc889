"""Which pages say the same: exact copies, and pages whose texts are near one another, each group behind its first page.

Worked out on demand, into a temporary table, from what the pages' rows say (hash of the body, SimHash of the text), so
that a crawl stores nothing for it and another distance needs no new crawl. Of a million pages: some eleven seconds of
a processor, half of it the clusters (core/identity/clusters.py); a table that stands is not made again before ten times
as long is over.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.identity import differing_share, hamming
from core.store.query import value
from core.store.read.columns import Column, TableSpec
from core.store.read.expressions import ORIGIN, URL, address, hex_text, state_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import apsw

SPARE = 10  # times as long as it took, until it is made again
PIECE = 10_000  # rows between two looks at whether it is wanted still

MAKE = """
CREATE TEMP TABLE IF NOT EXISTS duplicate(
    url_id INTEGER PRIMARY KEY, first INTEGER, kind TEXT, distance INTEGER, share REAL, members INTEGER)"""
FILL = "INSERT INTO temp.duplicate VALUES (?, ?, ?, ?, ?, ?)"
PAGES = """
SELECT url_id, duplicate_of, simhash FROM page
WHERE (status BETWEEN 200 AND 299 OR status = 304) AND soft_block = 0
    AND (duplicate_of IS NOT NULL OR simhash IS NOT NULL)
    AND (SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = url_id)
        = (SELECT json ->> '$.tenant' FROM setting ORDER BY version DESC LIMIT 1)
ORDER BY url_id LIMIT ?"""

DUPLICATES = TableSpec(
    "duplicates",
    "Duplicates",
    base="temp.duplicate d",
    joins=f"LEFT JOIN url u ON u.id = d.url_id {ORIGIN} LEFT JOIN page p ON p.url_id = d.url_id",
    keys=("d.url_id",),
    searched=("url", "first", "title"),
    latest="SELECT max(id) FROM capture",
    arrival="(SELECT max(c.id) FROM capture c WHERE c.url_id = d.url_id)",
    made=True,
    columns=(
        Column("url", "URL", "url", URL, width=320),
        Column("kind", "Kind", "state", "d.kind", width=70),
        Column("first", "First of its group", "url", address("d.first"), width=320),
        Column("group", "Group", "number", "d.first", visible=False, width=70),
        Column("members", "Members", "number", "d.members", width=70),
        Column("distance", "Distance", "number", "d.distance", width=70),
        Column("differing_percent", "Differs by about %", "number", "round(d.share * 100, 1)", width=110),
        Column("duplicate_of", "Exact copy of", "url", address("p.duplicate_of"), visible=False, width=240),
        Column("alias_of", "Alias of", "url", address("p.alias_of"), visible=False, width=240),
        Column("title", "Title", "text", "p.title", width=240),
        Column("state", "State", "state", state_word("u.state"), visible=False, width=80),
        Column("status", "Status", "number", "p.status", visible=False, width=60),
        Column("depth", "Depth", "number", "u.depth", visible=False, width=60),
        Column("bytes", "Bytes", "bytes", "p.bytes", visible=False, width=80),
        Column("content_hash", "Content hash", "hash", hex_text("p.content_hash"), visible=False, width=140),
        Column("last_fetched", "Last fetched", "time", "p.last_fetched", visible=False, width=150),
    ),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A page in a group: `first`, an exact `copy` of a page of it, or `near` its first, by so many bits."""

    url: int
    first: int
    kind: str
    distance: int


class Duplicates:
    """The temporary table on one connection. `clock` is monotonic."""

    def __init__(self, connection: apsw.Connection, clock: Callable[[], float] = time.monotonic) -> None:
        self._connection = connection
        self._clock = clock
        self._made: tuple[int, int] | None = None  # of what state of the file, with what distance
        self._rest_until = 0.0

    def make(self, distance: int, wanted: Callable[[], bool], most: int = -1) -> bool:
        """Bring the table up to date; False where that was no longer wanted. The connection must be writable.

        Of the first `most` pages alone, where that is not -1 and there is no table yet: a glimpse.
        """
        started = self._clock()
        state = (value(self._connection, "PRAGMA data_version"), distance)
        if self._made is not None:
            is_other = self._made[1] != distance
            if most >= 0 or state == self._made or (started < self._rest_until and not is_other):
                return True
        members = self._members(distance, wanted, most)
        if members is None:
            return False
        sizes = Counter(member.first for member in members)
        with self._connection:  # all or nothing
            self._connection.execute(MAKE)
            self._connection.execute("DELETE FROM temp.duplicate")
            self._connection.executemany(FILL, (_row(member, sizes[member.first]) for member in members))
        if most < 0:
            self._made = state
            self._rest_until = self._clock() + SPARE * (self._clock() - started)
        return True

    def _members(self, distance: int, wanted: Callable[[], bool], most: int) -> list[Member] | None:
        found = _read(self._connection, wanted, most)
        if found is None:
            return None
        copies, pages, hashes = found
        firsts = _near(pages, hashes, distance, wanted) if distance >= 0 else {}
        return None if firsts is None else list(_grouped(copies, firsts))


def _row(member: Member, size: int) -> tuple[int, int, str, int, float, int]:
    share = round(differing_share(member.distance), 4)
    return member.url, member.first, member.kind, member.distance, share, size


def _read(
    connection: apsw.Connection, wanted: Callable[[], bool], most: int
) -> tuple[dict[int, int], array[int], array[int]] | None:
    """Exact copies with the page each is a copy of; all other pages with their hashes, in their order."""
    copies: dict[int, int] = {}
    pages, hashes = array("q"), array("q")
    for number, (page, first, simhash) in enumerate(connection.execute(PAGES, (most,))):
        if number % PIECE == 0 and not wanted():
            return None
        if first is not None:
            copies[page] = first
        else:
            pages.append(page)
            hashes.append(simhash)
    return copies, pages, hashes


def _near(
    pages: array[int], hashes: array[int], distance: int, wanted: Callable[[], bool]
) -> dict[int, tuple[int, int]] | None:
    """Pages that are near an earlier one: to that one and the distance."""
    from core.identity.clusters import nearest_first  # tables but this one do without

    first_with: dict[int, int] = {}
    for page, simhash in zip(pages, hashes, strict=True):
        first_with.setdefault(simhash, page)
    different = list(first_with)
    places = nearest_first(different, distance, wanted)
    if places is None:
        return None
    nearest = {
        simhash: different[place]
        for number, (simhash, place) in enumerate(zip(different, places.tolist(), strict=True))
        if place != number
    }
    found = {}
    for page, simhash in zip(pages, hashes, strict=True):
        to = nearest.get(simhash, simhash)
        if first_with[to] != page:
            found[page] = (first_with[to], hamming(simhash, to))
    return found


def _grouped(copies: dict[int, int], near: dict[int, tuple[int, int]]) -> Iterator[Member]:
    """Every page of every group; a copy goes with the page it is a copy of."""
    yield from (Member(page, first, "near", distance) for page, (first, distance) in near.items())
    firsts = dict.fromkeys(first for first, _ in near.values())
    for page in copies:
        original = _original(copies, page)
        if original != page:
            first, distance = near.get(original, (original, 0))
            firsts[first] = None
            yield Member(page, first, "copy", distance)
    yield from (Member(first, first, "first", 0) for first in firsts)


def _original(copies: dict[int, int], page: int) -> int:
    """What a page is a copy of in the end; of a ring, its smallest."""
    seen: set[int] = set()
    while page in copies and page not in seen:
        seen.add(page)
        page = copies[page]
    if page not in copies:
        return page
    ring = [page]
    while copies[ring[-1]] != page:
        ring.append(copies[ring[-1]])
    return min(ring)
