"""What a site says about itself: robots.txt (RFC 9309), sitemaps (sitemaps.org), a text list and an RSS 2.0 feed."""

from __future__ import annotations

import gzip
from email.utils import format_datetime
from typing import TYPE_CHECKING

from core.demo.change import changed_at, version_of
from core.demo.page import Page, number_in

if TYPE_CHECKING:
    from core.demo.layout import Layout
    from core.demo.options import SiteOptions

XML = "application/xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class Maps:
    """Makes the machine-read pages of every host; `sizes` are the hosts' numbers of /p/N pages."""

    def __init__(self, options: SiteOptions, layout: Layout, sites: tuple[str, ...], sizes: tuple[int, ...]) -> None:
        self._options = options
        self._layout = layout
        self._sites = sites
        self._sizes = sizes

    def robots(self, host: int) -> Page:
        """robots.txt, or a bare status where the options ask for one."""
        options = self._options
        if options.robots_status != 200:
            return Page(b"robots.txt is not at hand\n", options.robots_status, TEXT)
        delay = f"Crawl-delay: {options.crawl_delay:g}\n" if options.crawl_delay else ""
        return _text(
            f"User-agent: *\nDisallow: /private/\nDisallow: /search\n{delay}\n"
            f"Sitemap: {self._url(host, '/sitemap.xml')}\n"
        )

    def index(self, host: int) -> Page:
        """The sitemap index: urlsets, every other one compressed, and the text list."""
        count = -(-self._count(host) // self._options.sitemap_size)
        names = [f"/sitemap-{i}.xml{'.gz' if i % 2 == 0 else ''}" for i in range(count)]
        rows = "".join(
            f"<sitemap><loc>{self._url(host, name)}</loc><lastmod>{changed_at(self._options.round):%Y-%m-%d}</lastmod>"
            "</sitemap>\n"
            for name in [*names, "/sitemap.txt"]
        )
        return _xml(f'<sitemapindex xmlns="{SPACE}">\n{rows}</sitemapindex>\n')

    def urlset(self, host: int, name: str) -> Page | None:
        """One urlset by its file name, such as sitemap-3.xml or sitemap-0.xml.gz."""
        digits, _, ending = name.removeprefix("sitemap-").partition(".")
        number = number_in(digits)
        if number is None or ending != ("xml.gz" if number % 2 == 0 else "xml"):
            return None
        first = number * self._options.sitemap_size
        last = min(first + self._options.sitemap_size, self._count(host))
        if first >= last:
            return None
        rows = "".join(self._row(host, self._path(host, i)) for i in range(first, last))
        page = _xml(f'<urlset xmlns="{SPACE}">\n{rows}</urlset>\n')
        return page if ending == "xml" else Page(gzip.compress(page.body, 1, mtime=0), content_type="application/gzip")

    def text(self, host: int) -> Page:
        """The first pages of the host, an address a line."""
        some = range(min(self._count(host), 50, self._options.sitemap_size))
        return _text("".join(self._url(host, self._path(host, i)) + "\n" for i in some))

    def feed(self, host: int) -> Page:
        """The latest twenty pages as RSS."""
        count = self._count(host)
        rows = "".join(self._item(host, i) for i in range(count - 1, max(-1, count - 21), -1))
        return Page(
            f'{DECLARATION}<rss version="2.0"><channel><title>Harbour Row</title><link>{self._url(host, "/")}</link>'
            f"<description>New this week</description>\n{rows}</channel></rss>\n".encode("ascii"),
            content_type="application/rss+xml; charset=utf-8",
        )

    def _count(self, host: int) -> int:
        return self._sizes[host] or self._options.listings + self._options.products

    def _path(self, host: int, i: int) -> str:
        if self._sizes[host]:
            return f"/p/{i}"
        return f"/list/{i}" if i < self._options.listings else f"/product/{i - self._options.listings}"

    def _row(self, host: int, path: str) -> str:
        when = changed_at(version_of(self._options, host, path))
        return f"<url><loc>{self._url(host, path)}</loc><lastmod>{when.isoformat()}</lastmod></url>\n"

    def _item(self, host: int, i: int) -> str:
        path = self._path(host, i)
        when = format_datetime(changed_at(version_of(self._options, host, path)), usegmt=True)
        return (
            f"<item><title>{self._layout.name(i)}</title><link>{self._url(host, path)}</link>"
            f"<guid>{self._url(host, path)}</guid><pubDate>{when}</pubDate></item>\n"
        )

    def _url(self, host: int, path: str) -> str:
        return f"http://{self._sites[host]}{path}"


def _text(text: str) -> Page:
    return Page(text.encode("ascii"), content_type=TEXT)


def _xml(text: str) -> Page:
    return Page((DECLARATION + text).encode("ascii"), content_type=XML)
