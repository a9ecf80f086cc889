"""`diff`: what changed from one run to another, or from one file to another."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING

from core.commands.output import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.difference import Change, Counts, Difference


NAMES = ("what", "action", "url", "record_id", "type", "natural_key")  # of the columns, as in core.difference.Change


def diff(
    path: Path, other: Path | None, before: int | None, after: int | None, *, as_json: bool, output: Path | None = None
) -> int:
    """Print the counts, or write what changed as CSV. A difference is the answer, not a failure: the status is 0."""
    from core.errors import BadInput
    from core.store.header import true_name

    if other is not None and (before, after) != (None, None):
        raise BadInput("Runs belong to one file: with a second file, --from and --to mean nothing.", "Leave them out.")
    if output is not None:
        if output.suffix == ".crawl" or true_name(output) in {true_name(path), other and true_name(other)}:
            raise BadInput(f"{output} is the name of a crawl.", "Choose another name for the CSV file.")
        _write(_changes(path, other, before, after), output)
        return 0
    found = _counted(path, other, before, after)
    if as_json:
        say(json.dumps(asdict(found)))
    else:
        say(f"pages:   {_in_words(found.pages)}\nrecords: {_in_words(found.records)}")
    return 0


def _counted(path: Path, other: Path | None, before: int | None, after: int | None) -> Difference:
    from core.difference import between_files, between_runs

    return between_files(path, other) if other else between_runs(path, before, after)


def _changes(path: Path, other: Path | None, before: int | None, after: int | None) -> Iterator[Change]:
    from core.difference import changes_between_files, changes_between_runs

    return changes_between_files(path, other) if other else changes_between_runs(path, before, after)


def _write(changes: Iterator[Change], to: Path) -> None:
    """Whole or not there, with cells that no spreadsheet takes for formulas."""
    from core.export.csv import Csv
    from core.store.aside import put_in_place_of
    from core.store.read.columns import Column

    columns = tuple(Column(name, name, "text", "") for name in NAMES)
    with put_in_place_of(to) as temporary, temporary.open("wb") as file:
        writer = Csv().writer(file, columns, raw=False, bom=False)
        for change in changes:
            writer.write([astuple(change)])
        writer.close()


def _in_words(counts: Counts) -> str:
    return f"{counts.new:,} new, {counts.changed:,} changed, {counts.unchanged:,} unchanged, {counts.gone:,} gone"
