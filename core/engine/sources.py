"""One seed source: fetched, read by its kind, and handed over in pieces that each fit a short transaction.

A redirect within the host is followed within the lease; one to another host becomes a source of its own, which waits
for that host's turn. Each is judged: an address that can be fetched, no host that is blocked or whose authorisation is
over, and no private address that nobody wrote. Like robots.txt itself, sources are not subject to robots.txt: the
analyst, or the site's own robots.txt, names them to be read.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.engine.page import answer_of
from core.fetch.request import FetchRequest
from core.fetch.retry import STARVED_DELAY, is_transient, retry_delay
from core.parse import header_links
from core.store.results import FoundLink, SourceEntry, SourceResult
from core.store.seed_chains import MOVED
from core.urls import Rejected, Resolver, fetch_form, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.engine.page import Host
    from core.engine.rules import RulesInForce
    from core.fetch.client import Client
    from core.fetch.response import Fetched
    from core.seeds.base import Found, Harvest, SourceKind
    from core.store.results import Answer, Pace, Purpose, Work
    from core.urls import Url

PIECE = 1000  # entries
MOST_OCTETS = 50 * 1024 * 1024  # as fetched (sitemaps.org); reading has bounds of its own
MOST_HOPS = 5
MOST_TOLD = 3  # warnings of a source in its message


@dataclass(frozen=True, slots=True)
class Came:
    """The last answer, the address it came from, and where it leads: why not further, or to which other host."""

    fetched: Fetched
    address: str
    fault: str = ""
    elsewhere: Url | None = None


class SourceFetch:
    """Carries out the leases of sitemaps, feeds and archives; `work.purpose` names the kind."""

    def __init__(self, client: Client, rules: RulesInForce, host: Host, chance: Callable[[], float]) -> None:
        self._client = client
        self._rules = rules
        self._host = host
        self._chance = chance

    async def run(self, work: Work) -> list[SourceResult]:
        """The source's content in pieces; the last one ends the lease."""
        from core.seeds.base import Found, Harvest  # only crawls with such sources need their readers
        from core.seeds.sources import source_kind

        kinds = [source_kind(name) for name in (work.purpose, *work.also)]
        came = await self._fetch(work)
        fetched = came.fetched
        answer, pace = answer_of(fetched), self._host.pace(work, fetched)
        settings = self._rules.settings
        if fetched.starved:
            at = answer.at + STARVED_DELAY
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=at, counts=False)]
        if self._host.spared(fetched):
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=answer.at, counts=False)]
        if is_transient(fetched) and work.tries < settings.fetch.retries:
            cap = settings.politeness.retry_after_max
            delay = retry_delay(work.tries + 1, self._chance(), fetched.retry_after, cap=cap)
            return [SourceResult(work, answer, pace, message=_fault(fetched), retry_at=answer.at + delay)]
        if any(fetched.status in kind.absent for kind in kinds):
            return [SourceResult(work, answer, pace, message=_fault(fetched))]
        if came.elsewhere is not None:
            moved = Harvest(children=(Found(came.elsewhere.text),))
            children = tuple(link for kind in kinds for link in self._children(kind.name, moved, "redirect"))
            message = f"{MOVED}{came.elsewhere.host}."
            return [SourceResult(work, answer, pace, children=children, message=message)]
        if came.fault or not _has_body(fetched):
            return [SourceResult(work, answer, pace, message=came.fault or _fault(fetched), failed=True)]
        harvests = await asyncio.to_thread(self._read, kinds, work, came)
        broken = f"{fetched.error} What came before was read." if fetched.outcome == "truncated" else ""
        return await asyncio.to_thread(list, self._pieces(work, answer, pace, harvests, broken))  # many take a second

    async def _fetch(self, work: Work) -> Came:
        url, limit = work.url, MOST_OCTETS + 1  # one more than is read, so that what is cut is known to be cut
        for hop in range(MOST_HOPS + 1):
            request = FetchRequest(url, limit, timeout=self._rules.settings.fetch.timeout, cut=True)
            fetched = await self._client.fetch(request)
            if fetched.outcome != "redirect":
                return Came(fetched, url.text)
            target = self._target(url, fetched.location or "")
            if isinstance(target, str):
                return Came(fetched, url.text, f"Its redirect was not followed: {target}")
            if key_form(target, self._rules.urls).host != key_form(work.url, self._rules.urls).host:
                return Came(fetched, url.text, elsewhere=target)
            if hop < MOST_HOPS:
                await self._host.hop(work, answer_of(fetched))
                url = target
        return Came(fetched, url.text, f"It redirects more than {MOST_HOPS} times.")

    def _target(self, url: Url, location: str) -> Url | str:
        """Where a redirect leads, or why it is not followed."""
        resolved = Resolver(url, self._rules.urls).resolve(location)
        if isinstance(resolved, Rejected):
            return resolved.message
        reason = self._rules.barred(resolved[0], time.time())
        return f"nothing may be asked of {resolved[0].host} ({reason})." if reason else resolved[0]

    def _read(self, kinds: list[SourceKind], work: Work, came: Came) -> list[tuple[Purpose, Harvest]]:
        from core.seeds.base import Arrived

        fetched, seeds = came.fetched, self._rules.settings.seeds
        following = header_links(fetched.headers).next_page
        whole = fetched.outcome != "truncated"
        arrived = Arrived(fetched.body, work.url.text, came.address, seeds, work.first, following, whole)
        return [(kind.name, kind.read(arrived)) for kind in kinds]

    def _pieces(
        self, work: Work, answer: Answer, pace: Pace, harvests: list[tuple[Purpose, Harvest]], broken: str
    ) -> Iterator[SourceResult]:
        named = {found.url_text: found for _, harvest in reversed(harvests) for found in harvest.entries}
        entries = [entry for found in named.values() if (entry := self._entry(found)) is not None]
        children = tuple(link for kind, harvest in harvests for link in self._children(kind, harvest))
        message = " ".join(text for text in (broken, _message(harvests)) if text)
        readable = any(harvest.readable for _, harvest in harvests)
        pieces = [tuple(entries[start : start + PIECE]) for start in range(0, len(entries), PIECE)] or [()]
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            yield SourceResult(
                *(work, answer, pace, piece, children if last else (), message, number),
                done=last,
                failed=last and not readable,
            )

    def _entry(self, found: Found) -> SourceEntry | None:
        url = parse(found.url_text)
        if isinstance(url, Rejected):
            return None
        from core.seeds.lastmod import lastmod_span  # loaded with the sources' readers

        rules = self._rules.urls
        span = lastmod_span(found.lastmod) if found.lastmod else None
        return SourceEntry(fetch_form(url, rules), key_form(url, rules), *(span or ()))

    def _children(self, kind: Purpose, harvest: Harvest, rel: str = "") -> Iterator[FoundLink]:
        """The parts of a source, and its next page: sources of their own, so that a kill costs none of them."""
        following = (harvest.next_page,) if harvest.next_page else ()
        for found, way in (*((found, rel) for found in harvest.children), *((found, "next") for found in following)):
            url = parse(found.url_text)
            if not isinstance(url, Rejected):
                yield FoundLink(url, key_form(url, self._rules.urls), rel=way, kind=kind)


def _has_body(fetched: Fetched) -> bool:
    """Whether there is something to read: an answer, whole or as much of it as came. None at all is an answer too."""
    came = fetched.status is not None and 200 <= fetched.status < 300
    return came and (bool(fetched.body) or fetched.error is None)


def _message(harvests: list[tuple[Purpose, Harvest]]) -> str:
    """The first warnings, and how many more there are; of a source that is read as two kinds with the kind in front."""
    alone = len(harvests) == 1
    said = [
        str(warning) if alone else f"As {kind}: {warning}"
        for kind, harvest in harvests
        for warning in harvest.warnings[:MOST_TOLD]
    ]
    more = sum(max(0, len(harvest.warnings) - MOST_TOLD) for _, harvest in harvests)
    return " ".join([*said, *([f"And {more:,} more."] if more else [])])


def _fault(fetched: Fetched) -> str:
    return fetched.error or f"answered {fetched.status}"
