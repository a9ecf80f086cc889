"""ISO-2022-JP, the one charset whose octets depend on what stood before (WHATWG Encoding, "ISO-2022-JP encoder")."""

from __future__ import annotations

from unicodedata import normalize

from core.urls.charset_tables import reference, table

_ASCII = b"\x1b(B"
_ROMAN = b"\x1b(J"
_KANJI = b"\x1b$B"
_IN_ROMAN = {"¥": b"\\", "\u203e": b"~"}
_SHIFTS = "\x0e\x0f\x1b"  # raw, they would switch the reader's charset
_VOICED = {"\uff9e": "\u309b", "\uff9f": "\u309c"}


def encoded(text: str) -> bytes:
    """The octets of a text, ending in ASCII; what the charset lacks is an escaped reference."""
    written = bytearray()
    mode = _ASCII
    for char in text:
        wanted, octets = _piece(char, mode)
        if wanted != mode:
            written += wanted
            mode = wanted
        written += octets
    if mode != _ASCII:
        written += _ASCII
    return bytes(written)


def _piece(char: str, mode: bytes) -> tuple[bytes, bytes]:
    """The mode in which a character is written, named by its escape sequence, and its octets there."""
    single = _ROMAN if mode == _ROMAN else _ASCII
    if char in _SHIFTS:
        return single, reference("\ufffd")
    if char in _IN_ROMAN:
        return _ROMAN, _IN_ROMAN[char]
    if char.isascii():
        return (_ASCII if char in "\\~" else single), char.encode()
    pair = table("euc-jp").get(_full_width(char), b"")
    if len(pair) != 2 or pair[0] < 0xA1:
        return single, reference(char)
    return _KANJI, bytes(octet & 0x7F for octet in pair)


def _full_width(char: str) -> str:
    return _VOICED.get(char) or (normalize("NFKC", char) if "\uff61" <= char <= "\uff9f" else char)
