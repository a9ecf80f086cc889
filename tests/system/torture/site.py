"""The hostile site in a thread of its own: some thirty listeners on loopback, bounded in bytes and seconds.

`a` is the main site, `b` a second host, `a2` the first host at another port, `internal` the private service that
nobody may reach; each robots.txt fault, each certificate and each HTTP/2 trick has an origin of its own.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from tests.system.torture.certificates import contexts, speaking_http2
from tests.system.torture.fault import HEAD, Fault, document
from tests.system.torture.faults import FAULTS, ROBOTS, SITEMAPS
from tests.system.torture.log import Log
from tests.system.torture.traps import PREFIX, enter
from tests.system.torture.visit import Over, Visit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

READY = 30.0  # seconds until the listeners stand
LONGEST_HEAD = 4 << 20
CONTROL_PAGES = tuple(f"/ok/{number}" for number in range(1, 41))
SETTINGS = b"\0\0\0\x04\0\0\0\0\0"  # an empty SETTINGS frame (RFC 9113)
GOAWAY = b"\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x0b"


class Site:
    """`with Site(folder) as site`. `bomb` is the decoded size of bombs in megabytes, `faults` those that are linked."""

    def __init__(self, folder: Path, faults: tuple[Fault, ...] = FAULTS, *, bomb: int = 128) -> None:
        self.faults = faults
        self.bomb: int = bomb
        self.most_bytes = 256 << 20
        self.patience = 90.0  # seconds a connection may last
        self.log = Log()
        self.closed: str = ""  # the origin of a port that refuses
        self.full: str = ""  # and of one that never answers
        self._folder = folder
        self._places: dict[str, tuple[str, str, int]] = {}
        self._answers = {(fault.listener, fault.place): fault.answer for fault in faults if fault.answer}
        self._sockets: list[socket.socket] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="torture", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(READY)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        for each in self._sockets:
            each.close()

    @property
    def listeners(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self._places)

    def host(self, listener: str) -> str:
        """The address it listens at."""
        return self._places[listener][1]

    def port(self, listener: str) -> int:
        """And the port."""
        return self._places[listener][2]

    def url(self, listener: str, path: str = "") -> str:
        """An address there; without a path the origin."""
        scheme, host, port = self._places[listener]
        return f"{scheme}://{host}:{port}{path}"

    def address(self, fault: Fault) -> str:
        """Where a fault is met."""
        if fault.href is not None:
            return fault.href(self)
        return self.url(fault.listener or "a", fault.place)

    # -- listening --------------------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        made = contexts(self._folder)
        await self._listen("a", self._answering("a"))
        await self._listen("b", self._answering("b"), "127.0.0.2")
        await self._listen("internal", self._answering("internal"), "127.0.0.3")
        for name in ("a2", *(fault.listener or "" for fault in ROBOTS)):
            await self._listen(name, self._answering(name))
        for kind, context in made.items():
            await self._listen(f"tls-{kind}", self._answering(f"tls-{kind}"), context=context)
        for name in ("h2-goaway", "h2-lie", "h2-silent"):
            await self._listen(name, self._http2(name), context=speaking_http2(self._folder))
        await self._listen("hang", self._silent)
        self.closed, self.full = self._closed_port(), self._full_port()
        self._ready.set()
        await self._stop.wait()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(
        self, name: str, serve: Serve, host: str = "127.0.0.1", context: ssl.SSLContext | None = None
    ) -> None:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self._loop.create_task(self._served(serve, reader, writer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        server = await asyncio.start_server(accept, host, 0, limit=LONGEST_HEAD, ssl=context)
        self._places[name] = ("https" if context else "http", host, server.sockets[0].getsockname()[1])

    async def _served(self, serve: Serve, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(Over, OSError, EOFError, asyncio.LimitOverrunError, TimeoutError, ssl.SSLError):
                await serve(reader, writer)
        finally:
            writer.close()

    def _closed_port(self) -> str:
        """Bound and not listening, so that nobody else takes it."""
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        self._sockets.append(bound)
        return f"http://127.0.0.1:{bound.getsockname()[1]}"

    def _full_port(self) -> str:
        """Listening, with a queue that is full: a further connection is never answered."""
        bound = socket.socket()
        bound.bind(("127.0.0.1", 0))
        bound.listen(0)
        self._sockets.append(bound)
        for _ in range(3):
            waiting = socket.socket()
            waiting.setblocking(False)
            with suppress(BlockingIOError):
                waiting.connect(bound.getsockname())
            self._sockets.append(waiting)
        return f"http://127.0.0.1:{bound.getsockname()[1]}"

    # -- answering --------------------------------------------------------------------------------------------------

    def _answering(self, listener: str) -> Serve:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while await self._exchange(listener, reader, writer):
                pass

        return serve

    async def _exchange(self, listener: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        async with asyncio.timeout(20):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, *_ = *line.split(" "), ""
        headers = {name.strip().lower(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
        visit = Visit(self, listener, (reader, writer), method, target)
        visit.count = self.log.note(listener, method, target, headers)
        await self._route(visit)
        return visit.keeps

    async def _route(self, visit: Visit) -> None:
        answer = self._answers.get((visit.listener, visit.path))
        if visit.path == "/robots.txt":
            await self._robots(visit)
        elif answer is not None and visit.listener not in {fault.listener for fault in ROBOTS}:
            await answer(visit)
        elif visit.path == "/":
            await visit.reply(200, self._index() if visit.listener == "a" else document("x", "<a href=/ok/1>ok</a>"))
        elif visit.path.startswith(PREFIX):
            await enter(visit)
        elif visit.path == "/circle":
            await visit.reply(302, b"", headers=(("Location", "/fault/redirect-circle"),))
        elif visit.path.startswith("/ok/"):
            await visit.reply(200, document(f"ok {visit.path[4:40]}", "control page"))
        elif visit.path.startswith(("/catch/", "/page", "/secret/", "/danger/")) or visit.listener == "internal":
            await visit.reply(200, document("reached", f"reached {visit.listener}"))
        else:
            await visit.reply(404, document("404", "none"))

    async def _robots(self, visit: Visit) -> None:
        for fault in ROBOTS:
            if fault.listener == visit.listener and fault.answer is not None:
                await fault.answer(visit)
                return
        named = SITEMAPS if visit.listener == "a" else ()
        lines = ["User-agent: *", "Disallow: /secret/", *(f"Sitemap: {self.address(fault)}" for fault in named)]
        await visit.reply(200, "\n".join(lines).encode(), "text/plain")

    def _index(self) -> bytes:
        linked = [(fault.name, self.address(fault)) for fault in self.faults if fault.linked]
        control = [(path, path) for path in CONTROL_PAGES]
        rows = [*control[:20], *linked, *control[20:]]
        return document("torture index", "\n".join(f'<a href="{target}">{name}</a>' for name, target in rows))

    def _http2(self, trick: str) -> Serve:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            async with asyncio.timeout(10):
                await reader.read(65_536)
            lies = HEAD + b"Content-Length: 2\r\n\r\nhi"
            writer.write({"h2-goaway": SETTINGS + GOAWAY, "h2-lie": lies, "h2-silent": SETTINGS}[trick])
            await writer.drain()
            if trick == "h2-silent":
                await self._silent(reader, writer)

        return serve

    async def _silent(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(self.patience):
            while not reader.at_eof():
                await reader.read(65_536)
