"""Near duplicates: 64 bits that differ little where texts differ little (Charikar, STOC 2002; Manku et al., WWW 2007).

The features are the distinct pairs of neighbouring words; each votes on each bit. Distinct ones, because otherwise a
language's few commonest words decide. A script that is written without spaces (Chinese, Japanese, Thai) has its
characters for words. All words of a text are hashed at once, eight octets at a time.
"""

from __future__ import annotations

from math import cos, pi
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_CHARACTERS = 500_000  # what comes later in a text cannot move many bits
BITS = 64

_MASK = (1 << BITS) - 1
_FACTOR = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: keeps what follows one another apart from its reverse
_MIX = (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53)  # MurmurHash3, fmix64
_LANES, _FULL = 0x0101010101010101, 255  # one bit in each octet, and how many of them fit into it added up
_BLOCK = 8  # octets that are hashed at a time
_LONGEST_WORD = 64  # octets
_SPACE = 0x20  # and what is below it
_ABUGIDA, _BEYOND_PUNCTUATION, _FOUR_OCTETS = 0xE0, 0xE3, 0xF0  # first octets in UTF-8: U+0800, U+3000, U+10000


def simhash(text: str) -> int:
    """The signed 64-bit SimHash of visible text (SQLite keeps signed numbers); 0 for a text without words."""
    import numpy as np  # only crawls that look for near duplicates need it

    folded = text[:MAX_CHARACTERS].lower()
    plain = folded.isascii()
    if not plain:
        folded = " ".join(folded.split())  # there is white space beyond ASCII
    hashes = _word_hashes(folded.encode("utf-8", "surrogatepass"), plain=plain)
    if not len(hashes):
        return 0
    pairs = hashes[:-1] * np.uint64(_FACTOR) ^ hashes[1:] if len(hashes) > 1 else hashes
    features = np.sort(_mixed(pairs))
    features = features[np.append(True, features[1:] != features[:-1])]
    bits = np.packbits(_votes(features) * 2 > len(features), bitorder="little")
    return int.from_bytes(bits.tobytes(), "little", signed=True)


def hamming(left: int, right: int) -> int:
    """In how many of 64 bits two hashes differ."""
    return ((left ^ right) & _MASK).bit_count()


def differing_share(distance: int) -> float:
    """About which part of two texts differs, 0 to 1, when their hashes differ in so many bits.

    Hashes differ in each bit with a probability that is the angle between the texts over pi (Charikar, section 3).
    """
    return min(1.0, 1.0 - cos(pi * distance / BITS))


def _word_hashes(text: bytes, *, plain: bool) -> NDArray[np.uint64]:
    """The hash of each word; what comes behind the first 64 octets of a word does not count. `plain`: it is ASCII."""
    import numpy as np

    octets = np.frombuffer(text + bytes(_BLOCK), np.uint8)
    starts, sizes = _words(octets[: len(text)], plain=plain)
    blocks = np.ndarray((len(text) + 1,), "<u8", octets, strides=(1,))  # the eight octets from each place on
    unused = (np.maximum(_BLOCK - sizes, 0) * 8).astype(np.uint64)
    hashes = _stirred(sizes.astype(np.uint64), blocks[starts] << unused)  # what is behind a word falls out
    for done in range(_BLOCK, _LONGEST_WORD, _BLOCK):
        longer = np.flatnonzero(sizes > done)
        if not len(longer):
            break
        unused = (np.maximum(_BLOCK + done - sizes[longer], 0) * 8).astype(np.uint64)
        hashes[longer] = _stirred(hashes[longer], blocks[starts[longer] + done] << unused)
    return hashes


def _stirred(hashes: NDArray[np.uint64], block: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hashes with one more block of their words."""
    import numpy as np

    both = (hashes ^ block) * np.uint64(_FACTOR)
    both ^= both >> np.uint64(32)
    return both


def _words(octets: NDArray[np.uint8], *, plain: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each word begins, and how many octets it has."""
    import numpy as np

    spaces = np.flatnonzero(octets <= _SPACE)
    starts, ends = np.append(0, spaces + 1), np.append(spaces, len(octets))
    apart = spaces[:0] if plain else np.flatnonzero((octets == _ABUGIDA) | (octets >= _BEYOND_PUNCTUATION))
    if len(apart):
        behind = apart + np.where(octets[apart] >= _FOUR_OCTETS, 4, 3)
        starts = np.sort(np.concatenate((starts, apart, behind)))
        ends = ends[np.searchsorted(ends, starts)]
        ends[:-1] = np.minimum(ends[:-1], starts[1:])
    sizes = ends - starts
    there = sizes > 0
    return starts[there], sizes[there]


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of a value has a say in every bit of the result."""
    import numpy as np

    shift = np.uint64(33)
    for factor in _MIX:
        values = (values ^ values >> shift) * np.uint64(factor)
    return values ^ values >> shift


def _votes(features: NDArray[np.uint64]) -> NDArray[np.intp]:
    """For each of 64 bits, how many features have it set: every eighth bit at a time, each in an octet of its own."""
    import numpy as np

    rows = -(-len(features) // _FULL)
    padded = np.zeros(rows * _FULL, np.uint64)
    padded[: len(features)] = features
    lanes = padded >> np.arange(8, dtype=np.uint64)[:, None]
    lanes &= np.uint64(_LANES)
    sums = lanes.reshape(8, rows, _FULL).sum(axis=2).astype("<u8")
    votes: NDArray[np.intp] = sums.view(np.uint8).reshape(8, rows, 8).sum(axis=1, dtype=np.intp)
    return votes.T.ravel()
