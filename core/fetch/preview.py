"""Single fetches outside a crawl, for the window's previews: httpx's interface over this room's client.

Kept apart because importing httpx costs an engine's start what it never uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from core.fetch.client import Client
from core.fetch.request import FetchRequest
from core.fetch.response import Fetched, refused

if TYPE_CHECKING:
    from core.fetch.secrets import Secrets
    from core.settings import CrawlSettings
    from core.urls.url import Url


class Transport(httpx.AsyncBaseTransport):
    """Carries httpx requests through a Client, with its limits and its address policy.

    A request may bring its FetchRequest in `extensions["fetch"]`, so that its URL is not spelt anew by httpx; the
    Fetched comes back in the response's `extensions["fetched"]`.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One hop; what did not reach a server raises httpx.TransportError with its sentence."""
        asked: FetchRequest = request.extensions["fetch"]
        fetched = await self._client.fetch(asked)
        if fetched.status is None:
            raise Unanswered(fetched)
        return httpx.Response(fetched.status, headers=[], content=fetched.body, extensions={"fetched": fetched})

    async def aclose(self) -> None:
        """Close the client's connections."""
        await self._client.close()


class Unanswered(httpx.TransportError):
    """No server answered; `fetched` says why."""

    def __init__(self, fetched: Fetched) -> None:
        super().__init__(fetched.error or fetched.outcome)
        self.fetched = fetched


async def fetch_once(
    url: Url, settings: CrawlSettings, listed: frozenset[str], secrets: Secrets, accept: tuple[str, ...] = ()
) -> Fetched:
    """One hop to `url` as a crawl with these settings would make it, with a client of its own. Never raises."""
    limits = FetchRequest(url, settings.budgets.max_body_bytes, settings.fetch.timeout, accept=accept)
    transport = Transport(Client(settings, listed, secrets))
    async with httpx.AsyncClient(transport=transport, follow_redirects=False, trust_env=False, timeout=None) as client:  # noqa: S113 (the deadline is the request's own)
        try:
            response = await client.get(url.text, extensions={"fetch": limits})
        except Unanswered as unanswered:
            return unanswered.fetched
        except httpx.InvalidURL as error:
            return refused("url", f"{url.host} cannot be previewed ({error}).")
    fetched: Fetched = response.extensions["fetched"]
    return fetched
