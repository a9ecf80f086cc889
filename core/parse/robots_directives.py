"""What a page asks of robots: `<meta name="robots">` and the `X-Robots-Tag` header.

Directives for all robots and those for our product token add up; the stricter wins, as the large search engines say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_CHARACTERS = 4096

_AGENT = re.compile(r"[\w.-]++\Z")
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def directives(content: str) -> frozenset[str]:
    """The lower-case directives of a meta tag's content; `none` stands there as noindex and nofollow too."""
    return _spelled_out(part.strip().lower() for part in content[:MAX_CHARACTERS].split(","))


def header_robots(headers: Iterable[tuple[str, str]], token: str) -> frozenset[str]:
    """The directives of all `X-Robots-Tag` headers that are meant for everyone or for `token`."""
    values = (value for name, value in headers if name.lower() == "x-robots-tag")
    return _spelled_out(directive for value in values for directive in _for_agent(value, token.lower()))


def _for_agent(value: str, token: str) -> Iterator[str]:
    agent = ""
    for part in value[:MAX_CHARACTERS].lower().split(","):
        name, colon, rest = (piece.strip() for piece in part.partition(":"))
        if colon and name not in _VALUED and _AGENT.match(name):
            agent, directive = name, rest
        else:
            directive = part.strip()
        if agent in {"", "*", token}:
            yield directive


def _spelled_out(found: Iterable[str]) -> frozenset[str]:
    words = frozenset(word for word in found if word)
    return words | {"noindex", "nofollow"} if "none" in words else words
