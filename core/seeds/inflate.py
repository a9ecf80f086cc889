"""Gzip told by its first bytes, whatever the name or the header says, and never more than a bound of it.

A sitemap may be plain, gzipped, or gzipped twice (a `.xml.gz` behind `Content-Encoding: gzip`). What was decoded before
a bound or a fault is kept: half a sitemap is better than none.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAGIC = b"\x1f\x8b"
MOST_LAYERS = 3
MOST_MEMBERS = 64
_STEP = 256 * 1024


class Trouble:
    """Why decoding ended early, in a sentence; empty where it did not."""

    def __init__(self) -> None:
        self.sentence = ""


def inflated(pieces: Iterable[bytes], most: int) -> tuple[bytes, str]:
    """The decoded octets, at most `most`, and a sentence where the rest is missing; pieces may be cut anywhere."""
    trouble = Trouble()
    body = _bounded(pieces, most, trouble)
    for _ in range(MOST_LAYERS):
        if not body.startswith(MAGIC):
            break
        body = _bounded(_members(body, trouble), most, trouble)
    return body, trouble.sentence


def whole_lines(octets: bytes) -> bytes:
    """Without a last line that has no end: of a body that was cut off it may be half an address, which is another."""
    return octets[: octets.rfind(b"\n") + 1]


def _bounded(pieces: Iterable[bytes], most: int, trouble: Trouble) -> bytes:
    kept: list[bytes] = []
    room = most
    for piece in pieces:
        kept.append(piece[:room])
        room -= len(piece)
        if room < 0:
            trouble.sentence = f"Only the first {most:,} bytes were read."
            break
    return b"".join(kept)


def _members(body: bytes, trouble: Trouble) -> Iterator[bytes]:
    """The contents of the gzip members one after another, in pieces of bounded size."""
    rest = body
    for _ in range(MOST_MEMBERS):
        decoder = zlib.decompressobj(wbits=31)
        try:
            yield decoder.decompress(rest, _STEP)
            while not decoder.eof and decoder.unconsumed_tail:
                yield decoder.decompress(decoder.unconsumed_tail, _STEP)
        except zlib.error:
            trouble.sentence = "The gzip data is damaged; what came before was read."
            return
        if not decoder.eof:
            trouble.sentence = "The gzip data ends early; what came before was read."
            return
        rest = decoder.unused_data
        if not rest.startswith(MAGIC):
            return
    trouble.sentence = f"The gzip data has more than {MOST_MEMBERS} members; the rest was not read."
