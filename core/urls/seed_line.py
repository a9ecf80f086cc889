"""One line of a list of seeds, as a person types it."""

from __future__ import annotations

import re

from core.urls.parser import clean, parse
from core.urls.url import Rejected, Url

_MOST_SHOWN = 200  # characters of what was probably meant
_HEAD = re.compile(r"([^/?#:@]++)(?::[0-9]++)?+(?=[/?#]|\Z)")


def parse_seed_line(text: str, *, charset: str = "utf-8") -> Url | Rejected:
    """Like `parse`, but a line that only lacks its scheme is answered with the URL that was probably meant.

    It is never completed in silence: whether a site is asked over http or https is the analyst's to say.
    """
    parsed = parse(text, charset=charset)
    if isinstance(parsed, Url) or parsed.code != "scheme":
        return parsed
    meant = meant_by(text)
    if meant is None:
        return parsed
    shown = meant if len(meant) <= _MOST_SHOWN else meant[: _MOST_SHOWN - 1] + "…"
    return Rejected("scheme", f"The scheme is missing; did you mean “{shown}”?")


def meant_by(text: str) -> str | None:
    """The URL that a line without its scheme probably means: a host of this machine or network seldom speaks https."""
    written = clean(text).lstrip("/\\")
    head = _HEAD.match(written)
    if head is None or ("." not in head.group(1) and head.group(1).lower() != "localhost"):
        return None
    url = parse(("http://" if _is_near(head.group(1)) else "https://") + written)
    return url.text if isinstance(url, Url) else None


def _is_near(host: str) -> bool:
    from ipaddress import ip_address  # only lines without a scheme need it

    name = host.lower().rstrip(".")
    try:
        return ip_address(name).is_private
    except ValueError:
        return name == "localhost" or name.endswith((".localhost", ".local", ".internal", ".lan", ".home.arpa"))
