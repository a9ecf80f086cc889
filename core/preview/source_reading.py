"""One source read for a preview: its pages and parts one after another, up to a bound, with what was found so far."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from core.parse import header_links
from core.preview.visit import has_body
from core.seeds.base import Arrived
from core.urls import Url, parse

if TYPE_CHECKING:
    from core.fetch.response import Fetched
    from core.preview.visit import Visit
    from core.seeds.base import Harvest, SourceKind
    from core.settings import Seeds

MOST_PARTS = 20


class SourceReading:
    """May be cancelled at any await; `entries`, `problem` and `note` then tell what was reached."""

    def __init__(self, kind: SourceKind, first: Url, visit: Visit, seeds: Seeds) -> None:
        self._kind = kind
        self._visit = visit
        self._seeds = seeds
        self._waiting = deque([first])
        self._first = first.text
        self._known = {first.text}
        self._read = 0
        self.entries: dict[str, None] = {}  # addresses in their order
        self.problem = ""

    async def run(self, most: int = MOST_PARTS) -> None:
        """Read the source and at most so many of its parts."""
        while self._waiting and self._read < most:
            await self._step(self._waiting[0])
            self._waiting.popleft()
            self._read += 1

    @property
    def note(self) -> str:
        """Where not all was read: that there may be more."""
        if not self._waiting or not self._read:
            return ""
        return f"At least: {self._read:,} of {self._read + len(self._waiting):,} parts were read."

    async def _step(self, url: Url) -> None:
        fetched, came_from = await self._visit.fetch(url)
        if not has_body(fetched):
            if fetched.status not in self._kind.absent:
                self.problem = self.problem or _fault(fetched)
            return
        following, whole = header_links(fetched.headers).next_page, fetched.outcome != "truncated"
        if not whole:
            self.problem = self.problem or _fault(fetched)
        arrived = Arrived(fetched.body, url.text, came_from.text, self._seeds, self._first, following, whole)
        self._take(await asyncio.to_thread(self._kind.read, arrived))

    def _take(self, harvest: Harvest) -> None:
        if not harvest.readable and harvest.warnings:
            self.problem = self.problem or str(harvest.warnings[0])
        self.entries.update(dict.fromkeys(found.url_text for found in harvest.entries))
        for found in (*harvest.children, *((harvest.next_page,) if harvest.next_page else ())):
            child = parse(found.url_text)
            if isinstance(child, Url) and child.text not in self._known:
                self._known.add(child.text)
                self._waiting.append(child)


def _fault(fetched: Fetched) -> str:
    return fetched.error or (f"It answered {fetched.status}." if fetched.status != 200 else "It is empty.")
