"""What the window asks about a page while record types are written, and the answers. Plain values that can be sent.

Each question answers itself from the page as the crawl would read it; nothing of the crawl is touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.extract.trial import Trial
    from core.parse import ParsedPage
    from core.preview.offers import RecordOffer
    from core.preview.page_source import PageSource
    from core.preview.parts import Part, Pointed
    from core.settings import RecordType

LONGEST_SOURCE = 200_000  # characters of a page's text that are shown


@dataclass(frozen=True, slots=True)
class PageLook:
    """A page for the eye: its parts in their order, what it offers for a record, and its source as text.

    `cut` says that the source is longer; `note` why there is nothing to point at.
    """

    title: str = ""
    parts: tuple[Part, ...] = ()
    offers: tuple[RecordOffer, ...] = ()
    source: str = ""
    cut: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class PageKeys:
    """The natural keys of a page's records, None for one that has none, with the fields that are `missing`.

    `read` is false where the page is no HTML, or could not be read.
    """

    keys: tuple[str | None, ...] = ()
    missing: tuple[str, ...] = ()
    read: bool = True


@dataclass(frozen=True, slots=True)
class TryType:
    """What a record type reads on the page. `noindex`: the crawl reads no records from pages that ask for it."""

    page: PageSource
    kind: RecordType
    noindex: bool = False

    def answer(self, page: ParsedPage) -> Trial:
        """Every field before and after its cast."""
        from core.extract.trial import try_type

        trial = try_type(self.kind, page)
        if self.noindex and "noindex" in page.robots and not trial.note:
            return replace(trial, note="The page says noindex: the crawl reads no records from it.")
        return trial


@dataclass(frozen=True, slots=True)
class LookAt:
    """What there is on the page."""

    page: PageSource

    def answer(self, page: ParsedPage) -> PageLook:
        """Its parts, offers and source."""
        from core.preview.jsonld_offers import jsonld_offers
        from core.preview.meta_offers import meta_offers
        from core.preview.offers import source_of
        from core.preview.parts import parts_of
        from core.preview.repeated import repeated_offers

        text, cut = page.source[:LONGEST_SOURCE], len(page.source) > LONGEST_SOURCE
        if page.document is None:
            note = page.detail or "This is no page of HTML: no records are read from it."
            return PageLook(page.title, source=text, cut=cut, note=note)
        source = source_of(page.document, page.source)
        offers = (*jsonld_offers(source), *repeated_offers(source), *meta_offers(source))
        return PageLook(page.title, parts_of(page.document), offers, text, cut)


@dataclass(frozen=True, slots=True)
class PointAt:
    """The field that a click on an element (by its number on the page), or on its attribute, means."""

    page: PageSource
    number: int
    attribute: str = ""
    rows: str = ""

    def answer(self, page: ParsedPage) -> Pointed | None:
        """None where the page has no such element."""
        from core.errors import BadSelector
        from core.extract.css import checked
        from core.preview.parts import point

        if page.document is None:
            return None
        try:
            rows = checked(self.rows) if self.rows else ""
        except BadSelector:
            rows = ""  # it is told beside its field
        return point(page.document, self.number, self.attribute, rows)


@dataclass(frozen=True, slots=True)
class ReadKeys:
    """The natural keys that a record type gives on the page. Rules that do not compile count as finding nothing."""

    page: PageSource
    kind: RecordType

    def answer(self, page: ParsedPage) -> PageKeys:
        """One key a record."""
        from core.errors import BadSelector
        from core.extract import Extractor

        if page.error or page.document is None:
            return PageKeys(read=False)
        try:
            found = Extractor((self.kind,)).extract(page)
        except BadSelector:
            return PageKeys(read=False)
        missing = dict.fromkeys(name for each in found for name in each.missing)
        return PageKeys(tuple(each.natural_key for each in found), tuple(missing))
