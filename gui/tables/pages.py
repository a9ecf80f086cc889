"""The pages of a table that are kept: at most 64 of 128 rows, the least recently used goes first.

A page can be stale: it is shown until the new one comes. Which pages to ask for is decided here too: one at a time,
the newest wish first, for the person has scrolled on meanwhile.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.store.read.columns import Cell, TableRow

KEPT = 64
MOST_WISHES = 4


class Pages:
    """A cache with a short list of wishes."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, list[TableRow]] = OrderedDict()
        self._stale: set[int] = set()
        self._wishes: list[int] = []
        self._asked: int | None = None

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, number: int) -> list[TableRow] | None:
        """The page, fresh or stale; one that is missing or stale is wished for."""
        page = self._kept.get(number)
        if page is not None:
            self._kept.move_to_end(number)
        if (page is None or number in self._stale) and number != self._asked and number not in self._wishes:
            self._wishes = [*self._wishes[1 - MOST_WISHES :], number]
        return page

    def peek(self, number: int) -> list[TableRow] | None:
        """The page as it is kept; nothing is wished for."""
        return self._kept.get(number)

    def find(self, key: tuple[Cell, ...], size: int) -> int | None:
        """The number of the row with that key in the fresh pages, which hold `size` rows each."""
        for number, rows in self._kept.items():
            if number not in self._stale:
                for at, row in enumerate(rows):
                    if row.key == key:
                        return number * size + at
        return None

    def next_wish(self) -> int | None:
        """What to ask for now; None while an answer is awaited or nothing is wished."""
        if self._asked is not None or not self._wishes:
            return None
        self._asked = self._wishes.pop()
        return self._asked

    def put(self, number: int, rows: list[TableRow]) -> None:
        """The answer; one to a question from before `make_stale` is shown, but asked for again."""
        if self._asked == number:
            self._asked = None
            self._stale.discard(number)
        self._kept[number] = rows
        self._kept.move_to_end(number)
        while len(self._kept) > KEPT:
            gone, _ = self._kept.popitem(last=False)
            self._stale.discard(gone)

    def make_stale(self) -> None:
        """Everything may have changed; what was asked before is not awaited any more."""
        self._stale = set(self._kept)
        self._wishes, self._asked = [], None

    def clear(self) -> None:
        """Other rows are shown."""
        self._kept.clear()
        self.make_stale()
