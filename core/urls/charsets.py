"""The charset in which a page's links carry their query (WHATWG Encoding, "get an output encoding").

Only names of that standard count. Python's own registry is never asked with a page's text: it holds codecs that are no
charsets, and some of them raise.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Left: the standard's names and the labels met most. Right: the Python codec with the same mapping.
_CODECS = {
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "gb18030": "gb18030",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "shift_jis": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    # The standard reads these labels as windows-1252, and so do all browsers.
    "ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-9": "cp1254",
    **{f"iso-8859-{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{page}": f"cp{page}" for page in range(1250, 1259)},
}


def encoder(charset: str) -> Callable[[str], bytes]:
    """The function that turns text into octets for a query; UTF-8 for unknown names, UTF-16 and "replacement"."""
    codec = _CODECS.get(charset.strip().lower())
    return partial(_encoded, codec=codec) if codec else _utf8


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _encoded(text: str, codec: str) -> bytes:
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return b"".join([_one(char, codec) for char in text])


def _one(char: str, codec: str) -> bytes:
    try:
        return char.encode(codec)
    except UnicodeEncodeError:
        return b"%%26%%23%d%%3B" % ord(char)  # "&#n;", escaped: the standard's answer to what a charset lacks
