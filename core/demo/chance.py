"""Repeatable chance: the same parts give the same number on every machine and in every process."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def mix(*parts: int | str) -> int:
    """Hash the parts, in order, to 64 bits."""
    text = "\0".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def unit(*parts: int | str) -> float:
    """Hash the parts to a number from 0 up to, not including, 1."""
    return (mix(*parts) >> 11) / (1 << 53)


def stream(*parts: int | str) -> Iterator[int]:
    """Numbers without end, each below 2**32; much cheaper than a hash each (Knuth's MMIX generator)."""
    state = mix(*parts)
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        yield state >> 32
