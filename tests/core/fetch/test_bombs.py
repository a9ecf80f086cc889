"""A bomb costs the memory of its limit, whatever it is packed in and whatever answer it comes with."""

from __future__ import annotations

import gzip
import time
import tracemalloc
import zlib
from typing import TYPE_CHECKING

import pytest

from core.fetch.decoding import MAX_MEMBERS
from tests.core.fetch.raw_server import hop, says

if TYPE_CHECKING:
    import asyncio

    from tests.core.fetch.raw_server import Handler

HEAD = b"HTTP/1.1 %b\r\nContent-Type: text/html\r\nContent-Encoding: %b\r\nLocation: /x\r\nConnection: close\r\n\r\n"
SIZE = 50_000_000
LIMIT = 100_000
MOST = 8_000_000  # bytes of memory: the limit, a step of the decoder, the packed bomb and its pieces on the way
PACKED = {
    "gzip": gzip.compress(bytes(SIZE)),
    "deflate": zlib.compress(bytes(SIZE)),
    "members": gzip.compress(bytes(SIZE // 50)) * 50,
}


def peak(handler: Handler, outcome: str) -> int:
    tracemalloc.start()
    try:
        assert hop(handler, max_body=LIMIT).outcome == outcome
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("status", [b"200 OK", b"404 Not Found", b"500 Oops"])
@pytest.mark.parametrize("packing", PACKED)
def test_a_bomb_stops_at_its_limit(packing: str, status: bytes) -> None:
    encoding = b"deflate" if packing == "deflate" else b"gzip"
    assert peak(says(HEAD % (status, encoding), PACKED[packing]), "error:too_large") < MOST


@pytest.mark.parametrize("packing", PACKED)
def test_a_bomb_behind_a_redirect_is_not_even_unpacked(packing: str) -> None:
    assert peak(says(HEAD % (b"302 Found", b"gzip"), PACKED[packing], then="hang"), "redirect") < MOST


def test_an_endless_body_without_encoding_stops_at_its_limit() -> None:
    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: int) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"z" * 65_536)
            await writer.drain()

    assert peak(endless, "error:too_large") < MOST


def test_a_flood_of_empty_members_is_refused_in_no_time() -> None:
    flood = gzip.compress(b"") * 200_000
    began = time.monotonic()
    fetched = hop(says(HEAD % (b"200 OK", b"gzip"), flood))
    assert fetched.outcome == "error:decode"
    assert str(MAX_MEMBERS) in (fetched.error or "")
    assert time.monotonic() - began < 1.0
