"""XHTML: read as XML, so that `<script/>` closes itself; what is not well-formed is read as HTML.

A browser would show an error instead. Most pages with this type are HTML that never met an XML parser, and an analyst
wants their links. Entities of a document type are not expanded: such a page is read as HTML too, and so is one of
absurd depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.parse import html
from core.parse.charset import decode
from core.parse.guard import suspicion, too_deep
from core.parse.page import ParsedPage

if TYPE_CHECKING:
    from turbohtml import Document

    from core.parse.page import ParseOptions

TYPES = frozenset({"application/xhtml+xml"})


def read(body: bytes, charset: str | None, options: ParseOptions) -> ParsedPage:
    """The facts of a body of XHTML."""
    source, encoding = decode(body, charset, xml=True)
    if doubt := suspicion(source):
        return ParsedPage(source=source, encoding=encoding, error="parse", detail=doubt)
    return html.describe(_parse(source), source, encoding, options)


def _parse(source: str) -> Document:
    if too_deep(source):
        return html.parse(source)
    import turbohtml  # loaded with the first page: an engine sends its first request sooner

    try:
        document = turbohtml.parse_xml(source)
    except turbohtml.HTMLParseError:
        return html.parse(source)
    return document if document.find("body") is not None else html.parse(source)
