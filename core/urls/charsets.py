"""The charset in which a page's links carry their query (WHATWG Encoding, "get an output encoding").

Only names of that standard count. Python's own codecs are not asked: under the same names they hold other characters,
and its registry knows codecs that are no charsets.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.urls.charset_tables import SINGLE_OCTET, TWO_OCTETS, reference, table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# The labels met most that the standard gives another name.
_LABELS = {
    "ascii": "windows-1252",
    "iso-8859-1": "windows-1252",
    "latin1": "windows-1252",
    "us-ascii": "windows-1252",
    "iso-8859-9": "windows-1254",
    "gb2312": "gbk",
}

LEGACY = (*sorted(SINGLE_OCTET), *sorted(TWO_OCTETS), "iso-2022-jp")  # all in which a query is not UTF-8


def encoder(charset: str) -> Callable[[str], bytes]:
    """The function that turns a query into octets; UTF-8 for unknown names, UTF-16 and "replacement".

    A character that the charset lacks becomes `&#n;`, already escaped (WHATWG URL, "percent-encode after encoding").
    """
    name = charset.strip().lower()
    name = _LABELS.get(name, name)
    if name == "iso-2022-jp":
        from core.urls.iso_2022_jp import encoded  # hardly a page is left in it

        return encoded
    if name == "gb18030":
        return partial(_encoded, known=table(name), other=_four_octets)
    if name in SINGLE_OCTET or name in TWO_OCTETS:
        return partial(_encoded, known=table(name), other=reference)
    return _utf8


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _encoded(text: str, known: Mapping[str, bytes], other: Callable[[str], bytes]) -> bytes:
    return b"".join([char.encode() if char.isascii() else known.get(char) or other(char) for char in text])


def _four_octets(char: str) -> bytes:
    # U+E5E5 has no octets of its own: its old ones are read as an ideographic space.
    return reference(char) if char == "\ue5e5" else char.encode("gb18030", "replace")
