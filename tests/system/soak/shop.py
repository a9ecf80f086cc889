"""The shop that is crawled in a soak, and what a whole crawl of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo import SiteOptions
from core.demo.change import version_of
from core.demo.shop import price, sku

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = SiteOptions(listings=6, per_listing=12, latency_ms=5, change_rate=0.2)
IN_FLIGHT = 4  # requests at once
LISTINGS = tuple(f"/list/{number}" for number in range(OPTIONS.listings))
PRODUCTS = tuple(f"/product/{number}" for number in range(OPTIONS.products))
PAGES = frozenset((*LISTINGS, *PRODUCTS))
NO_PAGES = ("/robots.txt", "/sitemap")  # what else is asked for

SETTINGS = """
name = "Shop"
[seeds]
urls = ["{root}/list/0"]
sitemaps = {sitemaps}
[scope]
exclude = {exclude}
[normalise]
index_pages = {index_pages}
[budgets]
max_depth = 100
[politeness]
delay = 0.0
per_host = 4
concurrency = 4
[[records]]
name = "product"
match = "/product/*"
key = "sku"
[records.fields]
sku = {{css = ".sku"}}
price = {{css = ".price", cast = "number"}}
{field}"""
NAME = 'name = {css = "h1"}\n'


def write_settings(
    file: Path,
    root: str,
    *,
    exclude: bool = False,
    index_pages: bool = False,
    sitemaps: bool = False,
    name: bool = False,
) -> Path:
    """The settings in a file: as they are in the end, or with what an analyst changes meanwhile."""
    text = SETTINGS.format(
        root=root,
        exclude='["/product/*7", "/list/3"]' if exclude else "[]",
        index_pages=str(index_pages).lower(),
        sitemaps='["auto"]' if sitemaps else "[]",
        field=NAME if name else "",
    )
    file.write_text(text, encoding="utf-8")
    return file


def prices(round_: int) -> dict[str, float]:
    """The price of every product in that round of the site, by its key."""
    options = SiteOptions(
        listings=OPTIONS.listings, per_listing=OPTIONS.per_listing, change_rate=OPTIONS.change_rate, round=round_
    )
    versions = {number: version_of(options, 0, f"/product/{number}") for number in range(options.products)}
    return {sku(number): float(price(number, version)) for number, version in versions.items()}


def pages_of(asked: dict[str, int]) -> dict[str, int]:
    """How often each page was asked for, by path, out of the site's log."""
    found = {key[key.find("/") :]: count for key, count in asked.items()}
    return {path: count for path, count in found.items() if not path.startswith(NO_PAGES)}
