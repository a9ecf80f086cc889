"""HTML: parsed as the HTML standard says, without scripting, so that `noscript` is read.

A page without a content type is HTML, as in a browser. A suspect page (guard.py) is not parsed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.parse.charset import decode
from core.parse.guard import suspicion
from core.parse.head import read_head
from core.parse.links import collect
from core.parse.page import ParsedPage
from core.parse.visible import visible_text

if TYPE_CHECKING:
    from turbohtml import Document

    from core.parse.page import Link, ParseOptions

TYPES = frozenset({"text/html", ""})

LITTLE_TEXT = 200  # characters
FEW_LINKS = 3


def read(body: bytes, charset: str | None, options: ParseOptions) -> ParsedPage:
    """The facts of a body of HTML."""
    source, encoding = decode(body, charset)
    if doubt := suspicion(source):
        return ParsedPage(source=source, encoding=encoding, error="parse", detail=doubt)
    return describe(parse(source), source, encoding, options)


def parse(source: str) -> Document:
    """The tree of a decoded page."""
    import turbohtml  # loaded with the first page: an engine sends its first request sooner

    return turbohtml.parse(source, positions=False, allow_declarative_shadow_roots=False)


def describe(document: Document, source: str, encoding: str, options: ParseOptions) -> ParsedPage:
    """The facts of a tree, whichever parser made it."""
    head = read_head(document, options.product_token)
    links, truncated = collect(document, options, has_base=head.base is not None, page_length=len(source))
    text = visible_text(document)
    return ParsedPage(
        title=head.title,
        base=head.base,
        canonical=head.canonicals[0] if head.canonicals else None,
        other_canonicals=head.canonicals[1:],
        links=links,
        truncated_links=truncated,
        robots=head.robots,
        encoding=encoding,
        language=head.language,
        source=source,
        text=text,
        needs_javascript=head.has_script and _is_empty_shell(text, links),
        document=document,
    )


def _is_empty_shell(text: str, links: tuple[Link, ...]) -> bool:
    return len(text) < LITTLE_TEXT and sum(link.kind != "resource" for link in links) < FEW_LINKS
