"""The links of a pasted page, with the lines they stand on.

A scan for tags, not a parser: it needs no tree, and its time grows with the length of the text whatever stands in it.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from core.urls import Rejected, Url, parse, parse_seed_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_PAGES = ("#", "mailto:", "tel:", "javascript:", "data:", "sms:", "about:", "blob:")
_TAG = re.compile(
    r"""<(a|area|base)(?=[\s/])((?:[^>"']{1,2000}+|"[^"]{0,9000}+"|'[^']{0,9000}+'){0,200}+)""", re.IGNORECASE
)
_HREF = re.compile(r"""(?<![^\s"'/])href\s{0,20}+=\s{0,20}+("[^"]*+"|'[^']*+'|[^\s"']++)""", re.IGNORECASE)
_NOT_SHOWN = (("<!--", "-->"), ("<script", "</script"))


def links_of(text: str, base: str) -> Iterator[tuple[int, str, Url | Rejected]]:
    """Line, spelling and URL of each link; those that lead to no page (mail, scripts, places within) are left out."""
    given = parse(base)
    place = given if isinstance(given, Url) else None
    for line, tag, href in _references(text):
        if tag == "base":
            inner = parse(href, place)
            place = inner if isinstance(inner, Url) else place
        elif href and not href.lower().startswith(_NO_PAGES):
            yield line, href, _resolved(href, place)


def _references(text: str) -> Iterator[tuple[int, str, str]]:
    for begin, end in _NOT_SHOWN:
        text = _without(text, begin, end)
    line, at = 1, 0
    for found in _TAG.finditer(text):
        href = _HREF.search(found.group(2))
        if href:
            line += text.count("\n", at, found.start())
            at = found.start()
            yield line, found.group(1).lower(), unescape(href.group(1).strip("\"'")).strip()


def _without(text: str, begin: str, end: str) -> str:
    """Without what stands between two marks; the lines keep their numbers."""
    kept: list[str] = []
    at = 0
    while (start := text.find(begin, at)) >= 0:
        stop = text.find(end, start)
        if stop < 0:
            break
        kept += [text[at:start], "\n" * text.count("\n", start, stop)]
        at = stop + len(end)
    return "".join((*kept, text[at:]))


def _resolved(href: str, place: Url | None) -> Url | Rejected:
    if place is not None:
        return parse(href, place)
    url = parse_seed_line(href)
    if isinstance(url, Rejected) and url.code == "scheme" and "://" not in href:
        return Rejected("scheme", "A relative link, and the pasted page does not say where it came from.")
    return url
