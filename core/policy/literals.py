"""Many wildcard patterns asked at once: only those are looked at whose rarest stretch of plain text occurs.

A text that matches a pattern holds each of its plain pieces, so one stretch of them, the one that the fewest other
patterns have, tells most patterns from the text by a dictionary's answer: `Disallow: /*1` to `/*50000` cost what a
handful of rules does. What is named here is still to be matched.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.policy.glob import Glob

Held = TypeVar("Held")

LONGEST = 8  # characters of a stretch: a look-up reads the text once for each length
MOST = 16  # stretches of a piece that are weighed, at its beginning and at its end


class LiteralIndex(Generic[Held]):
    """Values under a stretch of their pattern's plain text; of one stretch in the order given."""

    __slots__ = ("_always", "_lengths", "_values")

    def __init__(self, pairs: Iterable[tuple[Glob, Held]]) -> None:
        weighed = [(_stretches(pattern), value) for pattern, value in pairs]
        uses = Counter(stretch for stretches, _ in weighed for stretch in stretches)
        self._always: list[Held] = []
        self._values: dict[str, list[Held]] = {}
        for stretches, value in weighed:
            if stretches:
                rarest = min(stretches, key=lambda stretch: (uses[stretch], stretch == "/", -len(stretch), stretch))
                self._values.setdefault(rarest, []).append(value)
            else:
                self._always.append(value)
        self._lengths = tuple(sorted({len(stretch) for stretch in self._values}))

    def under(self, text: str) -> Iterator[list[Held]]:
        """The lists of values whose pattern may match the text, by one of its stretches."""
        if self._always:
            yield self._always
        for length in self._lengths:
            windows = {text[start : start + length] for start in range(len(text) - length + 1)}
            for stretch in windows:
                found = self._values.get(stretch)
                if found is not None:
                    yield found


def _stretches(pattern: Glob) -> set[str]:
    found: set[str] = set()
    for piece in pattern.pieces:
        last = len(piece) - LONGEST
        starts = {*range(min(last + 1, MOST)), *range(max(0, last + 1 - MOST), last + 1)} if last > 0 else {0}
        found.update(piece[start : start + LONGEST] for start in starts)
    found.discard("")
    return found
