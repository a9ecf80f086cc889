"""The addresses that a fetched source names, as it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.seeds.base import Found, clipped
from core.seeds.xml_repair import REFUSED
from core.urls import Rejected, Url, parse

if TYPE_CHECKING:
    from core.seeds.base import Warnings

LONGEST_URL = 8192


class AddressList:
    """Addresses resolved against `base`, the source's own, each once; what is none becomes a warning."""

    def __init__(self, base: str, warnings: Warnings) -> None:
        place = parse(base)
        self._base = place if isinstance(place, Url) else None
        self._warnings = warnings
        self._known: set[str] = set()
        self.found: list[Found] = []
        self.children: list[Found] = []

    def take(self, written: str, lastmod: str | None, line: int | None, *, is_child: bool = False) -> None:
        """One more address, as written; `line` is its place in the source."""
        if REFUSED in written:
            self._warnings.add("An address that holds an entity was refused.", line)
            return
        url = parse(self._with_scheme(written), self._base, max_length=LONGEST_URL)
        if isinstance(url, Rejected):
            self._warnings.add(f"“{clipped(written)}” was left out. {url.message}", line)
            return
        if not written.lower().startswith(("http://", "https://")):
            self._warnings.add(f"“{clipped(written)}” is relative; it was read as {clipped(url.text)}.", line)
        text = url.text
        if text not in self._known:
            self._known.add(text)
            (self.children if is_child else self.found).append(Found(text, lastmod, line))

    def _with_scheme(self, written: str) -> str:
        """`www.example.org/page` in a source of that very host means the page, and no folder of that name."""
        base = self._base
        meant = base is not None and written.lower().startswith(base.origin.partition("://")[2] + "/")
        return f"{base.scheme}://{written}" if base is not None and meant else written
