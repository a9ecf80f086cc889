"""Two runs, or two crawl files, compared: how many pages and records are new, changed, unchanged, gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.errors import BadInput
from core.store.read.contents import Contents, last_run, read_contents
from core.store.read.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.settings import Normalise

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Counts:
    new: int
    changed: int
    unchanged: int
    gone: int


@dataclass(frozen=True, slots=True)
class Difference:
    pages: Counts
    records: Counts


def between_runs(path: Path, before: int | None = None, after: int | None = None) -> Difference:
    """From the end of one run to the end of another: by default the last two. Run 0 is before the first.

    Raises BadInput for a run that there is not.
    """
    newest = last_run(path)
    later = newest if after is None else after
    earlier = max(0, later - 1) if before is None else before
    for number in (earlier, later):
        if not 0 <= number <= newest:
            raise BadInput(f"There is no run {number} in {path}.", f"Its runs are 1 to {newest}." if newest else "")
    rules = _normalise(path)
    return _between(read_contents(path, rules, earlier), read_contents(path, rules, later))


def between_files(path: Path, other: Path) -> Difference:
    """From the present state of `path` to that of `other`; both are compared by the key forms of `path`."""
    rules = _normalise(path)
    return _between(read_contents(path, rules, last_run(path)), read_contents(other, rules, last_run(other)))


def counts(before: Mapping[K, V], after: Mapping[K, V]) -> Counts:
    """How the later content differs from the earlier."""
    both = before.keys() & after.keys()
    changed = sum(before[key] != after[key] for key in both)
    return Counts(len(after) - len(both), changed, len(both) - changed, len(before) - len(both))


def _between(before: Contents, after: Contents) -> Difference:
    return Difference(counts(before.pages, after.pages), counts(before.records, after.records))


def _normalise(path: Path) -> Normalise:
    reader = Reader(path)
    try:
        return reader.settings()[1].normalise
    finally:
        reader.close()
