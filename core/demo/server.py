"""The sample site as a server on loopback, in the running event loop."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING

from core.demo.connection import Connection
from core.demo.site import Site
from core.errors import BadInput

if TYPE_CHECKING:
    from core.demo.options import SiteOptions

BACKLOG = 1024


class SampleSite(Site):
    """A sample site in the running event loop.

    Its hosts are further ports of the first address, further loopback addresses on one port, or names that
    all lead here. Raises BadInput for an address that is not loopback, OSError where one cannot be had.
    """

    def __init__(self, options: SiteOptions, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__(options)
        address = _loopback(host)
        self._host = f"[{address}]" if address.version == 6 else str(address)
        self._port = port
        self._fixed = bool(port)
        self._servers: list[asyncio.Server] = []

    @property
    def root(self) -> str:
        """Where the first host listens, without a slash at the end."""
        return f"http://{self._host}:{self._port}"

    async def start(self) -> None:
        """Listen on every host; after this, `root` and `roots` are final."""
        try:
            sites = [await self._listen(self._host.strip("[]"), self._port, 0)]
            self._port = int(sites[0].rpartition(":")[2])
            if self._options.host_mode == "names":
                sites = [f"h{number}.test:{self._port}" for number in range(self._options.hosts)]
            else:
                sites += [await self._further(number) for number in range(1, self._options.hosts)]
        except OSError:
            await self.close()
            raise
        self.put_up(tuple(sites))

    async def close(self) -> None:
        """Stop listening and drop every connection."""
        for server in self._servers:
            server.close()
        for transport in tuple(self.connections):
            transport.abort()
        for server in self._servers:
            await server.wait_closed()
        self._servers.clear()

    async def _further(self, number: int) -> str:
        if self._options.host_mode == "addresses":
            return await self._listen(f"127.77.{number // 250}.{number % 250 + 1}", self._port, number)
        port = self._port + number if self._fixed else 0
        return await self._listen(self._host.strip("[]"), port, number)

    async def _listen(self, address: str, port: int, number: int) -> str:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(self, number), address, port, backlog=BACKLOG)
        self._servers.append(server)
        return f"{self._host if ':' in address else address}:{server.sockets[0].getsockname()[1]}"


def _loopback(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise BadInput(f"“{host}” is no loopback address.", "The sample site listens on one such as 127.0.0.1.")
    return address
