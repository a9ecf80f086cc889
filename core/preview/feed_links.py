"""The feeds that a page names in its head: `<link rel="alternate" type="application/rss+xml">` (RSS Autodiscovery).

JSON Feed 1.1 names itself in the same way, as `application/feed+json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Feed
from core.urls import Url, parse

if TYPE_CHECKING:
    from core.fetch.response import Fetched

_RSS = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
_JSON = "application/feed+json"
MOST_FEEDS = 10


def feeds_named(fetched: Fetched, url: Url) -> tuple[Feed, ...]:
    """The RSS, Atom and JSON feeds of a fetched page as the settings write them, each address once."""
    from core.parse import ParseOptions, parse_page  # brings the HTML parser

    page = parse_page(fetched.body, fetched.content_type, fetched.charset, ParseOptions())
    if page.document is None:
        return ()
    own = parse(page.base, url) if page.base else url
    base = own if isinstance(own, Url) else url
    found: dict[str, Feed] = {}
    for link in page.document.iter_elements(("link",)):
        rel, kind, href = ((link.attr(name) or "").strip() for name in ("rel", "type", "href"))
        resolved = parse(href, base) if href else None
        feed = _feed(kind.lower(), resolved) if isinstance(resolved, Url) else None
        if "alternate" in rel.lower().split() and feed is not None:
            found.setdefault(feed.url, feed)
    return tuple(found.values())[:MOST_FEEDS]


def _feed(type_: str, url: Url) -> Feed | None:
    if type_ == _JSON:
        return Feed(url=url.text, format="json", path="$.items[*].url")
    return Feed(url=url.text, format="rss") if type_ in _RSS else None
