"""One line of a list of seeds, as a person types it."""

from __future__ import annotations

import re

from core.urls.parser import clean, parse
from core.urls.url import Rejected, Url

_HEAD = re.compile(r"([^/?#:@]++)(?::[0-9]++)?+(?=[/?#]|\Z)")


def parse_seed_line(text: str) -> Url | Rejected:
    """Like `parse`, but a line that only lacks its scheme is answered with the URL that was probably meant.

    It is never completed in silence: whether a site is asked over http or https is the analyst's to say.
    """
    parsed = parse(text)
    if isinstance(parsed, Url) or parsed.code != "scheme":
        return parsed
    meant = _meant(text)
    if meant is None:
        return parsed
    return Rejected("scheme", f"The scheme is missing; did you mean “{meant}”?")


def _meant(text: str) -> str | None:
    written = clean(text).lstrip("/\\")
    head = _HEAD.match(written)
    if head is None or ("." not in head.group(1) and head.group(1).lower() != "localhost"):
        return None
    url = parse("https://" + written)
    return url.text if isinstance(url, Url) else None
