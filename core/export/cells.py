"""Cells as text for files: no text that breaks a file or runs in a spreadsheet."""

from __future__ import annotations

import re

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
# OWASP, "CSV Injection": these begin a formula in a spreadsheet; the full-width forms do so in East Asian editions.
_DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?[0-9]++(?:[.,][0-9]++)*+(?:[eE][+-]?[0-9]++)?%?")


def writable(text: str) -> str:
    """The text with U+FFFD where UTF-8 (a lone surrogate) or a reader of the file (NUL) could not stand it."""
    return _UNWRITABLE.sub("\ufffd", text)


def neutralised(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would take it for a formula. Numbers stay numbers."""
    if text.startswith(_DANGEROUS) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text
