"""The images of a `srcset` (HTML standard, "parse a srcset attribute").

A comma ends a URL only where white space or the attribute's end follows it: image services put commas in their paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = " \t\n\f\r"


def srcset_urls(srcset: str) -> Iterator[str]:
    """The raw URLs in their order; descriptors are read over."""
    position = 0
    while position < len(srcset):
        if srcset[position] in _SPACE or srcset[position] == ",":
            position += 1
            continue
        end = _end_of_word(srcset, position)
        word = srcset[position:end]
        url = word.rstrip(",")
        position = end if url != word else _end_of_descriptors(srcset, end)
        yield url


def _end_of_word(text: str, position: int) -> int:
    while position < len(text) and text[position] not in _SPACE:
        position += 1
    return position


def _end_of_descriptors(text: str, position: int) -> int:
    in_parentheses = False
    while position < len(text):
        char = text[position]
        if char == "," and not in_parentheses:
            return position
        if char in "()":
            in_parentheses = char == "("
        position += 1
    return position
