"""A server on loopback that answers exactly what a test wrote, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

DEADLINE = 20.0  # seconds until a test gives up waiting


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. `at` is monotonic; header names are in lower case."""

    host: str
    target: str
    headers: dict[str, str]
    at: float
    number: int  # of this target at this host, from 0


@dataclass(frozen=True, slots=True)
class Reply:
    """`raw` replaces everything and the connection is closed behind it; `hold` waits before the answer."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    type: str = "text/html; charset=utf-8"
    raw: bytes | None = None
    hold: float = 0.0
    gate: threading.Event | None = None  # answered when the test sets it

    def encoded(self) -> bytes:
        if self.raw is not None:
            return self.raw
        lines = [f"HTTP/1.1 {self.status} X", f"Content-Length: {len(self.body)}"]
        lines += [f"Content-Type: {self.type}"] if self.type else []
        lines += [f"{name}: {value}" for name, value in self.headers]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (b"" if self.status == 304 else self.body)


Answer = "Reply | bytes | str | Callable[[Asked], Reply | bytes | str]"


def page(*links: str, title: str = "Page", head: str = "") -> bytes:
    """An HTML page with these links."""
    anchors = "".join(f'<a href="{link}">{link}</a>\n' for link in links)
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{anchors}</body></html>".encode()


def moved(location: str, status: int = 302, *headers: tuple[str, str]) -> Reply:
    return Reply(b"", status, (("Location", location), *headers))


class ScriptedSite:
    """`with ScriptedSite({"/": page("/a")}) as site`; a key may be `host/path` for one host's own answer.

    What is not scripted is 404, robots.txt too. Each value is a Reply, a body, or a function of the request.
    """

    def __init__(self, answers: dict[str, object] | None = None) -> None:
        self.answers: dict[str, object] = dict(answers or {})
        self.asked: list[Asked] = []
        self.port = 0
        self._changed = threading.Condition()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(DEADLINE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def at(self, host: str) -> str:
        """The root of another name for this server."""
        return f"http://{host}:{self.port}"

    def targets(self, host: str | None = None) -> list[str]:
        """What was asked for, in order; of one host name only, if given."""
        return [asked.target for asked in self.asked if host is None or asked.host.partition(":")[0] == host]

    def count(self, target: str) -> int:
        return self.targets().count(target)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Until a request makes the condition true."""
        with self._changed:
            assert self._changed.wait_for(condition, DEADLINE), f"asked only for {self.targets()}"

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, limit=1 << 20)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has gone
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *lines = head.rstrip("\r\n").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
        target, host = line.split(" ")[1], headers.get("host", "")
        with self._changed:
            number = sum(asked.target == target and asked.host == host for asked in self.asked)
            asked = Asked(host, target, headers, time.monotonic(), number)
            self.asked.append(asked)
            self._changed.notify_all()
        reply = self._reply(asked)
        if reply.hold:
            await asyncio.sleep(reply.hold)
        if reply.gate:
            await asyncio.to_thread(reply.gate.wait, DEADLINE)
        writer.write(reply.encoded())
        await writer.drain()
        return reply.raw is None

    def _reply(self, asked: Asked) -> Reply:
        own = asked.host.partition(":")[0] + asked.target
        found = self.answers.get(own, self.answers.get(asked.target, Reply(b"Not found", 404)))
        if callable(found):
            found = found(asked)
        if isinstance(found, Reply):
            return found
        return Reply(found.encode() if isinstance(found, str) else bytes(found))  # type: ignore[call-overload] # bytes
