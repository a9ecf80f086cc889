"""Which handler reads which content type.

A further content type is one file and one line in `HANDLERS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from core.parse import html, other, plain, xhtml
from core.parse.page import ParsedPage

if TYPE_CHECKING:
    from core.parse.page import ParseOptions


class Handler(Protocol):
    """One content type's reader, a module: `TYPES` are the lower-case media types that it reads."""

    @property
    def TYPES(self) -> frozenset[str]: ...  # noqa: N802 - a constant of the module that stands for the handler

    def read(self, body: bytes, charset: str | None, options: ParseOptions) -> ParsedPage:
        """The facts of a body; `charset` is the header's label. A ValueError becomes a page with an error."""


HANDLERS: tuple[Handler, ...] = (html, xhtml, plain)


def parse_page(body: bytes, content_type: str, charset: str | None, options: ParseOptions) -> ParsedPage:
    """The facts of a body; `content_type` may carry parameters, `charset` is the header's label.

    Never raises: what cannot be parsed is a page with `error`.
    """
    media_type = content_type[:256].partition(";")[0].strip().lower()
    try:
        return _handler(media_type).read(body, charset, options)
    except (ValueError, RecursionError, MemoryError) as fault:
        return ParsedPage(error="parse", detail=f"{type(fault).__name__}: {fault}"[:200])


def _handler(media_type: str) -> Handler:
    for handler in HANDLERS:
        if media_type in handler.TYPES:
            return handler
    return other
