"""Bodies that never end, or are small on the wire and enormous when they are decoded."""

from __future__ import annotations

import base64
import gzip
import random
import struct
import zlib
from functools import cache
from typing import TYPE_CHECKING

from tests.system.torture.fault import HEAD, SMALL, Fault
from tests.system.torture.protocol_faults import CHUNKED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.torture.fault import Answer
    from tests.system.torture.site import Site
    from tests.system.torture.visit import Visit

MEGABYTE = 1 << 20
CUT = ("truncated", "error:too_large", "error:decode", "error:timeout")
# 512 MB of spaces in less than a kilobyte.
BROTLI = base64.b64decode(
    "z///fwAkQOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4"
    "LADd+3/+//8DIAEQhwWge//z//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC69//8//8HQAIgDgtA9/6f////"
    "AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7//P//38AJADisAB07//5//8PgARAHBaA7v0/////AZAAiMMC0L3/5///PwASAHFYALr3"
    "//z//wdAAiAOC0D3/p////8ASADEYQHo3v/z//8fAAmAOCwA3ft//v//AyABEIcFoHv/8///fwAkAOKwAHTv//n//w+ABEAcFoDu/T////8BkACI"
    "wwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge/8/"
)


@cache
def gzip_bomb(megabytes: int) -> bytes:
    """One gzip member of so many megabytes of spaces, about a kilobyte for each: one flushed block, repeated."""
    block = b" " * MEGABYTE
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    check = 0
    for _ in range(megabytes):
        check = zlib.crc32(block, check)
    end = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    size = megabytes * MEGABYTE & 0xFFFFFFFF
    return b"\x1f\x8b\x08\0\0\0\0\0\x02\xff" + packed * megabytes + end + struct.pack("<II", check, size)


def zstd_bomb(megabytes: int) -> bytes:
    """One zstd frame (RFC 8878) of run-length blocks: four bytes for each 128 KB."""
    blocks = megabytes * 8
    frame = b"\x28\xb5\x2f\xfd\x80\x58" + struct.pack("<I", megabytes * MEGABYTE & 0xFFFFFFFF)
    for number in range(blocks):
        last = number == blocks - 1
        frame += (131_072 << 3 | 2 | last).to_bytes(3, "little") + b" "
    return frame


def _stacked() -> bytes:
    body = SMALL
    for _ in range(50):
        body = gzip.compress(body)
    return body


def _encoded(encoding: str, body: Callable[[Site], bytes], status: int = 200) -> Answer:
    async def answer(visit: Visit) -> None:
        await visit.encoded(encoding, body(visit.site), status=status)

    return answer


async def _endless(visit: Visit) -> None:
    await visit.send(HEAD + b"Connection: close\r\n\r\n<html>")
    while True:
        await visit.send(b"<p>" + b"z" * 65_533)


async def _endless_chunks(visit: Visit) -> None:
    await visit.send(CHUNKED)
    while True:
        await visit.send(b"10000\r\n" + b"z" * 65_536 + b"\r\n")


async def _binary(visit: Visit) -> None:
    await visit.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 67108864\r\n\r\n")
    for _ in range(1024):
        await visit.send(b"q" * 65_536)


def _bomb(name: str, does: str, answer: Answer, accept: tuple[str, ...] = CUT) -> Fault:
    return Fault(name, "bomb", does, accept, answer)


_CHAIN = ("ok", "error:decode", "error:too_large")

FAULTS = (
    _bomb("infinite-body", "a page without end", _endless),
    _bomb("infinite-chunked", "chunks without end", _endless_chunks),
    _bomb("big-binary", "64 MB that are no page", _binary, (*CUT, "ok")),
    _bomb("gzip-bomb", "gzip, one to a thousand", _encoded("gzip", lambda site: gzip_bomb(site.bomb))),
    _bomb("gzip-multi", "many members", _encoded("gzip", lambda site: gzip_bomb(16) * max(1, site.bomb // 16))),
    _bomb("gzip-chain-50", "fifty layers", _encoded(", ".join(["gzip"] * 50), lambda _: _stacked()), _CHAIN),
    _bomb(
        "gzip-empty-members",
        "200,000 empty members",
        _encoded("gzip", lambda _: gzip.compress(b"") * 200_000),
        (*_CHAIN, "truncated"),
    ),
    _bomb("br-bomb", "brotli, 512 MB", _encoded("br", lambda _: BROTLI), (*CUT, "ok")),
    _bomb("zstd-bomb", "zstd", _encoded("zstd", lambda site: zstd_bomb(site.bomb)), (*CUT, "ok")),
    _bomb(
        "truncated-gzip",
        "gzip cut in half",
        _encoded("gzip", lambda _: gzip.compress(random.Random(2).randbytes(40_000))[:20_000]),
        ("error:decode", "truncated"),
    ),
    _bomb(
        "unknown-encoding", "an unknown encoding", _encoded("xyzzy", lambda _: b"\1\2" * 500), ("ok", "error:decode")
    ),
    _bomb(
        "error-bomb-body",
        "a 404 with a bomb",
        _encoded("gzip", lambda site: gzip_bomb(site.bomb), status=404),
        (*CUT, "ok"),
    ),
)
