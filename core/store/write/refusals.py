"""URLs refused at the door: they cost no place in the frontier, only a row with its reason, up to a million.

Beyond that they are only counted, by the page that revealed them (refusal_counts.py). A refusal is kept with the
smallest depth it was found at, and with the reason that stood against that shortest way: raising that limit is what
lets it in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.store.query import row, rows, value
from core.store.write.limits import signed_hash
from core.store.write.refusal_counts import SEEDS, RefusalCounts

if TYPE_CHECKING:
    import apsw

    from core.store.write.tally import Tally
    from core.urls import Url

MOST_ROWS = 1_000_000
NOFOLLOW = "robots: nofollow"
RESOURCE = "scope: resource"  # images, scripts, styles: recorded by choice, never requested
UNFOLLOWED = frozenset({NOFOLLOW, RESOURCE})  # what only such references lead to is as deep as nothing yet
COLUMNS = "id, url, depth, found_on, seed, reason, key"
OWNER = "SELECT tenant FROM url JOIN host ON host.id = host_id WHERE url.id = ?"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A stored refusal."""

    id: int
    url: str
    depth: int
    found_on: int | None
    seed: int
    reason: str
    key: int = 0


class Refusals:
    """Used by the writer's thread inside its transaction. `most_rows` have a row; None stands for MOST_ROWS."""

    def __init__(self, connection: apsw.Connection, tally: Tally, tenant: str, most_rows: int | None = None) -> None:
        self._connection = connection
        self._tally = tally
        self._tenant = tenant
        self._most_rows = MOST_ROWS if most_rows is None else most_rows
        self.counts = RefusalCounts(connection, tally, tenant)
        self._rows: int = value(connection, "SELECT count(*) FROM refused", default=0)

    def add(
        self,
        url: Url,
        key: Url,
        reason: str,
        *,
        depth: int,
        found_on: int | None,
        source: int | None,
        seed: bool,
        at: float,
    ) -> tuple[int, bool]:
        """A URL is refused: the id of its row (0 where it is only counted), and whether it had been before."""
        way = (depth, found_on, source)
        return self.add_address(url.text, refusal_key(self._tenant, key), reason, way, seed=seed, at=at)

    def add_address(
        self,
        address: str,
        hashed: int,
        reason: str,
        way: tuple[int, int | None, int | None],
        *,
        seed: bool,
        at: float,
    ) -> tuple[int, bool]:
        """The same for any address, by its key. `way` is depth, page and source it was found by."""
        depth, found_on, source = way
        known = rows(self._connection, f"SELECT {COLUMNS} FROM refused WHERE key = ?", (hashed,)) if self._rows else ()
        if known:
            old = Refusal(*known[0])
            self.again(old, reason, depth, found_on)
            if seed and not old.seed:
                self._connection.execute("UPDATE refused SET seed = 1 WHERE id = ?", (old.id,))
            return old.id, True
        word = first_word(reason)
        if self._rows >= self._most_rows:
            self.counts.add(found_on or -(source or SEEDS), word)
            return 0, False
        self._tally.count(f"refused.{word}")
        self._connection.execute(
            "INSERT INTO refused(key, url, reason, word, depth, found_on, seed, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (hashed, address, reason, word, depth, found_on, int(seed), at),
        )
        self._rows += 1
        return self._connection.last_insert_rowid(), False

    def skip(self, address: str, reason: str, *, depth: int, found_on: int | None, at: float) -> int:
        """An address that is no URL, so that no change of settings lets it in: the id of its row, or 0."""
        hashed = signed_hash(f"{self._tenant}\0{address}")
        return self.add_address(address, hashed, reason, (depth, found_on, None), seed=False, at=at)[0]

    def again(self, old: Refusal, reason: str, depth: int, found_on: int | None) -> None:
        """It was refused once more: a link that may be followed, or else a shorter way, has the better word."""
        gain = (old.reason in UNFOLLOWED) - (reason in UNFOLLOWED)
        if gain < 0 or (gain == 0 and (depth > old.depth or (depth == old.depth and reason == old.reason))):
            return
        before, after = first_word(old.reason), first_word(reason)
        found_on = found_on if gain or depth < old.depth else old.found_on
        self._connection.execute(
            "UPDATE refused SET reason = ?, word = ?, depth = ?, found_on = ? WHERE id = ?",
            (reason, after, depth, found_on, old.id),
        )
        if before != after:
            self._tally.count(f"refused.{before}", -1)
            self._tally.count(f"refused.{after}")

    def withdraw(self, key: Url, number: int) -> None:
        """The URL is known now, under this id: links that led to its refusal lead to it."""
        if not self._rows:
            return
        sql = "DELETE FROM refused WHERE key = ? RETURNING id, word"
        for refusal, word in rows(self._connection, sql, (refusal_key(self._tenant, key),)):
            self._withdrawn(refusal, word, number)

    def withdraw_row(self, refusal: int, number: int) -> None:
        """The same by the refusal's own number."""
        for (word,) in rows(self._connection, "DELETE FROM refused WHERE id = ? RETURNING word", (refusal,)):
            self._withdrawn(refusal, word, number)

    def page(self, words: tuple[str, ...], after: int, limit: int) -> list[Refusal]:
        """Refusals for one of these reasons behind an id, in the order of ids."""
        marks = ", ".join("?" * len(words))
        sql = f"SELECT {COLUMNS} FROM refused WHERE word IN ({marks}) AND id > ? ORDER BY id LIMIT ?"
        return [Refusal(*fields) for fields in rows(self._connection, sql, (*words, after, limit))]

    def is_ours(self, refusal: Refusal, key: Url) -> bool:
        """Whether it was refused to this tenant; `key` is its URL's key form."""
        if refusal.key != -refusal.id:
            return refusal.key == refusal_key(self._tenant, key)
        if refusal.found_on is None:  # one of several spellings of one URL, whose row has the key
            sql = "SELECT 1 FROM refused WHERE key = ?"
            return row(self._connection, sql, (refusal_key(self._tenant, key),)) is not None
        owner: str = value(self._connection, OWNER, (refusal.found_on,), "")
        return owner == self._tenant

    def _withdrawn(self, refusal: int, word: str, number: int) -> None:
        self._rows -= 1
        self._tally.count(f"refused.{word}", -1)
        self._connection.execute("UPDATE OR REPLACE link SET target = ? WHERE target = ?", (number, -refusal))


def first_word(reason: str) -> str:
    """The word of the documented list that a reason begins with."""
    return reason.partition(":")[0]


def refusal_key(tenant: str, key: Url) -> int:
    """A signed 64-bit hash of tenant and whole key form: refusals need no host row."""
    return signed_hash(f"{tenant}\0{key.text}")
