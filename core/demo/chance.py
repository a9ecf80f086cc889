"""Repeatable chance: the same parts give the same number on every machine and in every process."""

from __future__ import annotations

from hashlib import blake2b


def mix(*parts: int | str) -> int:
    """Hash the parts, in order, to 64 bits."""
    text = "\0".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def unit(*parts: int | str) -> float:
    """Hash the parts to a number from 0 up to, not including, 1."""
    return (mix(*parts) >> 11) / (1 << 53)
