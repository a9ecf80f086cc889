"""One seed source: fetched, read by its kind, and handed over in pieces that each fit a short transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.engine.page import answer_of
from core.fetch.request import FetchRequest
from core.fetch.retry import STARVED_DELAY, is_transient, retry_delay
from core.store.results import FoundLink, SourceEntry, SourceResult
from core.urls import Rejected, Resolver, fetch_form, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.engine.page import Host
    from core.engine.rules import RulesInForce
    from core.fetch.client import Client
    from core.fetch.response import Fetched
    from core.seeds.base import Found, Harvest
    from core.store.results import Answer, Pace, Work

PIECE = 1000  # entries
MOST_OCTETS = 50 * 1024 * 1024  # as fetched (sitemaps.org); reading has bounds of its own
MOST_HOPS = 5


class SourceFetch:
    """Carries out the leases of sitemaps, feeds and archives; `work.purpose` names the kind."""

    def __init__(self, client: Client, rules: RulesInForce, host: Host, chance: Callable[[], float]) -> None:
        self._client = client
        self._rules = rules
        self._host = host
        self._chance = chance

    async def run(self, work: Work) -> list[SourceResult]:
        """The source's content in pieces; the last one ends the lease."""
        from core.seeds.base import Arrived  # only crawls with such sources need their readers
        from core.seeds.sources import source_kind

        kind = source_kind(work.purpose)
        fetched, address = await self._fetch(work)
        answer, pace = answer_of(fetched), self._host.pace(work, fetched)
        settings = self._rules.settings
        if fetched.starved:
            at = answer.at + STARVED_DELAY
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=at, counts=False)]
        if is_transient(fetched) and work.tries < settings.fetch.retries:
            cap = settings.politeness.retry_after_max
            delay = retry_delay(work.tries + 1, self._chance(), fetched.retry_after, cap=cap)
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=answer.at + delay)]
        if fetched.status in kind.absent:
            return [SourceResult(work, answer, pace, message=_fault(fetched))]
        if not _came(fetched):
            return [SourceResult(work, answer, pace, message=_fault(fetched), failed=True)]
        arrived = Arrived(fetched.body, work.url.text, address, settings.seeds)
        harvest = await asyncio.to_thread(kind.read, arrived)
        return list(self._pieces(work, answer, pace, harvest))

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

    def _pieces(self, work: Work, answer: Answer, pace: Pace, harvest: Harvest) -> Iterator[SourceResult]:
        entries = [entry for found in harvest.entries if (entry := self._entry(found)) is not None]
        children = tuple(link for found in harvest.children if (link := self._child(work, found)) is not None)
        message = "; ".join(str(warning) for warning in harvest.warnings[:3])
        pieces = [tuple(entries[start : start + PIECE]) for start in range(0, len(entries), PIECE)] or [()]
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            yield SourceResult(
                *(work, answer, pace, piece, children if last else (), message, number),
                done=last,
                failed=last and not harvest.readable,
            )

    def _entry(self, found: Found) -> SourceEntry | None:
        url = parse(found.url_text)
        if isinstance(url, Rejected):
            return None
        from core.seeds.lastmod import lastmod_seconds  # loaded with the sources' readers

        rules = self._rules.urls
        lastmod = lastmod_seconds(found.lastmod) if found.lastmod else None
        return SourceEntry(fetch_form(url, rules), key_form(url, rules), lastmod)

    def _child(self, work: Work, found: Found) -> FoundLink | None:
        url = parse(found.url_text)
        return None if isinstance(url, Rejected) else FoundLink(url, key_form(url, self._rules.urls), kind=work.purpose)


def _came(fetched: Fetched) -> bool:
    """Whether there is something to read: an answer, whole or as much of it as came. None at all is an answer too."""
    came = fetched.status is not None and 200 <= fetched.status < 300
    return came and (bool(fetched.body) or fetched.error is None)


def _fault(fetched: Fetched) -> str:
    return fetched.error or f"answered {fetched.status}"
