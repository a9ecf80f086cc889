"""What it means in the rows that a page is an alias of another, or is none any more.

An alias is not useful, and what it shows has the identity of the page it stands for. Counters follow.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.store.query import row, value
from core.store.write.adoptions import Shown

if TYPE_CHECKING:
    import apsw

    from core.store.write.adoptions import Adoptions
    from core.store.write.copies import Copies
    from core.store.write.tally import Tally
    from core.urls import Url

ANSWERED = "SELECT id, run FROM capture WHERE url_id = ? AND outcome = 'ok' ORDER BY id DESC LIMIT 1"


class AliasRows:
    """Used by the writer's thread inside its transaction. Pages are given by id and key form."""

    def __init__(self, connection: apsw.Connection, copies: Copies, adoptions: Adoptions, tally: Tally) -> None:
        self._connection = connection
        self._copies = copies
        self._adoptions = adoptions
        self._tally = tally

    def join(self, number: int, target: int, own: Url, other: Url, at: float, run: int) -> None:
        """A page that was fetched before is an alias from now on."""
        self._connection.execute("UPDATE page SET alias_of = ?, useful = 0 WHERE url_id = ?", (target, number))
        capture, answered_in = self._answered(number)
        self._count_useful(capture, answered_in, useful=False)
        self.lead(target, number)
        self._adoptions.adopt(Shown(number, capture, at, run), own, other)

    def move(self, page: Shown, target: int, own: Url, old: Url, new: Url, *, alone: bool) -> None:
        """An alias stands for another page than before. `alone`: others stay with the page that it stood for."""
        self._connection.execute("UPDATE page SET alias_of = ? WHERE url_id = ?", (target, page.number))
        self.lead(target, page.number)
        self._adoptions.move(replace(page, capture=self._answered(page.number)[0]), own, old, new, alone=alone)

    def part(self, number: int, own: Url, other: Url, at: float, run: int) -> None:
        """An alias is a page of its own again: useful where it is no copy, its records under its own identity."""
        sql = "SELECT duplicate_of, content_hash FROM page WHERE url_id = ?"
        copy_of, content = row(self._connection, sql, (number,))
        self._connection.execute("UPDATE page SET alias_of = NULL WHERE url_id = ?", (number,))
        copy_of = self._copies.first_with(content, number) if copy_of is None else copy_of
        capture, answered_in = self._answered(number)
        self._connection.execute(
            "UPDATE page SET duplicate_of = ?, useful = ? WHERE url_id = ?", (copy_of, int(copy_of is None), number)
        )
        if copy_of is None:
            self._count_useful(capture, answered_in, useful=True)
        self._adoptions.release(Shown(number, capture, at, run), own, other)

    def lead(self, target: int, number: int) -> None:
        """A page that counted as a copy of what is its alias now is the first one itself."""
        sql = "SELECT 1 FROM page WHERE url_id = ? AND duplicate_of = ? AND alias_of IS NULL"
        if value(self._connection, sql, (target, number)):
            self._connection.execute("UPDATE page SET duplicate_of = NULL, useful = 1 WHERE url_id = ?", (target,))
            self._count_useful(*self._answered(target), useful=True)

    def _answered(self, number: int) -> tuple[int | None, int]:
        """The capture of the last good answer, and its run."""
        return row(self._connection, ANSWERED, (number,)) or (None, 0)

    def _count_useful(self, capture: int | None, run: int, *, useful: bool) -> None:
        if capture is None:
            return
        sql = "UPDATE capture SET useful = ?1 WHERE id = ?2 AND useful <> ?1"
        self._connection.execute(sql, (int(useful), capture))
        self._tally.count_of(run, "useful", self._connection.changes() * (1 if useful else -1))
