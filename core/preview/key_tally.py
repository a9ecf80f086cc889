"""Whether a natural key holds: which pages lack it, which share one, and which would get another than they have.

A key that fails in these ways makes conflicts, melts two things into one record, or begins records anew; so it is told
before the rules are applied. Pure: pages are added one by one, and the report can be asked for at any time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.preview.questions import PageKeys

MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class SharedKey:
    """A key that stands on several pages, or several times on one; `first` and `second` are the first two URLs."""

    key: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class OtherKey:
    """A page whose record has the key `before` in the file; the rules would give it `now`."""

    url: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class KeyReport:
    """`pages` were looked at, `records` found on them, `unread` could not be read, `empty` gave no record at all.

    `without` counts the pages with a record that lacks its key, `missing` them by field, `without_examples` are URLs.
    `shared` counts keys that more than one record has, within one source; `other` pages whose key would change.
    """

    pages: int = 0
    records: int = 0
    unread: int = 0
    empty: int = 0
    without: int = 0
    missing: tuple[tuple[str, int], ...] = ()
    without_examples: tuple[str, ...] = ()
    shared: int = 0
    shared_examples: tuple[SharedKey, ...] = ()
    other: int = 0
    other_examples: tuple[OtherKey, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the key."""
        return not (self.without or self.shared or self.other)


class KeyTally:
    """What the pages said so far. Holds one short text for each record."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}
        self._shared: dict[tuple[str, str], SharedKey] = {}
        self._missing: Counter[str] = Counter()
        self._without: list[str] = []
        self._other: list[OtherKey] = []
        self._pages = self._records = self._unread = self._empty = self._without_count = self._other_count = 0

    def add(self, url: str, source: str, found: PageKeys, before: Iterable[str] = ()) -> None:
        """One page: the source its records belong to, its keys, and the one that its record in the file has.

        `before` is empty for pages that hold many records: which was which cannot be told.
        """
        self._pages += 1
        self._unread += not found.read
        self._empty += found.read and not found.keys
        self._records += len(found.keys)
        if any(key is None for key in found.keys):
            self._without_count += 1
            self._missing.update(found.missing)
            if len(self._without) < MOST_EXAMPLES:
                self._without.append(url)
        for key in found.keys:
            if key is not None:
                self._note(source, key, url)
        self._compare(url, found, before)

    def report(self) -> KeyReport:
        """What is known now."""
        shared = tuple(self._shared.values())
        return KeyReport(
            *(self._pages, self._records, self._unread, self._empty, self._without_count),
            missing=tuple(self._missing.most_common()),
            without_examples=tuple(self._without),
            shared=len(shared),
            shared_examples=shared[:MOST_EXAMPLES],
            other=self._other_count,
            other_examples=tuple(self._other),
        )

    def _note(self, source: str, key: str, url: str) -> None:
        first = self._first.get((source, key))
        if first is None:
            self._first[source, key] = url
        else:
            self._shared.setdefault((source, key), SharedKey(key, first, url))

    def _compare(self, url: str, found: PageKeys, before: Iterable[str]) -> None:
        now = next((key for key in found.keys if key is not None), None)
        was = next((key for key in before if key != now), None)
        if now is None or was is None or len(found.keys) != 1:
            return
        self._other_count += 1
        if len(self._other) < MOST_EXAMPLES:
            self._other.append(OtherKey(url, was, now))
