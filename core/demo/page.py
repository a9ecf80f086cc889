"""One page of the sample site, before faults and validators."""

from __future__ import annotations

from dataclasses import dataclass

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    """What a URL holds. `version` is the last round in which it changed; 0: as it was first put up."""

    body: bytes
    status: int = 200
    content_type: str = HTML
    headers: tuple[tuple[str, str], ...] = ()
    version: int = 0


def number_in(text: str) -> int | None:
    """The number in a part of a path, in the site's own spelling only: /product/007 is no page."""
    if not (text.isascii() and text.isdecimal() and len(text) < 13):
        return None
    return int(text) if text == str(int(text)) else None
