"""A change of a record as it is told to others, after it was committed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """`event` is created, updated, gone or back. `data` and `before` are JSON objects of the fields, as text.

    `key` is made of the record's id and version, and stays the same however often the notice is told; `at` is seconds
    since the epoch. `before` is None where there was nothing before, or where no history is kept.
    """

    id: int
    key: str
    event: str
    record_id: str
    type: str
    source: str
    url: str
    version: int
    run: int
    at: float
    data: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next notices that were not told yet, and how far the outbox has been read for them."""

    through: int
    notices: tuple[Notice, ...] = ()
