"""What each run did to the records, and two versions of a record beside one another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.store.query import row, rows
from core.store.read.fields import cell_text
from core.store.read.look import look_into

if TYPE_CHECKING:
    from pathlib import Path

_RUNS = """
SELECT number, kind, started, ended,
    coalesce((SELECT value FROM counter WHERE name = 'created' AND run = number), 0),
    coalesce((SELECT value FROM counter WHERE name = 'updated' AND run = number), 0),
    coalesce((SELECT value FROM counter WHERE name = 'unchanged' AND run = number), 0),
    (SELECT count(*) FROM absence WHERE record_id IS NOT NULL AND absence.run = run.number),
    (SELECT count(*) FROM absence WHERE record_id IS NOT NULL AND absence.back_run = run.number)
FROM run ORDER BY number"""
_VERSION = "SELECT data, valid_from, run FROM record_version WHERE record_id = ? AND version = ?"


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run with what it did to records. Times are seconds since the epoch; `ended` is None while it goes on."""

    number: int
    kind: str
    started: float
    ended: float | None
    created: int
    updated: int
    unchanged: int
    gone: int
    back: int


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A field in two versions, as texts; None where it is blank."""

    name: str
    old: str | None
    new: str | None

    @property
    def changed(self) -> bool:
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class VersionPair:
    """A version of a record and the one before; `old_at` is None where there was none."""

    record: str
    version: int
    old_at: float | None
    new_at: float
    fields: tuple[FieldPair, ...]


def read_runs(path: Path) -> tuple[RunRow, ...]:
    """All runs, the first one first."""
    with look_into(path) as connection:
        return tuple(RunRow(*found) for found in rows(connection, _RUNS))


def read_versions(path: Path, record: str, version: int) -> VersionPair | None:
    """A version beside the one before it; None where no such version is kept."""
    with look_into(path) as connection:
        new = row(connection, _VERSION, (record, version))
        old = row(connection, _VERSION, (record, version - 1))
    if new is None:
        return None
    before, after = _fields(old[0]) if old else {}, _fields(new[0])
    names = [*after, *(name for name in before if name not in after)]
    pairs = tuple(FieldPair(name, _text(before.get(name)), _text(after.get(name))) for name in names)
    return VersionPair(record, version, old[1] if old else None, new[1], pairs)


def _fields(data: str) -> dict[str, Any]:
    found = json.loads(data)
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str | None:
    """As a cell of the table shows it."""
    shown = cell_text(json.dumps(value, ensure_ascii=False))
    return None if shown is None else str(shown)
