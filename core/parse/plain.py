"""Plain text: it has words, and no links (a URL in it is text, as in a browser)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.parse.charset import decode
from core.parse.page import ParsedPage
from core.parse.text import clean

if TYPE_CHECKING:
    from core.parse.page import ParseOptions

TYPES = frozenset({"text/plain"})


def read(body: bytes, charset: str | None, options: ParseOptions) -> ParsedPage:  # noqa: ARG001 - a handler's shape
    """The words of a text."""
    source, encoding = decode(body, charset, markup=False)
    return ParsedPage(source=source, encoding=encoding, text=clean(" ".join(source.split())))
