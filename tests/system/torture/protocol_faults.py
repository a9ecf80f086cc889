"""Answers that are no HTTP, or HTTP that nobody should write."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.system.torture.fault import BROKEN, HEAD, OK, SMALL, Fault, raw

if TYPE_CHECKING:
    from tests.system.torture.visit import Visit

EITHER = (*BROKEN, "ok")
BIG = (*BROKEN, "error:too_large", "truncated")
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
NO_REASON = b"HTTP/1.1 200\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(SMALL)
SPLICED = HEAD + b"Content-Length: 2\r\n\r\nhi" + HEAD + b"Content-Length: 13\r\n\r\nPOISON-POISON"
PARTIAL = b"HTTP/1.1 206 P\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\nhi"
PROXY = b"HTTP/1.1 407 P\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"
MANY_LINES = b"".join(b"X-%05d: %s\r\n" % (number, b"v" * 100) for number in range(10_000))


def _status(code: str) -> Fault:
    answer = f"HTTP/1.1 {code} Odd\r\nContent-Length: 2\r\n\r\nhi".encode()
    return raw(f"status-{code}", "protocol", f"the status {code}", answer, EITHER)


def _with(name: str, does: str, lines: bytes, accept: tuple[str, ...], body: bytes = b"hi") -> Fault:
    return raw(name, "protocol", does, HEAD + lines + b"\r\n\r\n" + body, accept)


def _chunks(name: str, does: str, body: bytes, accept: tuple[str, ...]) -> Fault:
    return raw(name, "protocol", does, CHUNKED + body, accept)


async def _endless_head(visit: Visit) -> None:
    await visit.send(HEAD)
    while True:
        await visit.send(b"X-Pad: " + b"a" * 8000 + b"\r\n")


_CL = b"Content-Length: "
FAULTS = (
    raw("garbage", "protocol", "random bytes", random.Random(1).randbytes(4096), BROKEN),
    raw("http09", "protocol", "a page without a head", SMALL, BROKEN),
    *(_status(code) for code in ("000", "099", "999", "1000")),
    raw("no-reason", "protocol", "a status line without a reason", NO_REASON + SMALL, OK),
    raw("header-10k", "protocol", "10,000 headers", HEAD + MANY_LINES + b"\r\n" + SMALL, (*EITHER, "error:too_large")),
    Fault("header-endless", "protocol", "a head without end", (*BIG, "error:timeout"), _endless_head),
    _with("header-nul", "a NUL in a header", b"X-Nul: a\0b\r\n" + _CL + b"2", EITHER),
    _with("header-obs-fold", "a folded header", b"X-F: a\r\n  b\r\n" + _CL + b"2", EITHER),
    _with(
        "header-bytes", "headers that are no UTF-8", b"X-L: \xff\xfe\x80\r\nServer: caf\xe9\r\n" + _CL + b"2", EITHER
    ),
    _with("cl-conflict", "two lengths", _CL + b"2\r\n" + _CL + b"40", (*BROKEN, "truncated")),
    _with("cl-negative", "a negative length", _CL + b"-1", EITHER),
    _with("cl-huge", "a length of 10^18 and two bytes", _CL + b"1" + b"0" * 18, BIG),
    _with(
        "cl-and-te", "a length and chunks", _CL + b"3\r\nTransfer-Encoding: chunked", EITHER, b"2\r\nhi\r\n0\r\n\r\n"
    ),
    _with("te-unknown", "an unknown transfer encoding", b"Transfer-Encoding: bogus", EITHER),
    _chunks("chunk-huge-size", "a chunk of 2^64 bytes", b"FFFFFFFFFFFFFFFF\r\nhi", BIG),
    _chunks("chunk-garbage", "garbage behind a chunk", b"2\r\nhiXX0\r\n\r\n", BROKEN),
    _chunks("chunk-ext", "an extension of 1 MB", b"2;" + b"e" * 1_000_000 + b"\r\nhi\r\n0\r\n\r\n", EITHER),
    _chunks("chunk-trailers", "20,000 trailers", b"2\r\nhi\r\n0\r\n" + b"X-T: v\r\n" * 20_000 + b"\r\n", EITHER),
    raw("unsolicited-304", "protocol", "a 304 that nobody asked for", b"HTTP/1.1 304 NM\r\n\r\n", EITHER),
    raw("unsolicited-206", "protocol", "a 206 that nobody asked for", PARTIAL, (*EITHER, "truncated")),
    raw("response-splice", "protocol", "a second answer glued to the first", SPLICED, EITHER),
    raw("407-unsolicited", "credentials", "a proxy's question", PROXY, EITHER, no_header="proxy-authorization"),
)
