"""One client's connection: HTTP/1.1 with keep-alive and pipelining, answered in order (RFC 9112)."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import sys
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from core.demo.answer import DRIP, HANG, RESET, TRUNCATE, Answer, answer
from core.demo.control import control
from core.demo.request import HEAD_LIMIT, Request, read_request

if TYPE_CHECKING:
    from core.demo.site import Site

DRIP_PIECES = 100
REASONS = {status.value: status.phrase for status in HTTPStatus}
LINGER_NOT = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # close with a reset


class Connection(asyncio.Protocol):
    """Reads requests, notes them in the log, and sends what the pages say. One answer at a time."""

    def __init__(self, site: Site, listener: int) -> None:
        self._site = site
        self._listener = listener
        self._buffer = b""
        self._open: str | None = None  # the host of the request that is being answered
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport, and let the site close it at its own end."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one by behaviour only
        self._site.connections.add(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's own signature)
        """A request whose client went away has ended."""
        self._site.connections.discard(self._transport)
        if self._timer is not None:
            self._timer.cancel()
        self._end(0, 0)

    def data_received(self, data: bytes) -> None:
        """Answer as far as whole requests have come in and no earlier answer is pending."""
        self._buffer += data
        self._serve()

    def _serve(self) -> None:
        while self._open is None and not self._transport.is_closing():
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > HEAD_LIMIT:
                    self._refuse(431)
                return
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            request = read_request(head)
            if request is None:
                self._refuse(400)
            elif request.method not in {"GET", "HEAD"}:
                self._refuse(405)
            elif request.target.startswith("/__"):
                status, found = control(self._site, request.target)
                body = json.dumps(found).encode()
                self._send(request, Answer(status, (("Content-Type", "application/json"),), body))
            else:
                self._begin(request)

    def _begin(self, request: Request) -> None:
        name, host = self._site.host_of(request.host, self._listener)
        nth = self._site.log.begin(name, request.target, time.monotonic(), time.time())
        self._open = name
        made = answer(self._site.pages, host, request.target, nth, request.headers)
        if made.delay:
            self._timer = asyncio.get_running_loop().call_later(made.delay, self._wake, request, made)
        else:
            self._deliver(request, made)

    def _deliver(self, request: Request, made: Answer) -> None:
        if made.manner == RESET:
            self._reset()
        elif made.manner == HANG:
            self._timer = asyncio.get_running_loop().call_later(self._site.options.timeout_s, self._transport.abort)
        elif made.manner == TRUNCATE and request.method == "GET":
            self._truncate(made)
        elif made.manner == DRIP and request.method == "GET":
            self._transport.write(_head(made, request.keep_alive))
            self._drip(request, made, 0)
        else:
            self._finish(request, made)

    def _finish(self, request: Request, made: Answer) -> None:
        self._end(made.status, 0 if request.method == "HEAD" else len(made.body))
        self._send(request, made)

    def _send(self, request: Request, made: Answer) -> None:
        head = _head(made, request.keep_alive)
        self._transport.write(head if request.method == "HEAD" else head + made.body)
        if not request.keep_alive:
            self._transport.close()

    def _refuse(self, status: int) -> None:
        self._transport.write(_head(Answer(status, (), b""), keep_alive=False))
        self._transport.close()

    def _reset(self) -> None:
        self._end(0, 0)
        self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
        self._transport.abort()

    def _truncate(self, made: Answer) -> None:
        half = len(made.body) // 2
        self._end(made.status, half)
        self._transport.write(_head(made, keep_alive=False) + made.body[:half])
        self._transport.close()

    def _drip(self, request: Request, made: Answer, sent: int) -> None:
        """Send the next piece of a dripped body, and the rest later."""
        size = max(1, -(-len(made.body) // DRIP_PIECES))
        self._transport.write(made.body[sent : sent + size])
        sent += size
        if sent < len(made.body):
            pause = self._site.options.drip_s / DRIP_PIECES
            self._timer = asyncio.get_running_loop().call_later(pause, self._drip, request, made, sent)
            return
        self._end(made.status, len(made.body))
        if not request.keep_alive:
            self._transport.close()
        self._serve()

    def _wake(self, request: Request, made: Answer) -> None:
        self._deliver(request, made)
        self._serve()

    def _end(self, status: int, size: int) -> None:
        if self._open is not None:
            self._site.log.end(self._open, status, size)
            self._open = None


def _head(made: Answer, keep_alive: bool) -> bytes:
    """Status line and headers; a 304 has no length of its own (RFC 9110 15.4.5)."""
    length = "" if made.status == 304 else f"Content-Length: {len(made.body)}\r\n"
    lines = "".join(f"{name}: {value}\r\n" for name, value in made.headers)
    connection = "keep-alive" if keep_alive else "close"
    start = f"HTTP/1.1 {made.status} {REASONS.get(made.status, 'Answer')}\r\n"
    return f"{start}{lines}{length}Connection: {connection}\r\n\r\n".encode("latin-1", "replace")
