"""What a reader sees of a page: the text of its body without scripts, styles, templates and what noscript offers.

The library's own text view pads table columns (one wide cell makes every row as wide), so it is not used here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from core.parse.nesting import outside
from core.parse.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Document, Element

HIDDEN = frozenset({"script", "style", "noscript", "template"})

_MAIN = "main, [role=main]"
# What stands on every page of a site: by the element that is made for it, or by its role (HTML-AAM, landmarks).
_AROUND = "nav, header, footer, aside, " + ", ".join(
    f"[role={role}]" for role in ("navigation", "banner", "contentinfo", "complementary", "search")
)
_LEFT_OUT = f"{', '.join(sorted(HIDDEN))}, {_AROUND}"


def visible_text(document: Document) -> str:
    """The visible words in document order, with one space between them; empty where there is no body."""
    body = document.find("body")
    if body is None:
        return ""
    return clean(" ".join(_strings(body, outside(body, (), HIDDEN)).split()))


def main_text(document: Document) -> str:
    """The visible words of the page's own content: without navigation, header, footer and what stands aside.

    A page that says where its content is (`main`) is believed. All visible words where nothing else is left. Between
    two words there may be more white space than one.
    """
    body = document.find("body")
    if body is None:
        return ""
    main = body.select_one(_MAIN) or body
    text = _strings(main, _outermost(main, _LEFT_OUT))
    return visible_text(document) if not text or text.isspace() else text


def _strings(root: Element, left_out: Iterable[Element]) -> str:
    return " ".join(_without(list(root.strings), chain.from_iterable(element.strings for element in left_out)))


def _outermost(root: Element, selector: str) -> Iterator[Element]:
    """The elements that are meant, in document order, without those that lie within another of them."""
    meant = root.select(selector)
    inside: set[Element] = set()
    for element in meant:
        if element not in inside:
            inside.update(element.select(selector))
            yield element


def _without(strings: list[str], hidden: Iterator[str]) -> Iterator[str]:
    """Both are in document order, so one walk through `strings` finds every hidden one."""
    start = 0
    for string in hidden:
        end = strings.index(string, start)
        yield from strings[start:end]
        start = end + 1
    yield from strings[start:]
