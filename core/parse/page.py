"""What one page said: a frozen value, free of the library that read it (but for the opaque `document`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from turbohtml import Document

Kind = Literal["a", "area", "next", "prev", "alternate", "iframe", "frame", "form", "refresh", "resource"]

MAX_LINKS = 5000


class Link(Struct, frozen=True, gc=False):
    """One reference, as it stands in the page: `href` is raw and relative to the page's base.

    `rel` holds lower-case words with one space between them; `text` is collapsed, at most 200 characters.
    """

    href: str
    kind: Kind
    rel: str = ""
    text: str = ""

    @property
    def nofollow(self) -> bool:
        """Whether the page asks not to follow it."""
        return "nofollow" in self.rel.split()


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What the crawl wants of its pages. `product_token` is the crawler's name in robots directives."""

    forms: bool = False
    resources: bool = False
    product_token: str = "fronteira"  # noqa: S105 - a name, no secret
    max_links: int = MAX_LINKS


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """The facts of a page. A page that could not be parsed has an `error` and keeps what was learned before.

    `base` and `canonical` are raw; `canonical` is relative to `base`, `base` to the page's URL. `other_canonicals` are
    spellings beside the first, for a page should name one. `source` is the decoded body, `text` what a reader sees,
    words with one space between them. `encoding` is the lower-case name of the WHATWG standard. `robots` holds
    lower-case directives; `none` stands there as `noindex` and `nofollow` too.
    """

    title: str = ""
    base: str | None = None
    canonical: str | None = None
    other_canonicals: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    truncated_links: bool = False
    robots: frozenset[str] = frozenset()
    encoding: str = "utf-8"
    language: str = ""
    source: str = ""
    text: str = ""
    needs_javascript: bool = False
    document: Document | None = None
    error: Literal["parse"] | None = None
    detail: str = ""
