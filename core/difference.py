"""Two runs, or two crawl files, compared: which pages and records are new, changed, unchanged, gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.errors import BadInput
from core.store.read.contents import Contents, last_run, read_addresses, read_contents, read_names
from core.store.read.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from core.settings import Normalise

K = TypeVar("K")
V = TypeVar("V")
NEW, CHANGED, GONE = "new", "changed", "gone"


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


@dataclass(frozen=True, slots=True)
class Change:
    """A page (by its URL) or a record (by its id, type and natural key) that is new, changed or gone."""

    what: str  # page | record
    action: str  # new | changed | gone
    url: str = ""
    record_id: str = ""
    type: str = ""
    natural_key: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A crawl file as it was at the end of a run."""

    path: Path
    run: int
    rules: Normalise

    def contents(self) -> Contents:
        return read_contents(self.path, self.rules, self.run)


def between_runs(path: Path, before: int | None = None, after: int | None = None) -> Difference:
    """From the end of one run to the end of another: by default the last two. Run 0 is before the first.

    Raises BadInput for a run that there is not.
    """
    return _between(*_runs(path, before, after))


def between_files(path: Path, other: Path) -> Difference:
    """From the present state of `path` to that of `other`; both are compared by the key forms of `path`."""
    return _between(*_files(path, other))


def changes_between_runs(path: Path, before: int | None = None, after: int | None = None) -> Iterator[Change]:
    """The same, one by one: pages, then records, in the order of their addresses and ids. BadInput as there."""
    return _changes(*_runs(path, before, after))


def changes_between_files(path: Path, other: Path) -> Iterator[Change]:
    """The same for two files."""
    return _changes(*_files(path, other))


def counts(before: Mapping[K, V], after: Mapping[K, V]) -> Counts:
    """How the later content differs from the earlier."""
    both = before.keys() & after.keys()
    changed = sum(before[key] != after[key] for key in both)
    return Counts(len(after) - len(both), changed, len(both) - changed, len(before) - len(both))


def actions(before: Mapping[K, V], after: Mapping[K, V]) -> dict[K, str]:
    """What is not unchanged, with what became of it."""
    found = {key: NEW if key not in before else CHANGED for key in after if before.get(key) != after[key]}
    return found | {key: GONE for key in before if key not in after}


def _runs(path: Path, before: int | None, after: int | None) -> tuple[Side, Side]:
    newest = last_run(path)
    later = newest if after is None else after
    earlier = max(0, later - 1) if before is None else before
    for number in (earlier, later):
        if not 0 <= number <= newest:
            raise BadInput(f"There is no run {number} in {path}.", f"Its runs are 1 to {newest}." if newest else "")
    rules = _normalise(path)
    return Side(path, earlier, rules), Side(path, later, rules)


def _files(path: Path, other: Path) -> tuple[Side, Side]:
    rules = _normalise(path)
    return Side(path, last_run(path), rules), Side(other, last_run(other), rules)


def _between(earlier: Side, later: Side) -> Difference:
    before, after = earlier.contents(), later.contents()
    return Difference(counts(before.pages, after.pages), counts(before.records, after.records))


def _changes(earlier: Side, later: Side) -> Iterator[Change]:
    before, after = earlier.contents(), later.contents()
    pages, records = actions(before.pages, after.pages), actions(before.records, after.records)
    urls = read_addresses(earlier.path, earlier.rules, earlier.run, pages)
    urls |= read_addresses(later.path, later.rules, later.run, pages)
    yield from (Change("page", pages[digest], url) for digest, url in sorted(urls.items(), key=lambda item: item[1]))
    names = read_names(earlier.path, records) | read_names(later.path, records)
    for record, action in sorted(records.items()):
        yield Change("record", action, "", record, *names.get(record, ("", "")))


def _normalise(path: Path) -> Normalise:
    reader = Reader(path)
    try:
        return reader.settings()[1].normalise
    finally:
        reader.close()
