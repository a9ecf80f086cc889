"""The shop: listings /list/K and products /product/N, exact to the page, at any scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo.chance import mix, unit
from core.demo.change import version_of
from core.demo.oddities import active_oddities
from core.demo.page import Page
from core.demo.words import ROOMS, STUFFS

if TYPE_CHECKING:
    from core.demo.layout import Layout
    from core.demo.options import SiteOptions

PRICES = 4096  # all different, so that a changed price is another price
DUPLICATE, NEAR, MISSING, PLAIN = "duplicate", "near", "missing", "plain"


class Shop:
    """Makes the pages of the shop. `sites` are the hosts' names with port, the shop's own first."""

    def __init__(self, options: SiteOptions, layout: Layout, sites: tuple[str, ...]) -> None:
        self._options = options
        self._layout = layout
        self._sites = sites
        self._oddities = active_oddities(options)
        self._mixed = bool(options.dup_rate or options.neardup_rate or options.soft404_rate)

    def listing(self, host: int, number: int) -> Page | None:
        """One listing with its products and the next listing, or None beyond the last one."""
        options = self._options
        if not 0 <= number < options.listings:
            return None
        version = version_of(options, host, f"/list/{number}")
        first = number * options.per_listing
        items = "".join(
            f'<li><a href="/product/{n}">{self._layout.name(n)}</a><em>{price(n)}</em></li>\n'
            for n in range(first, first + options.per_listing)
        )
        following = f'<a rel="next" href="/list/{number + 1}">Next</a>' if number + 1 < options.listings else ""
        trap = '<a href="/trap/">Events</a>' if options.trap_link else ""
        title = f"{ROOMS[number % len(ROOMS)]} {number}"
        main = f"<h1>{title}</h1><small>Edition {version}</small><ol>\n{items}</ol>{following}{trap}\n"
        return Page(self._layout.document(title, main, mix(options.seed, "list", number)), version=version)

    def product(self, host: int, number: int, canonical: str = "") -> Page | None:
        """One product, or None if the shop has no such number. `canonical` names the page's own address."""
        if not 0 <= number < self._options.products:
            return None
        kind = self.kind(number)
        if kind == MISSING:
            return Page(self._layout.document("Page not found", "<h1>Sorry, we could not find that page</h1>", 0))
        shown = number if kind == PLAIN else self._original(number)
        version = version_of(self._options, host, f"/product/{shown}")
        noindex = (
            bool(self._options.noindex_rate) and unit(self._options.seed, "noindex", shown) < self._options.noindex_rate
        )
        head = f'<link rel="canonical" href="{canonical}">\n' if canonical else ""
        if noindex and shown % 2 == 0:
            head += '<meta name="robots" content="noindex">\n'
        main = self._goods(shown, version) + (self._visitors(number) if kind == NEAR else "")
        main += self._links(host, shown) + "".join(odd(shown, self._sites[host]) for odd in self._oddities)
        body = self._layout.document(self._layout.name(shown), main, mix(self._options.seed, "product", shown), head)
        robots = (("X-Robots-Tag", "noindex"),) if noindex and shown % 2 else ()
        return Page(body, headers=robots, version=version)

    def kind(self, number: int) -> str:
        """What a product page is: plain, an exact or near copy of a plain one, or a soft 404."""
        if not self._mixed:
            return PLAIN
        options = self._options
        chance = unit(options.seed, "kind", number)
        if chance < options.dup_rate:
            return DUPLICATE
        if chance < options.dup_rate + options.neardup_rate:
            return NEAR
        return MISSING if chance < options.dup_rate + options.neardup_rate + options.soft404_rate else PLAIN

    def _original(self, number: int) -> int:
        """The plain product that a copy shows; the copy itself in a shop without any."""
        products = self._options.products
        start = mix(self._options.seed, "original", number) % max(1, products // 50)
        for step in range(products):
            if self.kind((start + step) % products) == PLAIN:
                return (start + step) % products
        return number

    def _goods(self, number: int, version: int) -> str:
        name = self._layout.name(number)
        room = number // self._options.per_listing
        tags = "".join(
            f'<span class="tag">{STUFFS[(number * k + k) % len(STUFFS)].lower()}</span> ' for k in (3, 7, 11)
        )
        return (
            f'<nav class="breadcrumb"><a href="/list/{room}">{ROOMS[room % len(ROOMS)]}</a> / {name}</nav>\n'
            f'<h1>{name}</h1>\n<p><span class="sku">{sku(number)}</span></p>\n'
            f'<p><span class="price">{price(number, version)}</span> <span class="currency">EUR</span></p>\n'
            f"<p>{tags}</p>\n{self._jsonld(number, version) if self._options.jsonld else ''}"
        )

    def _jsonld(self, number: int, version: int) -> str:
        return (
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",'
            f'"name":"{self._layout.name(number)}","sku":"{sku(number)}","offers":{{"@type":"Offer",'
            f'"price":"{price(number, version)}","priceCurrency":"EUR"}}}}</script>\n'
        )

    def _visitors(self, number: int) -> str:
        visitors = mix(self._options.seed, "visitors", number) % 5000
        return f'<p class="visitors">{visitors} people looked at this today</p>\n'

    def _links(self, host: int, number: int) -> str:
        """Goods that go with this one, and now and then a word about another site."""
        products = self._options.products
        near = "".join(
            f'<li><a href="/product/{other}">{self._layout.name(other)}</a></li>\n'
            for other in ((number * k + k) % products for k in (2, 5, 9, 14))
        )
        away = ""
        if len(self._sites) > 1 and self._options.cross_links and number % 10 == 0:
            away_to = self._sites[(host + 1 + number // 10 % (len(self._sites) - 1)) % len(self._sites)]
            away = f'<p><a href="http://{away_to}/">Read about it elsewhere</a></p>\n'
        return f"<h2>Goes well with</h2><ul>{near}</ul>{away}"


def sku(number: int) -> str:
    """The natural key of a product."""
    return f"SKU-{number:07d}"


def price(number: int, version: int = 0) -> str:
    """A price in euros; another one in every version."""
    cents = 100 + (number * 2477 + version * 1543) % PRICES * 24 + number % 24
    return f"{cents // 100}.{cents % 100:02d}"
