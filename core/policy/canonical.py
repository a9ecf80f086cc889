"""Whether a page's word on its canonical is believed: the whole decision, in one place. Pure.

`rel=canonical` is the site's own word, and can be wrong. Sources: RFC 6596, section 3 (the page that is named has the
same content or more, and is neither the source of a redirect nor names another in turn); Google Search Central, "5
common mistakes with rel=canonical" and "How to specify a canonical URL" (it exists, is no error and no soft error, is
not forbidden by robots.txt; of several that are named none counts). Sites name what redirects or names another in turn
all the same: such a chain is followed to its end, so that one thing has one record. A page that is named is

    not answered so far                         believed until it answers
    a page that names itself, or nobody         believed: the end of the chain
    a page that names another                   followed; it is the end itself where that one is not believed
    redirecting                                 followed; where it ends at the page that names it, that names itself
    404, 410, any 4xx but 408 and 429           not believed
    5xx, 408, 429, no answer, a soft block      not believed, unless it was a page before: a bad hour moves no record
    of a type that the crawl does not take      not believed
    refused, excluded, blocked by robots.txt    not believed: nobody may look
    of a host whose authorisation has ended     believed as before: the analyst's date says nothing of the page
    named by thirty pages of different content  not believed, for good
    in a ring of pages, or leading into one     not believed
    more than ten steps away from the end       not believed

`noindex` on the page that is named changes nothing: it speaks of an index, not of which page is which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policy.authorisation import WORD as AUTHORISATION
from core.policy.words import UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Callable

OFF, CONFLICTING, INVALID, CONTENTS = "off", "conflicting", "invalid", "contents"
CHAINED, LOOPING, RING, ITSELF, REDIRECT = "chained", "looping", "ring", "itself", "redirect"

MOST_STEPS = 10  # of a chain, redirects among them: as many as redirects are followed in a row
NOBODY = 0  # no page has this id

_FOR_NOW = frozenset({408, 429})  # and every 5xx
_FOR_GOOD = frozenset({"error:blocked", "error:redirect"})


@dataclass(frozen=True, slots=True)
class Named:
    """What is known of a page that another names as its canonical.

    `barred` is the documented reason of a URL that is refused, excluded or blocked, or CONTENTS. `outcome` is that of
    its last answer, empty before the first. `is_page`: that answer was a page that counts, copies and aliases included;
    `was_page`: one before it was. `next` is the id of the known page that it names in turn, or redirects to.
    """

    barred: str = ""
    outcome: str = ""
    status: int | None = None
    content_type: str = ""
    soft_block: bool = False
    is_page: bool = False
    was_page: bool = False
    next: int | None = None

    @property
    def redirects(self) -> bool:
        return self.outcome == "redirect"


@dataclass(frozen=True, slots=True)
class End:
    """Where a chain of canonicals ends: the id of the page that is believed, or None and why there is none."""

    target: int | None
    doubt: str = ""


def follow(start: int, first: int, look: Callable[[int], Named]) -> End:
    """The end of the chain from a page that names another, both given by id; `look` tells what is known of an id.

    It hangs on what the pages say alone, never on the order in which they said it.
    """
    page, pages, hops, number = start, {start}, set[int](), first
    for _ in range(MOST_STEPS):
        if number == page:
            return _end(start, page, ITSELF)
        if number in pages:
            return End(None, LOOPING if number == start else RING)
        named = look(number)
        fault = REDIRECT if number in hops else doubt(named)
        if fault:
            return _end(start, page, f"{REDIRECT}: {fault}" if hops and fault != REDIRECT else fault)
        if named.next is None:
            return End(number)
        if named.redirects:
            hops.add(number)
        else:
            page, hops = number, set()
            pages.add(page)
        number = named.next
    return End(None, CHAINED)


def _end(start: int, page: int, fault: str) -> End:
    """No further than the last page that is believed."""
    return End(None, fault) if page == start else End(page)


def doubt(named: Named) -> str:
    """Why a page is not believed to be the canonical that others name, as a word or two; "" where it is.

    One that names another, or redirects, is judged for itself here: the step to the next one is not.
    """
    if named.barred and not _is_suspended(named):
        return named.barred
    if not named.outcome or named.is_page or (named.redirects and named.next is not None):
        return ""
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
        REDIRECT: f"redirects to a page that {in_a_clause(rest)}" if rest else "redirects to no page of this crawl",
        CHAINED: f"is more than {MOST_STEPS} steps away from the end of its chain of canonicals and redirects",
        LOOPING: "leads back, by its own canonical, to the page that names it",
        RING: "leads into a ring of pages that name each other",
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
        case "itself":
            return "The page that is named redirects back to this one: it stands for itself."
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
    if named.redirects:
        return REDIRECT
    if named.outcome not in {"ok", "not_modified"} or named.status is None:
        return f"error: {named.outcome.removeprefix('error:')}"
    if not 200 <= named.status < 300:
        return f"status: {named.status}"
    return "soft-block" if named.soft_block else f"content-type: {named.content_type}"[:200]
