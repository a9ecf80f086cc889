"""Every page of the sample site, as a pure function of the options, the host's number, the target and the cookie."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING
from urllib.parse import unquote

from core.demo.journal import Journal
from core.demo.layout import Layout
from core.demo.maps import Maps
from core.demo.page import Page, number_in
from core.demo.redirects import redirect
from core.demo.shop import PLAIN, Shop, price, sku
from core.demo.trap import Trap

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.demo.options import SiteOptions

LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><rect width="40" height="40" rx="8" fill="#175"/>'
    b'<path d="M8 28h24l-4-8H12z" fill="#fff"/><text x="50" y="27" font-size="18" fill="#234">Harbour Row</text></svg>'
)


class Pages:
    """The site's pages. `sites` are the hosts as host:port; their order is the hosts' number."""

    def __init__(self, options: SiteOptions, sites: tuple[str, ...]) -> None:
        self.options = options
        self._sites = sites
        self._layout = Layout(options)
        self._shop = Shop(options, self._layout, sites)
        self._journal = Journal(options, self._layout, sites)
        self._trap = Trap(options, self._layout)
        self._maps = Maps(options, self._layout, sites, self._journal.sizes)
        self._numbered: dict[str, Callable[[int, int], Page | None]] = {
            "product": self._shop.product,
            "list": self._shop.listing,
            "p": self._journal.page,
            "alias": self._alias,
            "gone": self._gone,
            "quiet": self._quiet,
            "muted": self._muted,
            "private": self._private,
        }
        self._named: dict[str, Callable[[int], Page | None]] = {
            "/": self._front,
            "/robots.txt": self._maps.robots,
            "/sitemap.xml": self._maps.index,
            "/sitemap.txt": self._maps.text,
            "/feed.xml": self._maps.feed,
            "/static/logo.svg": lambda _host: Page(LOGO, content_type="image/svg+xml"),
            "/search": lambda host: self._simple("Search", "<p>Nothing was found.</p>", host),
        }

    def page(self, host: int, target: str, cookie: str = "") -> Page:
        """The page at a target (path and query as they stand in the request); a 404 page where there is none."""
        path, _, query = target.partition("?")
        if "%" in path:
            path = unquote(path)
        return self._find(host, path, query, cookie) or _missing()

    def expect(self) -> dict[str, object]:
        """What the site holds: the pages that can be reached without traps and odd links, and its records."""
        options = self.options
        shop = options.listings + options.products
        web = sum(self._journal.sizes)
        plain = sum(self._shop.kind(n) == PLAIN for n in range(options.products))
        shown = {"shop": shop + web, "web": web, "trap": options.trap_items + 1}
        return {
            "pages": shown[options.front],
            "records": plain,
            "shop_pages": shop,
            "listings": options.listings,
            "products": options.products,
            "web_pages": web,
            "trap_items": options.trap_items,
            "hosts": list(self._sites),
            "host_sizes": list(self._journal.sizes),
            "sku0": sku(0),
            "price0": price(0),
            "options": asdict(options),
        }

    def _find(self, host: int, path: str, query: str, cookie: str) -> Page | None:
        named = self._named.get(path)
        if named is not None:
            return named(host)
        room, _, rest = path[1:].partition("/")
        if room in self._numbered:
            number = number_in(rest)
            return None if number is None else self._numbered[room](host, number)
        if room == "trap":
            return self._trap.page(path, query)
        if room.startswith("sitemap-") and not rest:
            return self._maps.urlset(host, room)
        return self._redirect(host, path, cookie) if room == "go" else None

    def _front(self, host: int) -> Page | None:
        if self._journal.sizes[host]:
            return self._journal.page(host, 0)
        return self._trap.page("/trap/", "") if self.options.front == "trap" else self._shop.listing(host, 0)

    def _redirect(self, host: int, path: str, cookie: str) -> Page | None:
        alone = len(self._sites) == 1
        elsewhere = "http://elsewhere.example" if alone else f"http://{self._sites[(host + 1) % len(self._sites)]}"
        found = redirect(path, cookie, elsewhere)
        return self._shop.product(host, found) if isinstance(found, int) else found

    def _alias(self, host: int, number: int) -> Page | None:
        """Product `number` again; even numbers name their canonical in the head, odd ones in a Link header."""
        address = f"http://{self._sites[host]}/product/{number}"
        if number % 2 == 0:
            return self._shop.product(host, number, address)
        page = self._shop.product(host, number)
        if page is None:
            return None
        link = ("Link", f'<{address}>; rel="canonical"')
        return Page(page.body, headers=(*page.headers, link), version=page.version)

    def _gone(self, _host: int, number: int) -> Page:
        return Page(b"<title>Gone</title><h1>No longer sold</h1>\n", 410) if number % 2 else _missing()

    def _quiet(self, host: int, number: int) -> Page:
        return self._simple(f"Log in {number}", "<p>Only links that ask not to be followed lead here.</p>", host)

    def _muted(self, host: int, number: int) -> Page:
        text = f'<p>This page asks for its links not to be followed: <a href="/quiet/{number}">log in</a></p>'
        return self._simple(f"Help {number}", text, host, '<meta name="robots" content="nofollow">\n')

    def _private(self, host: int, number: int) -> Page:
        return self._simple(f"Staff {number}", "<p>robots.txt asks to stay away from here.</p>", host)

    def _simple(self, title: str, text: str, host: int, head: str = "") -> Page:
        return Page(self._layout.document(title, f"<h1>{title}</h1>{text}\n", host, head, chrome=False))


def _missing() -> Page:
    return Page(b"<!DOCTYPE html>\n<title>Not found</title><h1>Not found</h1>\n", 404)
