"""The sample site as a server on loopback: in this event loop, or in a thread of its own."""

from __future__ import annotations

import asyncio
import ipaddress
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from core.demo.connection import Connection
from core.demo.log import LogSnapshot, RequestLog
from core.demo.pages import Pages
from core.errors import BadInput

if TYPE_CHECKING:
    from types import TracebackType

    from core.demo.options import SiteOptions

BACKLOG = 1024
START_LIMIT = 30.0  # seconds for a thread to come up


class SampleSite:
    """A sample site in the running event loop.

    Its hosts are further ports of the first address, further loopback addresses on one port, or names that
    all lead here. Raises BadInput for an address that is not loopback, OSError where one cannot be had.
    """

    def __init__(self, options: SiteOptions, host: str = "127.0.0.1", port: int = 0) -> None:
        address = _loopback(host)
        self._host = f"[{address}]" if address.version == 6 else str(address)
        self._port = port
        self._fixed = bool(port)
        self._names: dict[str, int] = {}
        self._servers: list[asyncio.Server] = []
        self.connections: set[asyncio.Transport] = set()
        self.log = RequestLog()
        self.sites: tuple[str, ...] = ()
        self._options = options
        self._pages: Pages | None = None

    @property
    def root(self) -> str:
        """Where the first host listens, without a slash at the end."""
        return f"http://{self._host}:{self._port}"

    @property
    def roots(self) -> tuple[str, ...]:
        """Every host's base address, the first host's first."""
        return tuple(f"http://{site}" for site in self.sites)

    @property
    def pages(self) -> Pages:
        """The site's pages. Only a site that has been started has any: they name its ports."""
        if self._pages is None:
            raise RuntimeError("the sample site has not been started")
        return self._pages

    @property
    def options(self) -> SiteOptions:
        """The options in force. Setting them takes effect with the next request; the hosts stay as they are."""
        return self._options

    @options.setter
    def options(self, options: SiteOptions) -> None:
        if (options.hosts, options.host_mode) != (self._options.hosts, self._options.host_mode):
            raise BadInput("hosts and host_mode cannot change while the site is up")
        pages = Pages(options, self.sites) if self.sites else None
        self._options, self._pages = options, pages

    def host_of(self, name: str, listener: int) -> tuple[str, int]:
        """The name in the log and the number of the host that a request is meant for."""
        if self._options.host_mode == "names":
            return name or self.sites[0], self._names.get(name, 0)
        return name or self.sites[listener], listener

    def expect(self) -> dict[str, object]:
        """What the site holds: see Pages.expect."""
        return self.pages.expect()

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
        self.sites = tuple(sites)
        self._names = {name: i for i, site in enumerate(sites) for name in (site, site.partition(":")[0])}
        self._pages = Pages(self._options, self.sites)

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


class SiteThread:
    """A sample site in a background thread, for programs without an event loop: `with SiteThread(options) as site`."""

    def __init__(self, options: SiteOptions, host: str = "127.0.0.1", port: int = 0) -> None:
        self._site = SampleSite(options, host, port)
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="sample-site", daemon=True)

    def __enter__(self) -> Self:
        """Start the thread; raises what kept the site from coming up."""
        self._thread.start()
        if not self._ready.wait(START_LIMIT):
            raise TimeoutError(f"the sample site did not come up within {START_LIMIT:g} seconds")
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the site and wait for its thread."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def root(self) -> str:
        """Where the first host listens, without a slash at the end."""
        return self._site.root

    @property
    def roots(self) -> tuple[str, ...]:
        """Every host's base address."""
        return self._site.roots

    @property
    def log(self) -> LogSnapshot:
        """The log now, as a value."""
        return self._site.log.snapshot()

    @property
    def live(self) -> int:
        """Requests open now."""
        return self._site.log.live

    @property
    def options(self) -> SiteOptions:
        """The options in force."""
        return self._site.options

    def control(self, **changes: Any) -> None:
        """Change options by name, with effect from the next request; BadInput or TypeError for impossible ones."""
        self._site.options = replace(self._site.options, **changes)

    def reset(self) -> None:
        """Empty the log; failing URLs start to fail again."""
        self._site.log.reset()

    def expect(self) -> dict[str, object]:
        """What the site holds: see Pages.expect."""
        return self._site.expect()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as failure:
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        await self._site.start()
        self._ready.set()
        try:
            await self._stop.wait()
        finally:
            await self._site.close()


def _loopback(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise BadInput(f"the sample site listens on a loopback address such as 127.0.0.1, not on {host!r}") from None
    if not address.is_loopback:
        raise BadInput(f"the sample site listens on loopback addresses only, and {host} is not one")
    return address
