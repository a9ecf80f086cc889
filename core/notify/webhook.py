"""The webhook: a POST for each notice, in order, through the client of the crawl with all its guards.

Only an answer of 2xx takes a notice for good. No redirect is followed. The address may be a reference (`env:NAME`,
`keyring:NAME`), for it is often a secret by itself; headers that prove who we are stand under `fetch.headers` for its
origin. The host that the analyst wrote here may be private, no other.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.errors import BadInput, SecretMissing
from core.fetch.client import Client
from core.fetch.request import FetchRequest
from core.fetch.secrets import Secrets, is_reference
from core.notify.event import line
from core.notify.way import Undelivered
from core.urls import Url, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.settings import CrawlSettings
    from core.store.notices import Notice

TIMEOUT = 15.0  # seconds for one notice
MOST_BODY = 65_536  # bytes of an answer, which nobody reads


class Webhook:
    """`settings.notify.webhook` is where to; `secrets` looks behind references."""

    name = "webhook"
    most = 1

    def __init__(self, settings: CrawlSettings, secrets: Secrets | None = None) -> None:
        self._settings = settings
        self._secrets = secrets or Secrets()
        self._client: Client | None = None
        self._url: Url | None = None

    async def deliver(self, notices: Sequence[Notice]) -> None:
        """Post them one by one."""
        client, url = self._open or await self._opened()
        for notice in notices:
            request = FetchRequest(
                url, MOST_BODY, TIMEOUT, cut=True, post=line(notice), extra=(("Idempotency-Key", f'"{notice.key}"'),)
            )
            answer = await client.fetch(request)
            if answer.status is None:
                raise Undelivered(f"{url.host} cannot be told: {answer.error or answer.outcome}")
            if not 200 <= answer.status < 300:
                raise Undelivered(f"{url.host} answered {answer.status}.", answer.retry_after or 0.0)

    async def close(self) -> None:
        """End the connection."""
        if self._client is not None:
            await self._client.close()

    @property
    def _open(self) -> tuple[Client, Url] | None:
        return None if self._client is None or self._url is None else (self._client, self._url)

    async def _opened(self) -> tuple[Client, Url]:
        """The client, made when it is needed first: the key store may take its time."""
        written = self._settings.notify.webhook
        try:
            text = await asyncio.to_thread(self._secrets.resolve, written)
            url = parse(text)
            if not isinstance(url, Url):
                shown = written if is_reference(written) else "notify.webhook"
                raise Undelivered(f"{shown} is no address that can be asked: {url.message}")
            client = Client(self._settings, frozenset({f"{url.host}:{url.port}"}), self._secrets)
        except (SecretMissing, BadInput) as fault:
            raise Undelivered(str(fault)) from fault
        self._client, self._url = client, url
        return client, url
