"""Making connections: resolved, checked, bounded in time, over TLS or a proxy where needed."""

from __future__ import annotations

import asyncio
import ssl
from functools import partial
from typing import TYPE_CHECKING

from core.fetch.connection import Connection
from core.fetch.fault import Fault, Step, fault_of
from core.fetch.proxy import Proxy, Tunnel
from core.fetch.tls import HANDSHAKE, Trust

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fetch.resolve import Resolver
    from core.fetch.secrets import Secrets
    from core.urls.url import Url

CONNECT = 15.0  # seconds for everything before the request: name, connection, handshake
_FIRST_ADDRESSES = 5.0  # seconds for an address that is not the last one


class Dialler:
    """Opens connections for one crawl's settings.

    Through a proxy the server's name is resolved by the proxy; ours is asked too where it knows the name, so that a
    name that leads to a private address is refused there as well.
    """

    def __init__(self, resolver: Resolver, trust: Trust, proxy: Proxy | None, secrets: Secrets) -> None:
        self._resolver = resolver
        self._trust = trust
        self._proxy = proxy
        self._secrets = secrets

    def check_trust(self) -> None:
        """Read the analyst's certificates now; raises BadInput where they cannot be read."""
        self._trust.check()

    async def open(self, url: Url, freed: Callable[[Connection], None]) -> Connection:
        """A fresh connection for this URL's origin. Raises Fault (`blocked`, `dns`, `connect`, `tls`, `timeout`)."""
        try:
            async with asyncio.timeout(CONNECT):
                return await self._open(url, freed)
        except TimeoutError as error:
            raise Fault("timeout", f"No connection to {url.host} within {CONNECT:.0f} seconds.") from error

    async def _open(self, url: Url, freed: Callable[[Connection], None]) -> Connection:
        if self._proxy is not None:
            await self._check_behind_proxy(url)
            return await self._open_through(self._proxy, url, freed)
        addresses = await self._resolver.addresses(url.host, url.port)
        for address in addresses[:-1]:
            try:
                async with asyncio.timeout(_FIRST_ADDRESSES):
                    return await self._connect(url, address, freed)
            except (TimeoutError, Fault):
                continue  # the next address may answer; what the last one says is what is reported
        return await self._connect(url, addresses[-1], freed)

    async def _connect(self, url: Url, address: str, freed: Callable[[Connection], None]) -> Connection:
        connect = asyncio.get_running_loop().create_connection
        factory = partial(Connection, freed)
        try:
            if url.scheme == "http":
                return (await connect(factory, address, url.port))[1]
            made = await connect(
                factory,
                address,
                url.port,
                ssl=self._trust.context(url.host, url.port),
                server_hostname=_name(url.host),
                ssl_handshake_timeout=HANDSHAKE,
            )
            return made[1]
        except (OSError, ssl.SSLError, ssl.CertificateError) as error:
            step = Step.SECURE if url.scheme == "https" else Step.CONNECT
            raise fault_of(error, step, f"{url.host} port {url.port}") from error

    async def _check_behind_proxy(self, url: Url) -> None:
        try:
            await self._resolver.addresses(url.host, url.port)
        except Fault as fault:
            if fault.kind != "dns":
                raise

    async def _open_through(self, proxy: Proxy, url: Url, freed: Callable[[Connection], None]) -> Connection:
        loop = asyncio.get_running_loop()
        address = (await self._resolver.unchecked(proxy.host))[0]
        try:
            if url.scheme == "http":
                return (await loop.create_connection(partial(Connection, freed), address, proxy.port))[1]
            transport, tunnel = await loop.create_connection(Tunnel, address, proxy.port)
        except OSError as error:
            raise fault_of(error, Step.CONNECT, "The proxy") from error
        try:
            await tunnel.open(transport, f"{url.host}:{url.port}", proxy.authorization(self._secrets))
            return await self._secure(transport, url, freed)
        except BaseException:
            transport.abort()
            raise

    async def _secure(self, transport: asyncio.Transport, url: Url, freed: Callable[[Connection], None]) -> Connection:
        """TLS with the server inside an open tunnel."""
        connection = Connection(freed)
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport,
                connection,
                self._trust.context(url.host, url.port),
                server_hostname=_name(url.host),
                ssl_handshake_timeout=HANDSHAKE,
            )
        except (OSError, ssl.SSLError, ssl.CertificateError) as error:
            raise fault_of(error, Step.SECURE, f"{url.host} port {url.port}") from error
        if secured is None:
            raise Fault("tls", "The server ended the handshake.")
        connection.connection_made(secured)
        return connection


def _name(host: str) -> str:
    """The name that the certificate has to bear."""
    return host.strip("[]").rstrip(".")
