"""A page as it was answered, kept or fetched just now: what rules are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.parse import ParseOptions, parse_page

if TYPE_CHECKING:
    from core.parse import ParsedPage


@dataclass(frozen=True, slots=True)
class PageSource:
    """`url` is where it was found; `charset` the label of its header, if it has one."""

    url: str
    content_type: str
    charset: str | None
    body: bytes

    def read(self) -> ParsedPage:
        """The page as the crawl would read it. Never raises."""
        return parse_page(self.body, self.content_type, self.charset, ParseOptions())
