"""`diff`: what changed from one run to another, or from one file to another."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from core.commands.output import say

if TYPE_CHECKING:
    from pathlib import Path

    from core.difference import Counts


def diff(path: Path, other: Path | None, before: int | None, after: int | None, *, as_json: bool) -> int:
    """Print the counts. A difference is the answer, not a failure: the exit status is 0."""
    from core.difference import between_files, between_runs
    from core.errors import BadInput

    if other is not None and (before, after) != (None, None):
        raise BadInput("Runs belong to one file: with a second file, --from and --to mean nothing.", "Leave them out.")
    found = between_files(path, other) if other else between_runs(path, before, after)
    if as_json:
        say(json.dumps(asdict(found)))
    else:
        say(f"pages:   {_in_words(found.pages)}\nrecords: {_in_words(found.records)}")
    return 0


def _in_words(counts: Counts) -> str:
    return f"{counts.new:,} new, {counts.changed:,} changed, {counts.unchanged:,} unchanged, {counts.gone:,} gone"
