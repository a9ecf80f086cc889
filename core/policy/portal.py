"""Whether a redirect leads to a login or a portal instead of the page that was asked for. Pure.

A site that asks for a login, a captcha or a consent, and a network that asks for a voucher, answer every page by a
redirect to one of theirs. A crawl that goes on would fetch that invitation a thousand times and call it the site.
Many old pages that lead to one new page look alike, so that a redirect alone is no sign: one of these has to be there.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.urls import Url

RECENT = 20  # final answers of a host that are looked at
MANY = 10  # of them lead to one page, and no fewer than half
FOR_NOW = frozenset({302, 303, 307})  # a move for good (301, 308) to one page of another host is a move

_WORDS = re.compile(
    r"(?<![a-z])(log-?in|log-?on|sign-?in|sign-?on|auth|authenticate|authori[sz]e|oauth2?|sso|saml2?|cas|idp|account"
    r"|session|consent|captcha|challenge|hotspot|captive|portal|access-?denied|verify)(?![a-z])",
    re.IGNORECASE,
)


def portal(page: Url, target: Url, status: int | None) -> str:
    """The address, without its query, of the login or portal that a page's redirect leads to; empty where it is none.

    Its path or host says so, or its query brings along where to return to, or it is another host's, for now.
    """
    place = target.origin + target.path
    if place == page.origin + page.path:
        return ""
    named = _WORDS.search(target.path) or _WORDS.search(target.host)
    returns = len(page.path) > 1 and page.path in unquote(target.query)
    elsewhere = target.host != page.host and status in FOR_NOW and target.path != page.path
    return place if named or returns or elsewhere else ""


def common_portal(recent: Sequence[str]) -> str:
    """The one page that a host's last answers lead to (`portal` of each, oldest first), where they are too many."""
    found = Counter(place for place in recent if place).most_common(1)
    if not found or found[0][1] < max(MANY, len(recent) / 2):
        return ""
    return found[0][0]
