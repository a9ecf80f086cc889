"""When a page is looked at again.

Multiplicative: the interval of a page that did not change grows by half, that of one that changed is halved, between
the analyst's floor and ceiling (the adaptive policy of Cho and Garcia-Molina's "Effective page refresh policies" in its
simplest form). Times are seconds since the epoch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.settings import Recrawl

LESS_OFTEN = 1.5
MORE_OFTEN = 0.5


def next_interval(interval: float | None, changed: bool | None, recrawl: Recrawl) -> float:
    """Seconds until the next look. `interval` is the last one (None: never looked before), `changed` what it showed.

    `changed` None means that nothing could be learnt (a failure): the interval stays.
    """
    if interval is None or interval <= 0:
        return _bounded(recrawl.first, recrawl)
    if changed is None:
        return _bounded(interval, recrawl)
    return _bounded(interval * (MORE_OFTEN if changed else LESS_OFTEN), recrawl)


def next_due(fetched: float, interval: float, lastmod: float | None = None) -> float:
    """When a page fetched at `fetched` is due; a sitemap's lastmod after that moment brings it forward to lastmod."""
    due = fetched + interval
    if lastmod is not None and lastmod > fetched:
        return min(due, lastmod)
    return due


def _bounded(interval: float, recrawl: Recrawl) -> float:
    # A floor above the ceiling is a slip of the analyst; the gentler of the two, the floor, wins.
    return max(float(recrawl.shortest), min(float(recrawl.longest), float(interval)))
