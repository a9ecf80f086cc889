"""One sitemap: fetched, read whatever it is, and handed over in pieces that each fit a short transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.engine.page import answer_of
from core.fetch.request import FetchRequest
from core.fetch.retry import is_transient, retry_delay
from core.store.results import FoundLink, SitemapEntry, SourceResult
from core.urls import Rejected, Resolver, fetch_form, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.engine.page import Host
    from core.engine.rules import RulesInForce
    from core.fetch.client import Client
    from core.fetch.response import Fetched
    from core.seeds.base import Found
    from core.seeds.sitemap import Sitemap
    from core.store.results import Answer, Pace, Work

PIECE = 1000  # entries
MOST_OCTETS = 50 * 1024 * 1024  # as fetched (sitemaps.org); reading has bounds of its own
MOST_HOPS = 5


class SitemapFetch:
    """Carries out sitemap leases."""

    def __init__(self, client: Client, rules: RulesInForce, host: Host, chance: Callable[[], float]) -> None:
        self._client = client
        self._rules = rules
        self._host = host
        self._chance = chance

    async def run(self, work: Work) -> list[SourceResult]:
        """The sitemap's content in pieces; the last one ends the lease."""
        fetched, address = await self._fetch(work)
        answer, pace = answer_of(fetched), self._host.pace(work, fetched)
        settings = self._rules.settings
        if is_transient(fetched) and work.tries < settings.fetch.retries:
            cap = settings.politeness.retry_after_max
            delay = retry_delay(work.tries + 1, self._chance(), fetched.retry_after, cap=cap)
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=answer.at + delay)]
        if fetched.status is None or not 200 <= fetched.status < 300 or not fetched.body:
            return [SourceResult(work, answer, pace, message=_fault(fetched), failed=True)]
        from core.seeds.sitemap import read_sitemap  # only crawls with sitemaps need it

        sitemap = await asyncio.to_thread(read_sitemap, fetched.body, address)
        return list(self._pieces(work, answer, pace, sitemap))

    async def _fetch(self, work: Work) -> tuple[Fetched, str]:
        url = work.url
        for hop in range(MOST_HOPS + 1):
            fetched = await self._client.fetch(
                FetchRequest(url, max_body=MOST_OCTETS, timeout=self._rules.settings.fetch.timeout)
            )
            resolved = Resolver(url, self._rules.urls).resolve(fetched.location or "")
            if fetched.outcome != "redirect" or hop == MOST_HOPS or isinstance(resolved, Rejected):
                break
            await self._host.hop(work, answer_of(fetched))
            url = resolved[0]
        return fetched, url.text

    def _pieces(self, work: Work, answer: Answer, pace: Pace, sitemap: Sitemap) -> Iterator[SourceResult]:
        entries = [entry for found in sitemap.entries if (entry := self._entry(found)) is not None]
        children = tuple(link for found in sitemap.children if (link := self._child(found)) is not None)
        message = "; ".join(str(warning) for warning in sitemap.warnings[:3])
        pieces = [tuple(entries[start : start + PIECE]) for start in range(0, len(entries), PIECE)] or [()]
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            yield SourceResult(
                *(work, answer, pace, piece, children if last else (), message, number),
                done=last,
                failed=last and sitemap.kind == "none",
            )

    def _entry(self, found: Found) -> SitemapEntry | None:
        url = parse(found.url_text)
        if isinstance(url, Rejected):
            return None
        from core.seeds.lastmod import lastmod_seconds  # loaded with the sitemap's reader

        rules = self._rules.urls
        lastmod = lastmod_seconds(found.lastmod) if found.lastmod else None
        return SitemapEntry(fetch_form(url, rules), key_form(url, rules), lastmod)

    def _child(self, found: Found) -> FoundLink | None:
        url = parse(found.url_text)
        return None if isinstance(url, Rejected) else FoundLink(url, key_form(url, self._rules.urls), kind="sitemap")


def _fault(fetched: Fetched) -> str:
    return fetched.error or f"answered {fetched.status}"
