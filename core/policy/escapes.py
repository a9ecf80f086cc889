"""Percent escapes made comparable, so that a rule and a URL that mean the same octets read the same.

RFC 9309 section 2.2.2: octets outside the printable ASCII range of a URL are compared in their escaped form,
escaped unreserved characters in their plain form, and the hexadecimal digits in upper case. A reserved character
keeps the form it has: `%2F` is not `/`. Brackets have no place in a path or a query (RFC 3986, section 3.2.2) but are
sent as they are, as browsers do: here they are escaped.
"""

from __future__ import annotations

import re

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TRIPLET = re.compile(r"%([0-9A-Fa-f]{2})")
_UNSAFE = re.compile(r"[^!#-;=?-Z_a-z~]")  # space, controls, " < > [ \ ] ^ ` { | }, and everything beyond ASCII


def comparable(text: str) -> str:
    """`text` (a path, a query, or a rule for them) with its escapes in the one comparable form; total on any string."""
    if _UNSAFE.search(text):
        text = _UNSAFE.sub(_escaped, text)
    if "%" in text:
        text = _TRIPLET.sub(_settled, text)
    return text


def _escaped(found: re.Match[str]) -> str:
    # A lone surrogate stands for an octet that was no UTF-8, where the text was decoded with surrogateescape.
    character = found.group()
    try:
        octets = character.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        octets = character.encode("utf-8", "surrogatepass")
    return "".join(f"%{octet:02X}" for octet in octets)


def _settled(found: re.Match[str]) -> str:
    character = chr(int(found.group(1), 16))
    return character if character in _UNRESERVED else found.group().upper()
