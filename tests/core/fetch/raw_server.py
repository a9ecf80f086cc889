"""A server on loopback that sends exactly the bytes it is told, and notes what it was asked."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from core.fetch.client import Client
from core.fetch.request import FetchRequest
from core.fetch.secrets import Secrets
from core.settings import CrawlSettings, Fetch
from core.urls.url import Url

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable

    from core.fetch.response import Fetched

    Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter, int], Awaitable[None]]

LOOPBACK = frozenset({"127.0.0.1"})


def html(body: bytes = b"<p>hello</p>", *lines: bytes, status: bytes = b"200 OK") -> bytes:
    """A whole answer with a length."""
    head = b"".join(line + b"\r\n" for line in lines)
    return b"HTTP/1.1 %b\r\nContent-Type: text/html\r\n%bContent-Length: %d\r\n\r\n%b" % (status, head, len(body), body)


def says(*pieces: bytes, then: str = "close") -> Handler:
    """Answers each request with these pieces; then closes, hangs, keeps the connection, or resets it."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        if then == "hang":
            await reader.read()
        elif then == "reset":
            writer.transport.abort()
        if then != "keep":
            writer.close()

    return handle


@dataclass
class Site:
    """The server; `heads` are the request heads it saw, `connections` how many came, `asked` is set by the first."""

    handler: Handler
    tls: ssl.SSLContext | None = None
    heads: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> Self:
        self._tasks: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nth = 0
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while not writer.is_closing():
                self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
                self.asked.set()
                nth += 1
                await self.handler(reader, writer, nth)
        writer.close()

    def url(self, target: str = "/", scheme: str = "http", host: str = "127.0.0.1") -> Url:
        """An address on this server."""
        return Url(scheme, host, self.port, target)


def request(url: Url, **wishes: Any) -> FetchRequest:
    """A request with a small body limit and a second's patience."""
    return FetchRequest(**{"url": url, "max_body": 100_000, "timeout": 5.0, "accept": ("text/html",), **wishes})


def client(listed: frozenset[str] = LOOPBACK, environ: dict[str, str] | None = None, **fetch: Any) -> Client:
    """A client that may reach loopback; names are looked up nowhere."""
    return Client(
        CrawlSettings(fetch=Fetch(**fetch)),
        listed,
        Secrets(environ or {}, lambda _: None),
        lookup=lambda _: ("127.0.0.1",),
    )


def hop(handler: Handler, times: int = 1, **wishes: Any) -> Fetched:
    """The answer to the last of `times` requests to a server that answers by `handler`."""

    async def run() -> Fetched:
        async with Site(handler) as site, client() as ours:
            for _ in range(times):
                fetched = await ours.fetch(request(site.url(), **wishes))
            return fetched

    return asyncio.run(run())
