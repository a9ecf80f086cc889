"""What a page says about itself: title, base, canonical, robots, language.

The first `<title>` of HTML counts (SVG has titles too), the first `<base href>`, the first canonical link. A base that
is neither relative nor http(s) is ignored (HTML standard, "set the frozen base URL"). A canonical counts in `<head>`
alone, as search engines read it: in the body anybody may have written it, a comment's author too (Google Search
Central, "5 common mistakes with rel=canonical", and the HTML standard's link types, where it is not body-ok).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from core.parse.nesting import outside
from core.parse.robots_directives import directives
from core.parse.schemes import LEADING
from core.parse.text import TITLE_BYTES, clipped_bytes, collapsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document, Element

LANGUAGE_CHARACTERS = 35  # BCP 47, section 4.4.1

MAX_OF_A_KIND = 1000  # of 300,000 <meta> in a page nobody means more than the first few
MOST_CANONICALS = 3  # a second one is enough to doubt the first

_TEMPLATE = frozenset({"template"})
_TAGS = ("title", "base", "link", "meta", "script")


@dataclass(frozen=True, slots=True)
class Head:
    """The facts as ParsedPage has them, canonicals in order; `has_script` says that there is any script at all."""

    title: str
    base: str | None
    canonicals: tuple[str, ...]
    robots: frozenset[str]
    language: str
    has_script: bool


def read_head(document: Document, product_token: str) -> Head:
    """The facts, read from the whole document: a misplaced `<meta>` in the body counts too, as robots read it."""
    found: dict[str, list[Element]] = {tag: [] for tag in _TAGS}
    for element in document.iter_elements(_TAGS):
        kind = found[element.tag]
        if len(kind) < MAX_OF_A_KIND:
            kind.append(element)
    return Head(
        title=_title(found["title"]),
        base=_base(found["base"]),
        canonicals=_canonicals(document) if any(map(_is_canonical, found["link"])) else (),
        robots=_robots(found["meta"], {"robots", product_token.lower()}),
        language=_language(document),
        has_script=bool(found["script"]),
    )


def _title(titles: Iterable[Element]) -> str:
    for title in titles:
        if title.namespace.value == "html":
            return clipped_bytes(collapsed(title.text, TITLE_BYTES), TITLE_BYTES)
    return ""


def _base(bases: Iterable[Element]) -> str | None:
    for base in bases:
        href = base.attr("href")
        if href is not None:
            return _usable_base(href.strip(LEADING))
    return None


def _usable_base(href: str) -> str | None:
    before, colon, _ = href.partition(":")
    is_relative = not colon or not before[:1].isalpha() or any(char in before for char in "/?#\\")
    return href if href and (is_relative or before.lower() in {"http", "https"}) else None


def _is_canonical(link: Element) -> bool:
    return "canonical" in (link.attr("rel") or "").lower().split()


def _canonicals(document: Document) -> tuple[str, ...]:
    head = document.find("head")
    if head is None:
        return ()
    links = (element for element in outside(head, ("link",), _TEMPLATE) if element.tag == "link")
    named = (link.attr("href") or "" for link in islice(links, MAX_OF_A_KIND) if _is_canonical(link))
    hrefs = (href.strip(LEADING) for href in named)
    return tuple(islice(dict.fromkeys(filter(None, hrefs)), MOST_CANONICALS))


def _robots(metas: Iterable[Element], names: set[str]) -> frozenset[str]:
    meant = (meta for meta in metas if (meta.attr("name") or "").strip().lower() in names)
    return frozenset().union(*(directives(meta.attr("content") or "") for meta in meant))


def _language(document: Document) -> str:
    root = document.root
    if root is None:
        return ""
    return collapsed(root.attr("lang") or root.attr("xml:lang") or "", LANGUAGE_CHARACTERS)
