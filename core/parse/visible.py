"""What a reader sees of a page: the text of its body without scripts, styles, templates and what noscript offers.

The library's own text view pads table columns (one wide cell makes every row as wide), so it is not used here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from core.parse.nesting import outside
from core.parse.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

HIDDEN = frozenset({"script", "style", "noscript", "template"})


def visible_text(document: Document) -> str:
    """The visible words in document order, with one space between them; empty where there is no body."""
    body = document.find("body")
    if body is None:
        return ""
    strings = _without(list(body.strings), _hidden_strings(body))
    return clean(" ".join(" ".join(strings).split()))


def _hidden_strings(body: Element) -> Iterator[str]:
    return chain.from_iterable(element.strings for element in outside(body, (), HIDDEN))


def _without(strings: list[str], hidden: Iterator[str]) -> Iterator[str]:
    """Both are in document order, so one walk through `strings` finds every hidden one."""
    start = 0
    for string in hidden:
        end = strings.index(string, start)
        yield from strings[start:end]
        start = end + 1
    yield from strings[start:]
