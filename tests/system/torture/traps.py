"""Generated spaces without end: each page is honest, and leads to ever more of its kind."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.system.torture.fault import Fault, anchors, document, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.torture.visit import Visit

PREFIX = "/trap/"
MOST = 500  # requests a trap may cost
_chance = random.Random(7)


def _calendar(visit: Visit) -> tuple[str, ...]:
    parts = visit.path.split("/")
    known = len(parts) > 4 and parts[3].isdigit() and parts[4].isdigit()
    year, month = (int(parts[3]), int(parts[4])) if known else (2026, 1)
    after = (year + (month == 12), month % 12 + 1)
    before = (year - (month == 1), (month - 2) % 12 + 1)
    return tuple(f"/trap/cal/{at}/{of}" for at, of in (after, before))


def _session(_: Visit) -> tuple[str, ...]:
    number = _chance.randrange(10**9)
    return (f"/trap/sid?sid={number}", f"/trap/sid?sid={number}&p=2")


def _facets(visit: Visit) -> tuple[str, ...]:
    chosen = visit.query.split("&") if visit.query else []
    further = [f"f{number}=1" for number in range(20) if f"f{number}=1" not in chosen]
    return tuple("/trap/facet?" + "&".join((*chosen, facet)) for facet in further)


def _soft(visit: Visit) -> tuple[str, ...]:
    return tuple(f"/trap/soft/{_number(visit) * 5 + nth + 1}" for nth in range(5))


def _deeper(visit: Visit) -> tuple[str, ...]:
    return (f"/trap/depth/{_number(visit) + 1}",)


def _number(visit: Visit) -> int:
    last = visit.path.rpartition("/")[2]
    return int(last) if last.isdigit() else 0


_LINKS: dict[str, Callable[[Visit], tuple[str, ...]]] = {
    "cal": _calendar,
    "path": lambda _: ("x/", "y/"),
    "sid": _session,
    "facet": _facets,
    "soft": _soft,
    "depth": _deeper,
}


async def enter(visit: Visit) -> None:
    """The answer to whatever lies below the prefix."""
    kind = visit.path.removeprefix(PREFIX).partition("/")[0]
    if kind == "r":
        await visit.send(b"HTTP/1.1 302 F\r\nLocation: /trap/r/%d\r\n" % (_number(visit) + 1))
        await visit.send(b"Content-Length: 0\r\nConnection: close\r\n\r\n")
    elif kind == "smi":
        await visit.reply(200, index_of(visit.site.url("a", f"/trap/smi/{_number(visit) + 1}")), "application/xml")
    else:
        links = _LINKS[kind](visit) if kind in _LINKS else ()
        title = f"trap {kind} {visit.target[-40:]}".replace("<", "")
        await visit.reply(200, document(title, anchors(*links) + "<p>lorem</p>"))


def index_of(address: str) -> bytes:
    """A sitemap index with one sitemap."""
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    entry = f"<sitemap><loc>{address}</loc></sitemap>"
    return f"<?xml version='1.0'?><sitemapindex xmlns='{space}'>{entry}</sitemapindex>".encode()


def _trap(name: str, does: str, start: str) -> Fault:
    body = document("trap", f"<a href='{start}'>enter</a>")
    prefix = PREFIX + name
    return page(f"trap-{name}", "trap", does, body, ("bounded", "ok"), trap=prefix, most_trapped=MOST)


FAULTS = (
    _trap("cal", "an endless calendar", "/trap/cal/2026/1"),
    _trap("path", "a relative link that repeats a segment for ever", "/trap/path/x/"),
    _trap("sid", "a new session at every link", "/trap/sid?sid=0"),
    _trap("facet", "2^20 combinations of facets", "/trap/facet?"),
    _trap("soft", "every path is a page with five new links", "/trap/soft/0"),
    _trap("depth", "one link deeper for ever", "/trap/depth/1"),
)
