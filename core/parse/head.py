"""What a page says about itself: title, base, canonical, robots, language.

The first `<title>` of HTML counts (SVG has titles too), the first `<base href>`, the first canonical link. A base that
is neither relative nor http(s) is ignored (HTML standard, "set the frozen base URL").
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from core.parse.robots_directives import directives
from core.parse.schemes import LEADING
from core.parse.text import TITLE_BYTES, clipped_bytes, collapsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Document, Element

LANGUAGE_CHARACTERS = 35  # BCP 47, section 4.4.1

MAX_OF_A_KIND = 1000  # of 300,000 <meta> in a page nobody means more than the first few
MOST_CANONICALS = 3  # a second one is enough to doubt the first

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
        canonicals=tuple(islice(dict.fromkeys(_canonicals(found["link"])), MOST_CANONICALS)),
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


def _canonicals(links: Iterable[Element]) -> Iterator[str]:
    for link in links:
        href = (link.attr("href") or "").strip(LEADING)
        if href and "canonical" in (link.attr("rel") or "").lower().split():
            yield href


def _robots(metas: Iterable[Element], names: set[str]) -> frozenset[str]:
    meant = (meta for meta in metas if (meta.attr("name") or "").strip().lower() in names)
    return frozenset().union(*(directives(meta.attr("content") or "") for meta in meant))


def _language(document: Document) -> str:
    root = document.root
    if root is None:
        return ""
    return collapsed(root.attr("lang") or root.attr("xml:lang") or "", LANGUAGE_CHARACTERS)
