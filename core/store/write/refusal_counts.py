"""Refusals beyond the cap on rows: only their number is kept, by the page that revealed them, so that it can be asked.

Where other settings may let some of them in, those who revealed them are marked: their links are to be read again,
from the stored response or with their next answer. A mark lies in the file, so that a kill loses none. The counts of a
page are of its links as they were read last: reading it again begins them anew, and nothing is counted twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policy.relaxed import COPY
from core.store.query import row, rows, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from core.store.write.tally import Tally

NOT_MARKED, MARKED, WITH_NEXT_ANSWER = 0, 1, 2  # in `refusal_count.again`
SEEDS = 0  # stands for the typed seeds where a page's id would
FIRST = -(1 << 63)  # before every id

ADD = """
INSERT INTO refusal_count(found_on, word, count) VALUES (?, ?, 1)
ON CONFLICT(found_on, word) DO UPDATE SET count = count + 1"""
LEAVE = "INSERT OR IGNORE INTO refusal_count(found_on, word, count) VALUES (?, ?, 0)"
OURS = """coalesce((SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = refusal_count.found_on),
    (SELECT tenant FROM seed_source s JOIN host ON host.id = s.host_id WHERE s.id = -refusal_count.found_on)) = ?"""
END_OF_PIECE = """
SELECT max(found_on) FROM (SELECT DISTINCT found_on FROM refusal_count WHERE found_on > ? ORDER BY found_on LIMIT ?)"""


class RefusalCounts:
    """Used by the writer's thread inside its transaction."""

    def __init__(self, connection: apsw.Connection, tally: Tally, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._tally = tally
        self.are_any = row(connection, "SELECT 1 FROM refusal_count LIMIT 1") is not None

    def add(self, found_on: int, word: str) -> None:
        """One more refusal that a page (or minus a source, or SEEDS) revealed."""
        self._connection.execute(ADD, (found_on, word))
        self._tally.count(f"refused.{word}")
        self.are_any = True

    def leave(self, found_on: int) -> None:
        """An exact copy, whose links are not followed: they are read when that is wanted, or when it is no copy."""
        self._connection.execute(LEAVE, (found_on, COPY))
        self.are_any = True

    def forget(self, found_on: int) -> None:
        """What it revealed is read anew: its counts, and its mark, are gone."""
        if not self.are_any:
            return
        sql = "DELETE FROM refusal_count WHERE found_on = ? RETURNING word, count"
        for word, count in rows(self._connection, sql, (found_on,)):
            self._tally.count(f"refused.{word}", -count)

    def mark(self, words: Iterable[str], after: int, limit: int) -> int | None:
        """Mark the next so many, behind `after`, that revealed refusals for one of these words; where to go on.

        One that waits for its next answer is looked at again: it may be one that could not be asked for.
        """
        last: int | None = value(self._connection, END_OF_PIECE, (after, limit)) if self.are_any else None
        if last is not None:
            chosen = tuple(sorted(words))
            self._connection.execute(
                f"UPDATE refusal_count SET again = {MARKED} WHERE found_on > ? AND found_on <= ? "
                f"AND found_on <> {SEEDS} AND (again = {WITH_NEXT_ANSWER} "
                f"OR (again = {NOT_MARKED} AND word IN ({', '.join('?' * len(chosen))}))) AND {OURS}",
                (after, last, *chosen, self._tenant),
            )
        return last

    def marked(self) -> int:
        """How many pages and sources are to be read again."""
        sql = f"SELECT count(DISTINCT found_on) FROM refusal_count WHERE again = {MARKED} AND {OURS}"
        number: int = value(self._connection, sql, (self._tenant,)) if self.are_any else 0
        return number

    def mark_one(self, found_on: int, word: str) -> None:
        """The same for one page."""
        if self.are_any:
            sql = f"UPDATE refusal_count SET again = {MARKED} WHERE found_on = ? AND word = ? AND again = {NOT_MARKED}"
            self._connection.execute(sql, (found_on, word))

    def put_off(self, found_on: int) -> None:
        """There is nothing to read it from: its next answer brings its links, and is asked for without a condition."""
        sql = f"UPDATE refusal_count SET again = {WITH_NEXT_ANSWER} WHERE found_on = ? AND again = {MARKED}"
        self._connection.execute(sql, (found_on,))

    def answered_without_body(self, found_on: int) -> None:
        """A request that was under way when its page was marked brought a 304: it was not the answer waited for."""
        if self.are_any:
            sql = f"UPDATE refusal_count SET again = {MARKED} WHERE found_on = ? AND again = {WITH_NEXT_ANSWER}"
            self._connection.execute(sql, (found_on,))

    def is_marked(self, found_on: int) -> bool:
        """Whether its links are to be read again from the stored response."""
        sql = f"SELECT 1 FROM refusal_count WHERE found_on = ? AND again = {MARKED} LIMIT 1"
        return row(self._connection, sql, (found_on,)) is not None
