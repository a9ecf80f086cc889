"""Which sitemaps of a site to read next: each once, at most three levels of index files below the first."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from core.seeds.base import Warnings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.seeds.base import Warned
    from core.seeds.sitemap import Sitemap

DEEPEST = 3
MOST_SITEMAPS = 5_000


class SitemapWalk:
    """A queue of sitemap addresses that ends by itself, whatever the index files say."""

    def __init__(self, roots: Iterable[str]) -> None:
        self._waiting: deque[tuple[str, int]] = deque()
        self._known: set[str] = set()
        self._warnings = Warnings()
        for address in roots:
            self._add(address, 0)

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """What was not read, and why."""
        return self._warnings.all()

    def next(self) -> tuple[str, int] | None:
        """The next address and its level below the roots, or None at the end."""
        return self._waiting.popleft() if self._waiting else None

    def took(self, address: str, level: int, sitemap: Sitemap) -> None:
        """Tell what reading `address` gave."""
        for child in sitemap.children:
            if child.url_text in self._known:
                self._warnings.add(f"{address} lists {child.url_text}, which was read already.")
            elif level >= DEEPEST:
                self._warnings.add(f"{child.url_text} lies more than {DEEPEST} index files deep and was not read.")
            else:
                self._add(child.url_text, level + 1)

    def _add(self, address: str, level: int) -> None:
        if address in self._known:
            return
        if len(self._known) >= MOST_SITEMAPS:
            self._warnings.add(f"More than {MOST_SITEMAPS:,} sitemaps; {address} was not read.")
            return
        self._known.add(address)
        self._waiting.append((address, level))
