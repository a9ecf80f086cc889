"""Whatever a server sends, cut in whatever pieces: the client gives an answer, bounded, and raises nothing."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from core.fetch.connection import Connection
from core.fetch.fault import KINDS, outcome_of
from core.urls.url import Url
from tests.core.fetch.raw_server import client, request
from tests.fuzzing import fuzz

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fetch.response import Fetched

URL = Url("http", "127.0.0.1", 80, "/")
MOST = 2000  # bytes of a body
OUTCOMES = {"ok", "not_modified", "redirect", *(outcome_of(kind) for kind in KINDS)}
HTML = b"<p>hello</p>" * 20
DEFLATED = zlib.compress(HTML)
NUMBERS = ("0", "2", "240", "-1", "99999999999999999999", "1e3", "0x10", "+5", " 7 ", "5, 5", "nan", "")
LINES = st.one_of(
    st.sampled_from(
        ["Content-Type: text/html", "Content-Type: text/html; charset=x" * 300, "Content-Type:", "Bad line"]
    ),
    st.sampled_from(NUMBERS).map("Content-Length: {}".format),
    st.sampled_from(["gzip", "deflate", "br", "gzip, gzip", "identity", "x-gzip", ""]).map(
        "Content-Encoding: {}".format
    ),
    st.sampled_from(["chunked", "gzip, chunked", "bogus", "chunked, chunked"]).map("Transfer-Encoding: {}".format),
    st.sampled_from(["close", "keep-alive", "upgrade"]).map("Connection: {}".format),
    st.sampled_from(["/x", "//", "http://[", "\u00e9", "javascript:x", "a" * 20_000]).map("Location: {}".format),
    st.sampled_from([*NUMBERS, "Mon, 30 Nov 2026 12:00:00 GMT", "-9e999"]).map("Retry-After: {}".format),
    st.sampled_from(["a=b", "a=b; Domain=com", "=", ";;;", "x" * 9000, "a=b; Max-Age=-1"]).map("Set-Cookie: {}".format),
    st.sampled_from(['"a"', "W/", "*", "x" * 3000]).map("ETag: {}".format),
    st.text(st.characters(codec="latin-1"), max_size=40),
)
STATUS = st.one_of(
    st.sampled_from(["HTTP/1.1 200 OK", "HTTP/1.1 302 F", "HTTP/1.1 304 N", "HTTP/1.1 204 N", "HTTP/1.1 100 C"]),
    st.sampled_from(["HTTP/1.0 404 N", "HTTP/1.1 999 X", "HTTP/1.1", "HTTP/9.9 200 OK", "ICY 200 OK", "", "\u00ff"]),
    st.integers(0, 1100).map("HTTP/1.1 {} X".format),
)
BODY = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([HTML, gzip.compress(HTML), gzip.compress(HTML)[:-9], DEFLATED, DEFLATED[2:-4]]),
    st.sampled_from([gzip.compress(b"") * 70, gzip.compress(bytes(50_000)), b"x" * 5000]),
    st.sampled_from(
        [b"5\r\nhello\r\n0\r\n\r\n", b"ZZ\r\n", b"FFFFFFFFFFFFFFFFF\r\nx", b"2;" + b"e" * 999 + b"\r\nhi\r\n"]
    ),
)
HEADS = st.builds(
    lambda status, lines, end: "\r\n".join([status, *lines]).encode("utf-8", "surrogatepass") + end,
    *(STATUS, st.lists(LINES, max_size=6), st.sampled_from([b"\r\n\r\n", b"\n\n", b"\r\n", b""])),
)
ANSWERS = st.lists(st.one_of(HEADS, BODY), max_size=4).map(b"".join)
ENDS = st.sampled_from(["stays", "ends", "breaks"])


@dataclass
class Wire(asyncio.Transport):
    """A transport that answers what it is told to, in pieces, and then stays, ends or breaks."""

    connection: Connection
    pieces: list[bytes]
    end: str

    def write(self, _: object) -> None:
        """The request; each piece of the answer comes in a turn of its own."""
        loop = asyncio.get_running_loop()
        for piece in self.pieces:
            loop.call_soon(self.connection.data_received, piece)
        if self.end == "ends":
            loop.call_soon(self.connection.eof_received)
        if self.end != "stays":
            loop.call_soon(self.connection.connection_lost, ConnectionResetError() if self.end == "breaks" else None)

    def abort(self) -> None:
        """Nothing is there to be closed."""


def pieces_of(answer: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(answer), *(place % (len(answer) + 1) for place in places)})
    return [answer[start:end] for start, end in pairwise(edges)]


def asked_twice(pieces: list[bytes], end: str) -> list[Fetched]:
    """What comes of two requests, each answered like this, the second perhaps over the first's connection."""

    async def opened(_: object, freed: Callable[[Connection], None]) -> Connection:
        connection = Connection(freed)
        connection.connection_made(Wire(connection, pieces, end))
        return connection

    async def run() -> list[Fetched]:
        async with client(accept_cookies=True) as ours:
            ours._dialler.open = opened  # type: ignore[method-assign, assignment] # no network is wanted
            return [await ours.fetch(request(URL, max_body=MOST, timeout=0.05)) for _ in range(2)]

    return asyncio.run(run())


@fuzz(ANSWERS, st.lists(st.integers(0, 10_000), max_size=8), ENDS)
def test_every_answer_has_an_outcome_within_bounds(answer: bytes, places: list[int], end: str) -> None:
    for fetched in asked_twice(pieces_of(answer, places), end):
        assert fetched.outcome in OUTCOMES
        assert "unforeseen" not in (fetched.error or "")
        assert len(fetched.body) <= MOST
        assert len(fetched.error or "") <= 300
        assert fetched.seconds < 2.0
        assert len(fetched.headers) <= 100
        assert sum(len(name) + len(value) for name, value in fetched.set_cookies) <= 50 * 4096
        assert (fetched.error is None) == (fetched.outcome in {"ok", "not_modified", "redirect"})
