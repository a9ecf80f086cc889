"""What passes between the engine and the store when kept responses are parsed again by other rules. Frozen values.

And the report of it, which is kept in the crawl file while the work is unfinished, and is what a person decides by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from core.store.results import FoundRecord
    from core.urls import Url

MOST_EXAMPLES = 20  # a type
MOST_COLLISIONS = 100
LONGEST_VALUE = 200  # characters


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A page whose answer may be kept still. `capture` is its last look, `body` the one that brought its content.

    `response` is None where its last answer was none to read. `canonical`: 1 it names itself, -1 it is an alias of the
    page `alias_of`.
    """

    id: int
    url: Url
    depth: int
    at: float
    content_type: str
    etag: str | None
    response: bytes | None
    capture: int
    body: int
    canonical: int
    alias_of: Url | None


@dataclass(frozen=True, slots=True)
class Reread:
    """What the rules of now find on a page; `records` is None where that cannot be told, and all stays as it is."""

    page: KeptAnswer
    records: tuple[FoundRecord, ...] | None
    missing: bool = False  # its response is kept no more


class FieldChange(msgspec.Struct, frozen=True):
    """A field before and after, as JSON text; None: it was not there."""

    field: str
    before: str | None
    after: str | None


class Example(msgspec.Struct, frozen=True):
    """One record that is created, updated or gone by the rules."""

    type: str
    action: str
    record_id: str
    url: str
    fields: tuple[FieldChange, ...]


class Collision(msgspec.Struct, frozen=True):
    """Two pages, or two rows of one page, with one key and different data."""

    type: str
    key: str
    url: str
    other: str
    reason: str


class TypeCounts(msgspec.Struct):
    """What becomes of a type's records. `unread`: they stay as they are, for their page's answer is kept no more."""

    created: int = 0
    unchanged: int = 0
    updated: int = 0
    gone: int = 0
    conflicts: int = 0
    unread: int = 0


class ReparseReport(msgspec.Struct):
    """How far it is, and what it did or would do."""

    dry_run: bool = False
    finished: bool = False
    pages: int = 0  # in all
    done: int = 0
    missing: int = 0  # pages whose response is kept no more
    unreadable: int = 0  # pages whose response cannot be read for records
    records: dict[str, TypeCounts] = {}
    examples: list[Example] = []
    collisions: list[Collision] = []

    def of(self, type_: str) -> TypeCounts:
        """The counts of a type."""
        return self.records.setdefault(type_, TypeCounts())

    def add_example(self, example: Example) -> None:
        """Kept while there are few of its kind."""
        alike = sum(each.type == example.type and each.action == example.action for each in self.examples)
        if alike < MOST_EXAMPLES:
            self.examples.append(example)

    def withdraw(self, record_id: str) -> None:
        """A record that was said to be gone is shown by another page."""
        self.examples = [each for each in self.examples if (each.record_id, each.action) != (record_id, "gone")]

    def add_collision(self, collision: Collision) -> None:
        """Kept while there are few."""
        if len(self.collisions) < MOST_COLLISIONS:
            self.collisions.append(collision)


def field_changes(before: str | None, after: str | None) -> tuple[FieldChange, ...]:
    """The fields in which two versions of a record, as JSON objects, differ."""
    old, new = (msgspec.json.decode(text, type=dict[str, msgspec.Raw]) if text else {} for text in (before, after))
    texts = [(name, _text(old.get(name)), _text(new.get(name))) for name in [*old, *(new.keys() - old.keys())]]
    return tuple(FieldChange(*fields) for fields in sorted(texts) if fields[1] != fields[2])


def _text(value: msgspec.Raw | None) -> str | None:
    if value is None:
        return None
    text = bytes(value).decode("utf-8", "replace")
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
