"""Percent escapes: what makes a component safe to send, and what makes two spellings of it equal.

Safe spelling is what a browser sends (WHATWG URL, percent-encode sets), with RFC 3986 section 6.2.2 on top: upper-case
hex, unreserved characters unescaped. Strict spelling goes on to what RFC 3986 does not allow raw, brackets and a lone
percent sign among them. Both are idempotent, and no escape is ever decoded twice: `%%341` keeps its `%34`, since
unescaped it would make a new escape out of the lone percent sign before it.
"""

from __future__ import annotations

import re

_HEX = "[0-9A-Fa-f]"
_PATH_UNSAFE = re.compile(r"[^!$%&'()*+,\-./0-9:;=@A-Z\[\\\]_a-z|~]++")
_QUERY_UNSAFE = re.compile(r"[^!$%&()*+,\-./0-9:;=?@A-Z\[\\\]^_`a-z{|}~]++")
_ESCAPE = re.compile(f"(%(?!{_HEX}{{2}}){_HEX}?)?(%{_HEX}{{2}})")
# A class at the beginning lets the scan run in one loop; only a percent sign has to be looked behind.
_NOT_STRICT = re.compile(rf"[%\[\]|\\^`{{}}](?:(?<!%)|(?!{_HEX}{{2}}))")
_ESCAPES = re.compile(f"(?:%{_HEX}{{2}})+")
_UNRESERVED = {
    f"%{ord(char):02X}": char for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}
_MADE_STRICT = {char: f"%{ord(char):02X}" for char in "%[]|\\^`{}"}
_HEX_DIGITS = frozenset("0123456789ABCDEFabcdef")


def safe_path(path: str) -> str:
    """The path as a browser would send it; its characters count as UTF-8 whatever the page's charset."""
    return _normal(_PATH_UNSAFE.sub(_as_utf8, path))


def safe_query(query: str, charset: str = "utf-8") -> str:
    """The query as a browser would send it from a page in `charset` (a WHATWG name; UTF-8 where it is unknown)."""
    if query.isascii():
        return _normal(_QUERY_UNSAFE.sub(_as_utf8, query))
    from core.urls.charsets import encoder  # only pages with raw non-ASCII queries need the table

    octets = encoder(charset)(query).decode("latin-1")
    # Multi-byte charsets have trail bytes in the ASCII range; those stay raw where the query set allows them.
    return _normal(_QUERY_UNSAFE.sub(_as_octets, octets))


def strict(target: str) -> str:
    """The safe target with everything escaped that RFC 3986 does not allow raw, so that both spellings are one."""
    made = _NOT_STRICT.sub(lambda match: _MADE_STRICT[match.group()], target)
    return target if made == target else _normal(made)


def upper_hex(text: str) -> str:
    """Only the hex digits in upper case: what is left to do after `str.lower`."""
    return _ESCAPE.sub(lambda match: (match.group(1) or "") + match.group(2).upper(), text)


def upper_escapes(text: str) -> str:
    """Every escape in upper case and nothing else: most URLs that are not safe yet lack only that."""
    return _ESCAPES.sub(_upper, text)


def unescaped(text: str) -> str:
    """Every escape decoded once, invalid UTF-8 replaced: for comparing names, never for building a URL."""
    octets = _ESCAPE.sub(lambda match: (match.group(1) or "") + chr(int(match.group(2)[1:], 16)), text)
    return octets.encode("latin-1", "replace").decode("utf-8", "replace")


def _upper(match: re.Match[str]) -> str:
    return match.group().upper()


def _normal(text: str) -> str:
    return _ESCAPE.sub(_normal_escape, text) if "%" in text else text


def _normal_escape(match: re.Match[str]) -> str:
    escape = match.group(2).upper()
    char = _UNRESERVED.get(escape, escape)
    lone = match.group(1)
    if lone is None:
        return char
    return lone + (escape if char in _HEX_DIGITS else char)


def _as_utf8(match: re.Match[str]) -> str:
    return "".join([f"%{octet:02X}" for octet in match.group().encode("utf-8", "replace")])


def _as_octets(match: re.Match[str]) -> str:
    return "".join([f"%{ord(char):02X}" for char in match.group()])
