"""The odd links of a shop, each by its own rate: dead ends, redirects, aliases, tracking, spellings, nofollow, private.

One more kind of odd link is one function and one line in ODDITIES.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.chance import mix, unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.demo.options import SiteOptions

    Odd = Callable[[int, str], str]  # (product shown, host:port) -> HTML


def active_oddities(options: SiteOptions) -> tuple[Odd, ...]:
    """The odd links that these options ask for; each gives an empty string for the pages it leaves alone."""
    return tuple(
        _at_rate(options, name, make) for name, make in ODDITIES if getattr(options, name) and options.products
    )


def _at_rate(options: SiteOptions, name: str, make: Callable[[SiteOptions, int, str], str]) -> Odd:
    rate = getattr(options, name)

    def odd(shown: int, site: str) -> str:
        return make(options, shown, site) + "\n" if unit(options.seed, name, shown) < rate else ""

    return odd


def _dead(_options: SiteOptions, number: int, _site: str) -> str:
    return f'<a href="/gone/{number}">Old model</a>'


def _redirect(options: SiteOptions, number: int, _site: str) -> str:
    kind = options.redirect_kinds[mix(options.seed, "redirect", number) % len(options.redirect_kinds)]
    return f'<a href="/go/{kind}/{number}">Short link</a>'


def _alias(_options: SiteOptions, number: int, _site: str) -> str:
    return f'<a href="/alias/{number}">Print view</a>'


def _tracking(_options: SiteOptions, number: int, _site: str) -> str:
    tail = ("utm_source=shop&amp;utm_campaign=spring", "gclid=abc123", "fbclid=xyz&amp;utm_medium=mail")[number % 3]
    return f'<a href="/product/{number}?{tail}">Recommend</a>'


def _spelling(_options: SiteOptions, number: int, site: str) -> str:
    spellings = (
        f"/%70roduct/{number}",
        f"/list/../product/./{number}",
        f"HTTP://{site.upper()}/product/{number}",
        f"//{site}/product/{number}#reviews",
    )
    return f'<a href="{spellings[number % 4]}">Reviews</a>'


def _nofollow(_options: SiteOptions, number: int, _site: str) -> str:
    return f'<a rel="nofollow" href="/quiet/{number}">Log in</a> <a href="/muted/{number}">Help</a>'


def _private(_options: SiteOptions, number: int, _site: str) -> str:
    return f'<a href="/private/{number}">Staff only</a>'


ODDITIES: tuple[tuple[str, Callable[[SiteOptions, int, str], str]], ...] = (
    ("dead_rate", _dead),
    ("redirect_rate", _redirect),
    ("alias_rate", _alias),
    ("tracking_rate", _tracking),
    ("spelling_rate", _spelling),
    ("nofollow_rate", _nofollow),
    ("private_rate", _private),
)
