"""One wildcard pattern in the manner of robots.txt, matched in linear time.

Pieces of plain text with a star between two of them: the first piece must stand at the beginning, each further
piece is looked for after the one before, the earliest place first. No choice is ever taken back, so a hostile
pattern of many stars costs no more than reading the text once a star. Also the index that spares most matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class Glob:
    """Plain pieces joined by stars; `anchored` means that the last piece must end the text."""

    pieces: tuple[str, ...]
    anchored: bool = False

    @property
    def prefix(self) -> str:
        """The plain text with which every match begins."""
        return self.pieces[0]

    @property
    def plain(self) -> bool:
        """Whether the prefix is the whole pattern."""
        return len(self.pieces) == 1 and not self.anchored

    def end(self, text: str) -> int:
        """The place after the last matched character, or -1 where `text` does not match."""
        first, *rest = self.pieces
        if not text.startswith(first):
            return -1
        if not rest:
            return len(first) if not self.anchored or len(text) == len(first) else -1
        return self._end_of_rest(text, len(first), rest)

    def _end_of_rest(self, text: str, at: int, rest: list[str]) -> int:
        last = rest.pop() if self.anchored else ""
        for piece in rest:
            found = text.find(piece, at)
            if found < 0:
                return -1
            at = found + len(piece)
        if not self.anchored:
            return at
        return len(text) if text.endswith(last) and len(text) - len(last) >= at else -1


def glob(text: str, *, escape: bool = False, anchored: bool = False) -> Glob:
    r"""Compile `text`: `*` is any run; with `escape`, `\*` is a star itself."""
    if not escape or "\\*" not in text:
        return Glob(_joined(text.split("*")), anchored)
    pieces = [""]
    stretches = text.split("\\*")
    for number, stretch in enumerate(stretches):
        head, *tail = stretch.split("*")
        pieces[-1] += ("*" if number else "") + head
        pieces.extend(tail)
    return Glob(_joined(pieces), anchored)


def _joined(pieces: list[str]) -> tuple[str, ...]:
    """Two stars in a row are one: empty pieces between them go."""
    middle = [piece for piece in pieces[1:-1] if piece]
    return (pieces[0], *middle, pieces[-1]) if len(pieces) > 1 else (pieces[0],)


class PrefixIndex(Generic[Held]):
    """Values under the plain prefix of their pattern; a look-up asks a dictionary once for each length of prefix."""

    __slots__ = ("_lengths", "_values")

    def __init__(self, pairs: Iterable[tuple[str, Held]]) -> None:
        values: dict[str, list[Held]] = {}
        for prefix, value in pairs:
            values.setdefault(prefix, []).append(value)
        self._values = values
        self._lengths = tuple(sorted({len(prefix) for prefix in values}))

    def __bool__(self) -> bool:
        return bool(self._values)

    def under(self, text: str) -> Iterator[list[Held]]:
        """The lists of values whose prefix begins `text`, the shortest prefix first."""
        values, size = self._values, len(text)
        for length in self._lengths:
            if length > size:
                return
            found = values.get(text[:length])
            if found is not None:
                yield found
