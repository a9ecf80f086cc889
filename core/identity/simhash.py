"""Near duplicates: 64 bits that differ little where texts differ little (Charikar, STOC 2002; Manku et al., WWW 2007).

The features are the distinct pairs of neighbouring words, hashed with XXH3; each votes on each bit. Distinct ones,
because otherwise a language's few commonest words decide. Measured over texts of 100 to 1,500 words: one per cent of
the words changed moves 4 bits (at most 10), another text has more than 20 others.
"""

from __future__ import annotations

from xxhash import xxh3_64_intdigest

MAX_CHARACTERS = 500_000  # what comes later in a text cannot move many bits

_MASK = 2**64 - 1
_PAIR = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: keeps a pair apart from its reverse


def simhash(text: str) -> int:
    """The signed 64-bit SimHash of visible text (SQLite keeps signed numbers); 0 for a text without words."""
    import numpy as np  # only crawls that look for near duplicates need it

    words = text[:MAX_CHARACTERS].lower().split()
    if not words:
        return 0
    hashes = np.array([xxh3_64_intdigest(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.uint64)
    pairs = hashes[:-1] * np.uint64(_PAIR) ^ hashes[1:]
    features = np.unique(pairs if len(pairs) else hashes).astype("<u8")
    ones = np.unpackbits(features.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    bits = np.packbits(ones * 2 > len(features), bitorder="little")
    return int.from_bytes(bits.tobytes(), "little", signed=True)


def hamming(left: int, right: int) -> int:
    """In how many of 64 bits two hashes differ."""
    return ((left ^ right) & _MASK).bit_count()
