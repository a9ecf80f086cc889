"""One response being received: bytes go in, and a head, a body or a fault comes out. No network here.

The head decides what happens to the body: wanted, or refused (redirect, type, encoding, announced size), in which case
not a byte of it is kept. All limits hold while bytes arrive, so that nothing a server sends can hold memory or time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httptools

from core.fetch.content_type import content_type
from core.fetch.decoding import Decoder, decoder_for, too_large
from core.fetch.fault import Fault
from core.fetch.head import REDIRECTS, is_accepted, text_of

if TYPE_CHECKING:
    from core.fetch.request import FetchRequest

LONGEST_HEAD = 262_144  # bytes, as in Chrome; for all that brings no body forward, interim answers and trailers too
_MOST_DRAINED = 16_384  # bytes of an unwanted body that are read over to keep the connection
_SPARE = 1 << 20


class Exchange:
    """Receives the answer to one request.

    After each `feed` or `end`, `done` says that nothing more is needed; then `fault` is None for a whole answer.
    `reusable` says that the connection may serve another request, `draining` that it may once the rest was read over,
    `sent` that a connection stood and the request went out, `again` that it went out a second time.
    """

    def __init__(self, request: FetchRequest) -> None:
        self.status: int | None = None
        self.headers: list[tuple[bytes, bytes]] = []
        self.content_type = ""
        self.charset: str | None = None
        self.wire_bytes = 0
        self.fault: Fault | None = None
        self.wanted = False
        self.whole = False
        self.sent = False
        self.again = False
        self._request = request
        self._fields: dict[bytes, bytes] = {}
        self._parser: httptools.HttpResponseParser | None = _parser(self)
        self._decoder: Decoder | None = None
        self._interim = False
        self._keep_alive = False
        self._spoiled = False
        self._framed = False
        self._length: int | None = None
        self._moved = False
        self._still = 0

    @property
    def done(self) -> bool:
        """Whether the answer is known: whole, broken, or its body not wanted."""
        return self.whole or self.fault is not None or (self.status is not None and not self.wanted)

    @property
    def reusable(self) -> bool:
        """Whether the connection stands at the start of a next answer."""
        return self.whole and self._keep_alive and not self._spoiled and self.fault is None

    @property
    def draining(self) -> bool:
        """Whether an unwanted body is short enough to be read over."""
        if self.whole or self.wanted or self.fault is not None or self.status is None or not self._framed:
            return False
        return (self._length or 0) <= _MOST_DRAINED and self.wire_bytes <= LONGEST_HEAD + _MOST_DRAINED

    def header(self, name: bytes) -> bytes | None:
        """The first header of this lower-case name."""
        return self._fields.get(name)

    def body(self) -> bytes:
        """The body as far as it came; empty after a fault that is not a broken end, or where it was not wanted."""
        if self._decoder is None or (self.fault is not None and self.fault.kind != "truncated"):
            return b""
        return self._decoder.body()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the connection."""
        if self._parser is None:
            return
        self.wire_bytes += len(data)
        self._moved = False
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._fail(Fault("protocol", "The server switched to another protocol."))
        except httptools.HttpParserError as error:
            self._spoiled = True
            self._fail(Fault("protocol", f"The answer is no HTTP ({text_of(str(error).encode())})."))
        self._still = 0 if self._moved else self._still + len(data)
        if self._still > LONGEST_HEAD:
            self._fail(Fault("protocol", f"The server sent {LONGEST_HEAD} bytes of headers without an answer."))
        elif self.wire_bytes > 2 * self._request.max_body + _SPARE:
            self._fail(too_large())

    def end(self, reason: str = "") -> None:
        """The connection ended. An answer without length was whole by that; any other broke off."""
        if self.done:
            return
        if self.status is None:
            self._fail(_no_answer(self.wire_bytes, reason))
        elif self._framed or reason:
            self._fail(Fault("truncated", f"The connection ended before the answer did.{reason and f' ({reason})'}"))
        else:
            self._finish()

    def renew(self) -> None:
        """Forget a connection that ended before a byte of the answer came, to be asked over another one."""
        self.fault = None
        self._parser = _parser(self)

    def close(self) -> None:
        """Nothing more will be fed; parser and exchange no longer hold one another."""
        self._parser = None

    def _fail(self, fault: Fault) -> None:
        if fault.kind == "too_large" and self._request.cut and self.wanted:
            self.whole = self._spoiled = True
        elif self.fault is None and not self.whole:
            self.fault = fault

    def _finish(self) -> None:
        if self.wanted and self._decoder is not None and not self._decoder.complete():
            self._fail(Fault("truncated", "The compressed body ends in its middle."))
        self.whole = True

    # What httptools calls.

    def on_message_begin(self) -> None:
        """A message begins; a second one is none of ours."""
        self._spoiled = self.whole

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header line, or a trailer, which is not kept."""
        if self.status is None:
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The head is there: settle what becomes of the body."""
        if self.whole or self._parser is None:
            return
        status = self._parser.get_status_code()
        self._interim = 100 <= status < 200
        if self._interim:
            self.headers.clear()
            return
        if status < 100:
            self._fail(Fault("protocol", f"The answer's status is {status}, which is none."))
            return
        self._moved = True
        self.status = status
        self._fields = {name.lower(): value for name, value in reversed(self.headers)}
        self._read_framing()
        if status in REDIRECTS or status == 304:
            return
        types = [value for name, value in self.headers if name.lower() == b"content-type"]
        self.content_type, self.charset = content_type(types)
        if is_accepted(self.content_type, self._request.accept):
            self._open_body()

    def on_body(self, data: bytes) -> None:
        """A piece of the body."""
        if not data:
            return
        self._moved = True
        if self._decoder is None or self.fault is not None or self.whole:
            return
        try:
            self._decoder.feed(data)
        except Fault as fault:
            self._fail(fault)

    def on_message_complete(self) -> None:
        """The message ends as its framing says."""
        if self._interim or self.whole or self._parser is None:
            return
        self._keep_alive = self._parser.should_keep_alive()
        self._finish()

    def _read_framing(self) -> None:
        length = self.header(b"content-length")
        self._length = int(length) if length and length.strip().isdigit() else None
        coding = self.header(b"transfer-encoding")
        self._framed = length is not None or (coding is not None and coding.lower().rstrip().endswith(b"chunked"))

    def _open_body(self) -> None:
        encoding = self.header(b"content-encoding")
        try:
            self._decoder = decoder_for(text_of(encoding) if encoding else "", self._request.max_body)
        except Fault as fault:
            self._fail(fault)
            return
        self.wanted = True
        if encoding is None and not self._request.cut and (self._length or 0) > self._request.max_body:
            self._fail(too_large())


def _parser(exchange: Exchange) -> httptools.HttpResponseParser:
    parser = httptools.HttpResponseParser(exchange)
    # Old servers end lines with LF alone; nothing of ours forwards messages, so nothing can be smuggled through.
    parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True)
    return parser


def _no_answer(received: int, reason: str) -> Fault:
    detail = f" ({reason})" if reason else ""
    if not received:
        # A server that gave up an idle connection ended it in order; a reset may be its answer to this very request.
        sentence = f"The server closed the connection without an answer{detail}."
        return Fault("disconnect", sentence, unsent=not reason)
    return Fault("disconnect", f"The server closed the connection within the head of its answer{detail}.")
