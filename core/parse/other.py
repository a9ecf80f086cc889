"""Every content type that nobody reads: no title, no links, no text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.parse.page import ParsedPage

if TYPE_CHECKING:
    from core.parse.page import ParseOptions

TYPES: frozenset[str] = frozenset()


def read(body: bytes, charset: str | None, options: ParseOptions) -> ParsedPage:  # noqa: ARG001 - a handler's shape
    """Nothing."""
    return ParsedPage()
