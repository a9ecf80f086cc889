"""Which octets stand for a character in the legacy charsets (WHATWG Encoding): the standard's decoders read backwards.

A table is made when the first page in its charset has a raw query beyond ASCII, and kept. Where several octets mean one
character the standard says which are written: the first ones, but for six characters of Big5, and in Shift_JIS never
those of the rows that NEC took over from IBM.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

SINGLE_OCTET = frozenset(
    "ibm866 koi8-r koi8-u macintosh windows-874 x-mac-cyrillic x-user-defined iso-8859-8-i".split()
    + [f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)]
    + [f"windows-{page}" for page in range(1250, 1259)]
)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which octets can begin and end a pair; `last`: characters written with their last pair."""

    leads: bytes
    trails: bytes
    single: bytes = b""
    last: str = ""


def _span(first: int, last: int) -> bytes:
    return bytes(range(first, last + 1))


_GB_TRAILS = _span(0x40, 0x7E) + _span(0x80, 0xFE)
TWO_OCTETS = {
    "big5": _Layout(_span(0xA1, 0xFE), _span(0x40, 0x7E) + _span(0xA1, 0xFE), last="═╞╡╪十卅"),
    "euc-jp": _Layout(b"\x8e" + _span(0xA1, 0xFE), _span(0xA1, 0xFE)),
    "euc-kr": _Layout(_span(0x81, 0xFE), _span(0x41, 0xFE)),
    "gb18030": _Layout(_span(0x81, 0xFE), _GB_TRAILS),
    "gbk": _Layout(_span(0x81, 0xFE), _GB_TRAILS),
    "shift_jis": _Layout(
        _span(0x81, 0x9F) + _span(0xE0, 0xEC) + _span(0xFA, 0xFC),
        _span(0x40, 0x7E) + _span(0x80, 0xFC),
        single=b"\x80" + _span(0xA1, 0xDF),
    ),
}
# Characters that were private before Unicode had them are still written (the gb18030 encoder's own table).
_GB_PRIVATE = {
    char: bytes.fromhex(octets)
    for char, octets in zip(
        "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864",
        "a6d9 a6da a6db a6dc a6dd a6de a6df a6ec a6ed a6f3 fe59 fe61 fe66 fe67 fe6d fe7e fe90 fea0".split(),
        strict=True,
    )
}


def reference(char: str) -> bytes:
    """What stands in a query for a character that its charset lacks."""
    return b"%%26%%23%d%%3B" % ord(char)


@lru_cache(maxsize=16)
def table(name: str) -> dict[str, bytes]:
    """Character to octets, all beyond ASCII, for a name in SINGLE_OCTET or TWO_OCTETS."""
    if name in SINGLE_OCTET:
        return _read([bytes((octet,)) for octet in range(0x80, 0x100)], name, "")
    layout = TWO_OCTETS[name]
    pairs = [bytes((lead, trail)) for lead in layout.leads for trail in layout.trails]
    found = _read([bytes((octet,)) for octet in layout.single] + pairs, name, layout.last)
    return found | _extra(name, found)


def _read(sequences: list[bytes], name: str, last: str) -> dict[str, bytes]:
    import turbohtml.detect  # noqa: F401 - registers the standard's decoders

    # No sequence holds a line feed, so one call decodes them all and no broken one spoils the next.
    read = b"\n".join(sequences).decode(f"whatwg-{name}", "replace").split("\n")
    found: dict[str, bytes] = {}
    for char, octets in zip(read, sequences, strict=True):
        if len(char) == 1 and char != "\ufffd" and (char not in found or char in last):
            found[char] = octets
    return found


def _extra(name: str, found: dict[str, bytes]) -> dict[str, bytes]:
    """What the standard's encoders write and its decoders do not read back."""
    if name == "gb18030":
        return {**_GB_PRIVATE, "\ue7c7": b"\x815\xf47"}
    if name == "gbk":
        return {**_GB_PRIVATE, "€": b"\x80"}
    if name in {"shift_jis", "euc-jp"}:
        return {"¥": b"\\", "\u203e": b"~", "\u2212": found["\uff0d"]}
    return {}
