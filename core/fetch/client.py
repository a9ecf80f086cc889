"""The way out to the network: one request, one answer, no redirect followed, nothing raised.

An HTTP/1.1 client of our own on asyncio and llhttp, because a crawl's requests are all alike and the start of an engine
counts: general clients take a third of a second to import and two to ten times the work for each request.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Self
from weakref import WeakSet

from core.fetch.answer import answered
from core.fetch.cookies import Jar
from core.fetch.dial import Dialler
from core.fetch.exchange import Exchange
from core.fetch.fault import Fault, Step, fault_of
from core.fetch.headers import OriginHead, has_credentials, origin_head, request_bytes
from core.fetch.pool import Pool
from core.fetch.proxy import parse_proxy
from core.fetch.resolve import Resolver, system_lookup
from core.fetch.tls import Trust

if TYPE_CHECKING:
    from types import TracebackType

    from core.fetch.connection import Connection
    from core.fetch.pool import Place
    from core.fetch.request import FetchRequest
    from core.fetch.resolve import Clock, Lookup
    from core.fetch.response import Fetched
    from core.fetch.secrets import Secrets
    from core.settings import CrawlSettings
    from core.urls.url import Url

_MOST_ORIGINS = 10_000
_NOTHING = OriginHead(b"")
STARVED = 5.0  # seconds that a request waits for room for its connection
STARVED_PAUSE = 0.25  # seconds between two tries


class Client:
    """Fetches for one engine.

    `listed` holds the hosts (`host` or `host:port`) that may be private. `lookup` resolves a name on a thread;
    `clock` is monotonic and `wall` Unix time, both in seconds. Raises BadInput for a proxy that cannot be used.
    """

    def __init__(
        self,
        settings: CrawlSettings,
        listed: frozenset[str],
        secrets: Secrets,
        *,
        lookup: Lookup = system_lookup,
        clock: Clock = time.monotonic,
        wall: Clock = time.time,
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._clock = clock
        self._wall = wall
        self._pool = Pool()
        self._jar = Jar()
        self._resolver = Resolver(listed, settings.fetch.resolve, lookup, clock)
        self._open: WeakSet[Connection] = WeakSet()
        self._closed = False
        self._settle(settings)

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first request."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close what is open."""
        await self.close()

    async def fetch(self, request: FetchRequest) -> Fetched:
        """The answer to one request, within its deadline, whatever the network does. Raises CancelledError alone."""
        started = self._clock()
        exchange = Exchange(request)
        head = _NOTHING
        fault: Fault | None = None
        try:
            async with asyncio.timeout(request.timeout):
                head = self._heads.get(request.url.origin) or await self._head(request.url)
                await self._exchange(request, head, exchange)
        except TimeoutError:
            fault = Fault("timeout", f"No complete answer within {request.timeout:g} seconds.")
        except Exception as error:  # whatever it is, it is this request's outcome, and no worker dies of it
            fault = fault_of(error, Step.ASK)
        if not exchange.draining:
            exchange.close()
        fetched = answered(request, exchange, head, fault, seconds=self._clock() - started, now=self._wall())
        if self._accepts_cookies:
            self._jar.take(request.url.origin, fetched.set_cookies)
        return fetched

    async def close(self) -> None:
        """End every connection; a fetch under way ends as disconnected, and none is sent once more."""
        self._closed = True
        self._pool.clear()
        for connection in tuple(self._open):
            connection.close()
        self._resolver.close()

    def forget_connections(self) -> None:
        """Kept connections are of no use any more: the network went or came back under them."""
        self._pool.clear()

    def update(self, settings: CrawlSettings, listed: frozenset[str]) -> None:
        """Take over changed settings: requests under way end by the old ones. Raises BadInput for an unusable proxy."""
        if settings.fetch == self._settings.fetch and listed == self._resolver.listed:
            return
        self._settle(settings)
        self._resolver.update(listed, settings.fetch.resolve)
        self._pool.clear()

    def check_secrets(self) -> None:
        """Look behind every secret reference and into `ca_file`: what is missing is told before the first request.

        Blocks while the key store is asked. Raises SecretMissing, or BadInput for certificates that cannot be read.
        """
        self._dialler.check_trust()
        fetch = self._settings.fetch
        texts = [header.value for header in fetch.headers] + [cookie.value for cookie in fetch.cookies]
        texts += [text for auth in fetch.auth for text in (auth.user, auth.password)]
        for text in texts:
            self._secrets.resolve(text)
        if self._proxy is not None:
            self._proxy.authorization(self._secrets)

    def _settle(self, settings: CrawlSettings) -> None:
        proxy = parse_proxy(settings.fetch.proxy)
        self._settings = settings
        self._proxy = proxy
        self._accepts_cookies = settings.fetch.accept_cookies
        self._heads: dict[str, OriginHead] = {}
        self._dialler = Dialler(self._resolver, Trust(settings.fetch), proxy, self._secrets)

    async def _head(self, url: Url) -> OriginHead:
        """The standing headers for an origin; the key store, which may take its time, is asked on a thread."""
        host = url.origin.partition("://")[2]
        make = partial(origin_head, self._settings.fetch, url.origin, host, self._secrets)
        heads = self._heads
        known = has_credentials(self._settings.fetch, url.origin)
        head = await asyncio.to_thread(make) if known else make()
        if len(heads) >= _MOST_ORIGINS:
            heads.clear()
        heads[url.origin] = head
        return head

    async def _exchange(self, request: FetchRequest, head: OriginHead, exchange: Exchange) -> None:
        """Carry out the exchange; once more on a fresh connection where a kept one had been closed by the server."""
        payload = self._payload(request, head)
        place = self._place(request.url)
        kept = self._pool.take(place, self._clock())
        if kept is not None:
            await self._ask(kept, place, payload, exchange)
            if exchange.fault is None or not exchange.fault.unsent or self._closed:
                return
            exchange.renew()
        await self._ask(await self._connection(request.url, place), place, payload, exchange)

    async def _ask(self, connection: Connection, place: Place, payload: bytes, exchange: Exchange) -> None:
        await connection.ask(payload, exchange)
        if connection.free:
            self._keep(place, self._dialler, connection)

    async def _connection(self, url: Url, place: Place) -> Connection:
        """A fresh connection. Where this system has no room for one, idle ones make it, and others end meanwhile."""
        until = self._clock() + STARVED
        while True:
            try:
                connection = await self._dialler.open(url, partial(self._keep, place, self._dialler))
            except Fault as fault:
                if not fault.starved or self._clock() >= until:
                    raise
                self._pool.clear()
                await asyncio.sleep(STARVED_PAUSE)
                continue
            self._open.add(connection)
            return connection

    def _keep(self, place: Place, dialler: Dialler, connection: Connection) -> None:
        """Keep a free connection, unless the settings it was made by are no longer in force."""
        if dialler is self._dialler:
            self._pool.give(place, connection, self._clock())
        else:
            connection.close()

    def _payload(self, request: FetchRequest, head: OriginHead) -> bytes:
        cookies = self._jar.of(request.url.origin) if self._accepts_cookies else ()
        if self._proxy is None or request.url.scheme == "https":
            return request_bytes(request, head, cookies, request.url.target)
        return request_bytes(request, head, cookies, request.url.text, self._proxy.authorization(self._secrets))

    def _place(self, url: Url) -> Place:
        """Where a connection for this URL leads; through a proxy all plain requests share theirs."""
        if self._proxy is not None and url.scheme == "http":
            return ("proxy", self._proxy.host, self._proxy.port)
        return (url.scheme, url.host, url.port)
