"""How many of all known URLs each pattern takes out, counted in pieces; the patterns are the engine's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadPattern
from core.policy.pattern_set import PatternSet
from core.policy.patterns import compile_pattern
from core.store.read.known_reader import KnownReader
from gui.setup.pattern_trial import keys_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import Normalise
    from gui.cancellable import Cancelled, Tell

PIECE = 500  # URLs: a few milliseconds
MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class CountQuestion:
    """Patterns as typed, tried on every URL the crawl in `path` knows. `excludes` says which of the two lists it is."""

    path: Path
    patterns: tuple[str, ...]
    excludes: bool
    normalise: Normalise


@dataclass(frozen=True, slots=True)
class Progress:
    """So far."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class KnownCount:
    """`counts` and `examples` (key forms) by pattern, None for an empty or wrong one; `together` are matched by any."""

    question: CountQuestion
    counts: tuple[int | None, ...]
    examples: tuple[tuple[str, ...], ...]
    together: int
    total: int


def count_known(question: CountQuestion, cancelled: Cancelled, tell: Tell) -> KnownCount:
    """Read and count until the end, or until it is called off: then what was counted so far."""
    numbers = tuple(at for at, text in enumerate(question.patterns) if _is_pattern(text))
    normalise = question.normalise
    patterns = PatternSet(
        (question.patterns[at] for at in numbers),
        lower_path=normalise.lower_path,
        ignore_www=normalise.ignore_www,
        undecided=question.excludes,
    )
    reader = KnownReader(question.path)
    try:
        tally = Tally(question, numbers, patterns)
        total = reader.total()
        last = 0
        while not cancelled() and (piece := reader.piece(last, PIECE)):
            last = piece[-1][0]
            tally.take(tuple(url for _, url in piece), cancelled)
            tell(Progress(tally.seen, max(total, tally.seen)))
        return tally.result()
    finally:
        reader.close()


class Tally:
    """What was counted so far."""

    def __init__(self, question: CountQuestion, numbers: tuple[int, ...], patterns: PatternSet) -> None:
        self._question, self._patterns, self._numbers = question, patterns, numbers
        self._counts = dict.fromkeys(numbers, 0)
        self._examples: dict[int, list[str]] = {at: [] for at in numbers}
        self._together = 0
        self.seen = 0

    def take(self, urls: tuple[str, ...], cancelled: Cancelled) -> None:
        """Count these, each by every pattern that matches it."""
        for key in keys_of(urls, self._question.normalise):
            if cancelled():
                return
            matching = self._patterns.matching(key)
            self._together += bool(matching)
            for place in matching:
                at = self._numbers[place]
                self._counts[at] += 1
                if len(self._examples[at]) < MOST_EXAMPLES:
                    self._examples[at].append(key.text)
        self.seen += len(urls)

    def result(self) -> KnownCount:
        places = range(len(self._question.patterns))
        examples = tuple(tuple(self._examples.get(at, ())) for at in places)
        return KnownCount(
            self._question, tuple(self._counts.get(at) for at in places), examples, self._together, self.seen
        )


def _is_pattern(text: str) -> bool:
    try:
        compile_pattern(text)
    except BadPattern:
        return False
    return bool(text.strip())
