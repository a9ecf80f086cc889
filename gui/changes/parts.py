"""The four things that can happen to a record in a run, with their words and colours: one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.difference import Counts
    from core.store.read.runs import RunRow
    from gui.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Part:
    """`of` takes a run's number of it, `between` that of two runs compared. Those that are `drawn` have a bar."""

    word: str
    of: Callable[[RunRow], int]
    between: Callable[[Counts], int]
    colour: Callable[[Tokens], str]
    drawn: bool = True


PARTS: tuple[Part, ...] = (
    Part("new", lambda run: run.created, lambda counts: counts.new, lambda tokens: tokens.good),
    Part("changed", lambda run: run.updated, lambda counts: counts.changed, lambda tokens: tokens.accent),
    Part("gone", lambda run: run.gone, lambda counts: counts.gone, lambda tokens: tokens.bad),
    Part("unchanged", lambda run: run.unchanged, lambda counts: counts.unchanged, lambda tokens: tokens.faint, False),
)
DRAWN = tuple(part for part in PARTS if part.drawn)
