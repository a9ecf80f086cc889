"""Where a feed that comes in pages goes on: one page further, never back to itself.

Sites say it in the feed (`<link rel="next">`, RFC 5005 section 3; `next_url`, JSON Feed 1.1) or in the answer's head
(`Link: <...>; rel="next"`, RFC 8288). The feed's own word counts first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.seeds.addresses import LONGEST_URL
from core.seeds.base import Found, Warned, clipped
from core.urls import Url, parse

if TYPE_CHECKING:
    from core.seeds.base import Arrived


def next_page(arrived: Arrived, named: str) -> tuple[Found | None, tuple[Warned, ...]]:
    """The page behind this one; `named` is what the feed itself says, raw. What is no address is a warning."""
    written = named.strip() or arrived.following.strip()
    if not written:
        return None, ()
    base = parse(arrived.base)
    url = parse(written, base if isinstance(base, Url) else None, max_length=LONGEST_URL)
    if not isinstance(url, Url):
        return None, (Warned(f"The next page “{clipped(written)}” was left out. {url.message}"),)
    return (None if url.text in {arrived.asked, arrived.base} else Found(url.text)), ()
