"""Whether a page's word on its canonical is believed: the whole decision, in one place. Pure.

`rel=canonical` is the site's own word, and can be wrong. Sources: RFC 6596, section 3 (the page that is named has the
same content or more, and is neither the source of a redirect nor names another in turn); Google Search Central, "5
common mistakes with rel=canonical" and "How to specify a canonical URL" (it exists, is no error and no soft error, is
not forbidden by robots.txt; of several that are named none counts). A page that is named is

    not answered so far                         believed until it answers
    a page that names itself, or nobody         believed
    404, 410, any 4xx but 408 and 429           not believed
    5xx, 408, 429, no answer, a soft block      not believed, unless it was a page before: a bad hour moves no record
    of a type that the crawl does not take      not believed
    redirecting                                 not believed, wherever it leads
    naming another page of the crawl            not believed, whatever that one is: by its own word it is none
    refused, excluded, blocked by robots.txt    not believed: nobody may look
    of a host whose authorisation has ended     believed as before: the analyst's date says nothing of the page
    named by thirty pages of different content  not believed, for good

`noindex` on the page that is named changes nothing: it speaks of an index, not of which page is which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.policy.authorisation import WORD as AUTHORISATION
from core.policy.words import UNREACHABLE

OFF, CONFLICTING, INVALID, CONTENTS = "off", "conflicting", "invalid", "contents"
CHAINED, LOOPING, REDIRECT = "chained", "looping", "redirect"

_FOR_NOW = frozenset({408, 429})  # and every 5xx
_FOR_GOOD = frozenset({"error:blocked", "error:redirect"})


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of a page that another names as its canonical.

    `barred` is the documented reason of a URL that is refused, excluded or blocked. `names` says whom it names in turn.
    `outcome` is that of its last answer, empty before the first. `is_page`: that answer was a page that counts, copies
    and aliases included; `was_page`: one before it was.
    """

    barred: str = ""
    names: Literal["", "back", "another"] = ""
    outcome: str = ""
    status: int | None = None
    content_type: str = ""
    soft_block: bool = False
    is_page: bool = False
    was_page: bool = False


def doubt(named: Named) -> str:
    """Why a page is not believed to be the canonical that others name, as a word or two; "" where it is."""
    if named.barred and not _is_suspended(named):
        return named.barred
    if not named.outcome:
        return ""
    if named.is_page:
        return {"": "", "back": LOOPING, "another": CHAINED}[named.names]
    if named.was_page and _is_for_now(named):
        return ""
    return _fault(named)


def in_a_clause(reason: str) -> str:
    """A doubt as a clause about the page that is named: "answers 404"."""
    word, _, rest = reason.partition(":")
    rest = rest.strip()
    told = {
        "status": f"answers {rest}",
        "error": f"cannot be fetched ({rest})",
        "content-type": f"is no page that this crawl reads ({rest or 'no type'})",
        "soft-block": "fails the content checks",
        REDIRECT: "redirects",
        CHAINED: "names another page as its own canonical",
        LOOPING: "names this page in turn",
        CONTENTS: "is named by thirty pages of different content",
        "scope": "is outside the crawl's scope",
        "pattern": "is matched by no include pattern" if rest == "not included" else f"is excluded by {rest}",
        "robots": f"may not be fetched by robots.txt ({rest})",
        "unreachable": f"cannot be reached ({rest})",
        "private": "is a private place",
        "block-host": "is on a blocked host",
        "unknown": "is not known to this crawl",
    }
    return told.get(word, f"is refused ({reason})")


def why_not(reason: str) -> str:
    """A doubt as a sentence about the page that names the canonical."""
    match reason:
        case "":
            return ""
        case "off":
            return "Canonicals are not believed in this crawl (normalise.canonical is off)."
        case "conflicting":
            return "The page names several canonicals: none of them is believed."
        case "invalid":
            return "What the page names is no URL."
    return f"Not believed: the page that is named {in_a_clause(reason)}."


def _is_suspended(named: Named) -> bool:
    """What bars the page for a while says nothing of it, where it was a page."""
    if named.barred.startswith(AUTHORISATION):
        return True
    return (named.is_page or named.was_page) and named.barred.startswith((UNREACHABLE, "unreachable"))


def _is_for_now(named: Named) -> bool:
    if named.soft_block or (named.status is not None and (named.status >= 500 or named.status in _FOR_NOW)):
        return True
    return (named.outcome.startswith("error:") and named.outcome not in _FOR_GOOD) or named.outcome == "truncated"


def _fault(named: Named) -> str:
    if named.outcome == "redirect":
        return REDIRECT
    if named.outcome not in {"ok", "not_modified"} or named.status is None:
        return f"error: {named.outcome.removeprefix('error:')}"
    if not 200 <= named.status < 300:
        return f"status: {named.status}"
    return "soft-block" if named.soft_block else f"content-type: {named.content_type}"[:200]
