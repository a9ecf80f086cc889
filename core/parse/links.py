"""Every reference of a page, in document order: what can be followed, and by choice what is only shown.

Comments, scripts, text areas and templates hold no links; `noscript` does. One reader a kind of element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.parse.form import form_target
from core.parse.nesting import outside
from core.parse.page import Kind, Link
from core.parse.refresh import refresh_target
from core.parse.schemes import LEADING, is_skipped
from core.parse.srcset import srcset_urls
from core.parse.text import LINK_TEXT_CHARACTERS, clean, collapsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from turbohtml import Document, Element

    from core.parse.page import ParseOptions

# Beyond what any URL may have, so that a clipped one is rejected for its length and not changed.
HREF_CHARACTERS = 66_000

_TEMPLATE = frozenset({"template"})


def collect(
    document: Document, options: ParseOptions, *, has_base: bool, page_length: int
) -> tuple[tuple[Link, ...], bool]:
    """The links, and whether there were more than `options.max_links`; `page_length` is in characters.

    A bare fragment leads to the page itself and is left out, unless a base makes it lead elsewhere.
    A template's content is a pattern for scripts and no part of the page.
    """
    readers = _readers(options, page_length)
    found: list[Link] = []
    for element in outside(document, tuple(readers), _TEMPLATE):
        for link in readers[element.tag](element):
            if is_skipped(link.href) or (link.href.startswith("#") and not has_base):
                continue
            if len(found) == options.max_links:
                return tuple(found), True
            found.append(link)
    return tuple(found), False


def _readers(options: ParseOptions, page_length: int) -> dict[str, Callable[[Element], Iterator[Link]]]:
    readers = {"a": _Anchors(page_length).read, **_FOLLOWED, "template": _nothing}
    if options.forms:
        readers["form"] = _form
    if options.resources:
        readers |= _SHOWN
    return readers


def _nothing(_: Element) -> Iterator[Link]:
    return iter(())


def _link(element: Element, href: str | None, kind: Kind, text: str = "") -> Iterator[Link]:
    """The link, where there is a reference at all; an empty one leads to the page itself."""
    href = href.strip(LEADING) if href else ""
    if href:
        rel = element.attr("rel")
        yield Link(clean(href[:HREF_CHARACTERS]), kind, _words(rel) if rel else "", text)


def _words(rel: str) -> str:
    return collapsed(rel.lower(), LINK_TEXT_CHARACTERS)


class _Anchors:
    """Reads anchors while their texts together are no longer than the page.

    Anchors can nest (in SVG, in XML, across table cells), and each would repeat the text of those within.
    """

    def __init__(self, characters: int) -> None:
        self._left = characters

    def read(self, element: Element) -> Iterator[Link]:
        href = element.attr("href") or _old_href(element)
        if href:
            yield from _link(element, href, "a", self._text(element) or _image_text(element))

    def _text(self, element: Element) -> str:
        if self._left < 0:
            return ""
        text = element.text
        self._left -= len(text)
        return collapsed(text, LINK_TEXT_CHARACTERS)


def _old_href(element: Element) -> str | None:
    """A link of SVG as SVG 1.1 writes it (SVG 2, section 16.2.1, still reads it)."""
    href = element.attr("xlink:href")
    return href if href and element.namespace.value == "svg" else None


def _image_text(element: Element) -> str:
    image = element.find("img")
    return collapsed(image.attr("alt") or "", LINK_TEXT_CHARACTERS) if image is not None else ""


def _area(element: Element) -> Iterator[Link]:
    yield from _link(element, element.attr("href"), "area", collapsed(element.attr("alt") or "", LINK_TEXT_CHARACTERS))


def _iframe(element: Element) -> Iterator[Link]:
    yield from _link(element, element.attr("src"), "iframe")


def _frame(element: Element) -> Iterator[Link]:
    yield from _link(element, element.attr("src"), "frame")


def _head_link(element: Element) -> Iterator[Link]:
    """`next`, `prev` (and its old name `previous`) and `alternate`; an alternate style sheet is a resource."""
    words = (element.attr("rel") or "").lower().split()
    href = element.attr("href")
    if "next" in words:
        yield from _link(element, href, "next")
    elif "prev" in words or "previous" in words:
        yield from _link(element, href, "prev")
    elif "alternate" in words and "stylesheet" not in words:
        yield from _link(element, href, "alternate")


def _meta(element: Element) -> Iterator[Link]:
    if (element.attr("http-equiv") or "").strip().lower() == "refresh":
        yield from _link(element, refresh_target(element.attr("content") or ""), "refresh")


def _form(element: Element) -> Iterator[Link]:
    yield from _link(element, form_target(element), "form")


_RESOURCE_RELATIONS = frozenset({"stylesheet", "icon", "apple-touch-icon", "preload", "modulepreload", "manifest"})


def _linked_resource(element: Element) -> Iterator[Link]:
    if _RESOURCE_RELATIONS.intersection((element.attr("rel") or "").lower().split()):
        yield from _link(element, element.attr("href"), "resource")
    else:
        yield from _head_link(element)


def _resource(element: Element) -> Iterator[Link]:
    for name in ("src", "poster", "data"):
        yield from _link(element, element.attr(name), "resource")
    for url in srcset_urls(element.attr("srcset") or ""):
        yield from _link(element, url, "resource")


_FOLLOWED: dict[str, Callable[[Element], Iterator[Link]]] = {
    "area": _area,
    "link": _head_link,
    "meta": _meta,
    "iframe": _iframe,
    "frame": _frame,
}
_SHOWN: dict[str, Callable[[Element], Iterator[Link]]] = {
    "link": _linked_resource,
    **dict.fromkeys(("img", "source", "script", "video", "audio", "track", "embed", "object", "input"), _resource),
}
