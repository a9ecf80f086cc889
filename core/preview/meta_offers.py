"""The fields that a page's meta tags (Open Graph, Dublin Core, plain names) and microdata offer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from core.preview.naming import spelled_name
from core.preview.offers import Asked, RecordOffer, key_among, named_apart
from core.settings import FieldRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document

    from core.extract.place import Source

MOST_NAMES = 60

# What tells browsers, robots and other programs how to treat the page, and nothing of what is on it.
TECHNICAL = frozenset(
    """viewport charset robots googlebot bingbot generator theme-color color-scheme format-detection
    referrer apple-itunes-app application-name mobile-web-app-capable handheldfriendly mobileoptimized og:type
    og:site_name og:locale og:image:width og:image:height og:image:type og:image:secure_url twitter:card twitter:site
    twitter:creator fb:app_id fb:admins fb:pages""".split()
)
VAGUE = frozenset("amount currency url name alt".split())  # say nothing without the word before them
STARTS = ("msapplication-", "apple-", "csrf-", "google-", "twitter:app:", "al:")
ENDS = ("-verification", "-token", "verify-v1")


def meta_offers(source: Source) -> tuple[RecordOffer, ...]:
    """One offer for the meta tags and one for microdata, where the page has them."""
    if source.document is None:
        return ()
    asked = Asked.page(source)
    made = []
    for title, names in (("Meta tags", _meta_names(source.document)), ("Microdata", _item_names(source.document))):
        fields = named_apart(
            asked.field(_field_name(name), FieldRule(meta=name)) for name in islice(dict.fromkeys(names), MOST_NAMES)
        )
        if fields:
            made.append(RecordOffer("meta", title, fields, key_among(fields)))
    return tuple(made)


def _meta_names(document: Document) -> Iterator[str]:
    for element in document.iter_elements(("meta",)):
        for attribute in ("property", "name", "itemprop"):
            name = (element.attr(attribute) or "").strip()
            if name and not _is_technical(name.lower()):
                yield name
                break


def _item_names(document: Document) -> Iterator[str]:
    for element in document.iter_elements():
        if element.tag != "meta":
            yield from (element.attr("itemprop") or "").split()


def _field_name(name: str) -> str:
    words = name.split(":")
    if len(words) > 1 and words[-1] in VAGUE:
        return spelled_name(f"{words[-2]}_{words[-1]}").removesuffix("_amount") or "field"
    return spelled_name(name) or "field"


def _is_technical(name: str) -> bool:
    return name in TECHNICAL or name.startswith(STARTS) or name.endswith(ENDS)
