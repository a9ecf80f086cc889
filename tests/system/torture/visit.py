"""One request at the hostile site, and everything a trick may do to whoever made it; all of it bounded."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.system.torture.site import Site

PIECE = 1 << 20


class Over(Exception):
    """The answer ends here, and the connection with it."""


class Visit:
    """The request (`method`, `target`, `count` of this path at this listener) and the connection it came over."""

    def __init__(
        self,
        site: Site,
        listener: str,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        method: str,
        target: str,
    ) -> None:
        self.site = site
        self.listener = listener
        self.method = method
        self.target = target
        self.count = 1
        self.sent = 0
        self.keeps = False
        self._reader, self._writer = streams
        self._until = time.monotonic() + site.patience

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """What stands behind the question mark."""
        return self.target.partition("?")[2]

    async def pause(self, seconds: float) -> None:
        """Say nothing for a while."""
        await asyncio.sleep(min(seconds, max(0.0, self._left)))
        if self._left <= 0 or self._writer.is_closing() or self._reader.at_eof():
            raise Over

    async def hang(self) -> None:
        """Say nothing any more, until whoever asked has gone."""
        while True:
            await self.pause(0.5)

    async def send(self, data: bytes) -> None:
        """Bytes as they are; at most the site's bound for one answer."""
        for start in range(0, len(data), PIECE):
            if self._left <= 0 or self.sent > self.site.most_bytes or self._writer.is_closing():
                raise Over
            piece = data[start : start + PIECE]
            self._writer.write(piece)
            self.sent += len(piece)
            async with asyncio.timeout(self._left):
                await self._writer.drain()

    async def reply(
        self,
        status: int,
        body: bytes,
        content_type: str = "text/html; charset=utf-8",
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """A well-formed answer, after which the connection stays."""
        lines = [f"HTTP/1.1 {status} X", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers]
        head = "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n"
        await self.send(head + (b"" if self.method == "HEAD" else body))
        self.keeps = True

    async def encoded(self, encoding: str, body: bytes, content_type: str = "text/html", status: int = 200) -> None:
        """An answer whose body is said to be encoded so."""
        lines = (("Content-Encoding", encoding), ("Connection", "close"))
        await self.reply(status, body, content_type, lines)
        self.keeps = False

    def reset(self) -> None:
        """End the connection with a RST."""
        own = self._writer.get_extra_info("socket")
        if own is not None:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()
        raise Over

    @property
    def _left(self) -> float:
        return self._until - time.monotonic()
