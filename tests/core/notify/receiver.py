"""A webhook's receiver on loopback: keeps what is posted, and answers as a test says."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass
class Receiver:
    """`answers` are statuses in their order, the last one for ever; `taken` is what was posted, refused or not."""

    answers: list[int] = field(default_factory=lambda: [204])
    extra: str = ""
    port: int = 0
    taken: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?token=secret"

    def keys(self) -> list[str]:
        return [event["idempotency_key"] for event in self.taken]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("Content-Length")
                )
                self.taken.append(json.loads(await reader.readexactly(length)))
                self.heads.append(head)
                status = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                writer.write(f"HTTP/1.1 {status} X\r\n{self.extra}Content-Length: 0\r\n\r\n".encode())
        except asyncio.IncompleteReadError:
            pass  # the client has gone
        finally:
            writer.close()


@asynccontextmanager
async def receiver(*answers: int, extra: str = "") -> AsyncIterator[Receiver]:
    """Listens within the block."""
    made = Receiver(list(answers) or [204], extra)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
