"""The feeds that a page names in its head: `<link rel="alternate" type="application/rss+xml">` (RSS Autodiscovery)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.urls import Url, parse

if TYPE_CHECKING:
    from core.fetch.response import Fetched

_TYPES = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
MOST_FEEDS = 10


def feeds_named(fetched: Fetched, url: Url) -> tuple[Url, ...]:
    """The addresses of the RSS and Atom feeds of a fetched page, each once."""
    from core.parse import ParseOptions, parse_page  # brings the HTML parser

    page = parse_page(fetched.body, fetched.content_type, fetched.charset, ParseOptions())
    if page.document is None:
        return ()
    own = parse(page.base, url) if page.base else url
    base = own if isinstance(own, Url) else url
    found: dict[str, Url] = {}
    for link in page.document.iter_elements(("link",)):
        rel, kind, href = ((link.attr(name) or "").strip() for name in ("rel", "type", "href"))
        resolved = parse(href, base) if href else None
        if "alternate" in rel.lower().split() and kind.lower() in _TYPES and isinstance(resolved, Url):
            found.setdefault(resolved.text, resolved)
    return tuple(found.values())[:MOST_FEEDS]
