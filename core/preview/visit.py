"""Fetches for a preview: what a crawl with these settings would be answered, redirects followed, nothing kept.

Every hop is judged as in the crawl: an address that can be fetched, no host that is blocked or whose authorisation is
over, and (by the client) no private address that nobody wrote.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from core.policy.authorisation import Authorisations, reason_of
from core.policy.scope import HostSet, listed_hosts
from core.urls import Rejected, Resolver, Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fetch.response import Fetched
    from core.fetch.secrets import Secrets
    from core.settings import CrawlSettings
    from core.urls import Url

MOST_OCTETS = 50 * 1024 * 1024
MOST_HOPS = 5


class Visit:
    """One preview's fetches, with its settings and credentials. `typed` is what the analyst has just given.

    `wall` is Unix time in seconds.
    """

    def __init__(
        self,
        settings: CrawlSettings,
        secrets: Secrets,
        typed: Url | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        budgets = msgspec.structs.replace(settings.budgets, max_body_bytes=MOST_OCTETS)
        self._settings = msgspec.structs.replace(settings, budgets=budgets)
        self._listed = listed_hosts(settings) | ({f"{typed.host}:{typed.port}"} if typed else frozenset())
        self._secrets = secrets
        self._rules = Rules.of(settings.normalise)
        self._authorisations = Authorisations(settings)
        self._blocked = HostSet(settings.scope.block_hosts, ignore_www=settings.normalise.ignore_www)
        self._wall = wall

    async def fetch(self, url: Url) -> tuple[Fetched, Url]:
        """The answer and the address it finally came from. Never raises but for a secret that is missing."""
        fetched = await self._hop(url)
        for _ in range(MOST_HOPS):
            resolved = Resolver(url, self._rules).resolve(fetched.location or "")
            if fetched.outcome != "redirect" or isinstance(resolved, Rejected):
                break
            url = resolved[0]
            fetched = await self._hop(url)
        return fetched, url

    async def _hop(self, url: Url) -> Fetched:
        from core.fetch.preview import fetch_once  # brings httpx, which a window that previews nothing does not need
        from core.fetch.response import refused

        if reason := self._barred(url):
            return refused("blocked", f"Nothing may be asked of {url.host} ({reason}).")
        return await fetch_once(url, self._settings, self._listed, self._secrets)

    def _barred(self, url: Url) -> str:
        """Why nothing may be asked of a URL's host, or ""."""
        if url in self._blocked:
            return "block-host"
        ended = self._authorisations.expired(url, self._wall())
        return "" if ended is None else reason_of(ended)


def has_body(fetched: Fetched) -> bool:
    """Whether an answer brought something to read."""
    return fetched.status is not None and 200 <= fetched.status < 300 and bool(fetched.body)
