"""A page as it was answered, kept or fetched just now: what rules are tried on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.fetch.content_type import content_type
from core.parse import ParseOptions, parse_page

if TYPE_CHECKING:
    from core.parse import ParsedPage

MOST_OCTETS = 50 * 1024 * 1024  # of a body


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


def kept_source(url: str, head: bytes, body: bytes) -> PageSource | None:
    """A page out of a kept response; None where the stored bytes are not what was kept, or are too many."""
    import zstandard  # only who looks into kept responses needs it

    try:
        headers = [(str(name), str(value)) for name, value in json.loads(head)["headers"]]
        if zstandard.frame_content_size(body) > MOST_OCTETS:
            return None
        content = zstandard.decompress(body, MOST_OCTETS)
    except (zstandard.ZstdError, ValueError, KeyError, TypeError):
        return None
    kind, charset = content_type([value.encode() for name, value in headers if name.lower() == "content-type"])
    return PageSource(url, kind, charset, content)
