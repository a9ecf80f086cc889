"""The sitemaps a robots.txt names: its `Sitemap:` lines, resolved against its own address, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.seeds.base import Found, Warned, clipped
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Iterable


def sitemaps_named(lines: Iterable[str], robots_url: str) -> tuple[tuple[Found, ...], tuple[Warned, ...]]:
    """Addresses and warnings out of the raw values of `Sitemap:` lines (Robots.sitemaps)."""
    place = parse(robots_url)
    base = place if isinstance(place, Url) else None
    found: dict[str, Found] = {}
    warnings: list[Warned] = []
    for written in lines:
        url = parse(written, base)
        if isinstance(url, Url):
            found.setdefault(url.text, Found(url.text))
        else:
            warnings.append(Warned(f"The sitemap “{clipped(written)}” in robots.txt was left out. {url.message}"))
    return tuple(found.values()), tuple(warnings)
