"""Cells as text for files: no text that breaks a file or runs in a spreadsheet."""

from __future__ import annotations

import re
import unicodedata

LONGEST_CELL = 32_767  # characters, Excel's limit; a longer cell is cut there without a word, or spills into others
CUT = "… [cut]"
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
# OWASP, "CSV Injection": these begin a formula in a spreadsheet; the full-width forms do so in East Asian editions.
_DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?[0-9]++(?:[.,][0-9]++)*+(?:[eE][+-]?[0-9]++)?%?")
_UNSEEN = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp"))  # what a spreadsheet may skip before it looks for a formula


def writable(text: str) -> str:
    """The text with U+FFFD where UTF-8 (a lone surrogate) or a reader of the file (NUL) could not stand it."""
    return _UNWRITABLE.sub("\ufffd", text)


def neutralised(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would take it for a formula. Numbers stay numbers."""
    if not text or text[0].isalnum():
        return text
    if _seen(text).startswith(_DANGEROUS) or text.startswith(_DANGEROUS):
        return text if _NUMBER.fullmatch(text) else f"'{text}"
    return text


def fitted(text: str) -> str:
    """The text as a cell of a spreadsheet can hold it: neutralised, and cut where it is too long, which can be seen."""
    safe = neutralised(text)
    return safe if len(safe) <= LONGEST_CELL else safe[: LONGEST_CELL - len(CUT)] + CUT


def _seen(text: str) -> str:
    """The text from its first character that can be seen."""
    for place, character in enumerate(text):
        if unicodedata.category(character) not in _UNSEEN:
            return text[place:]
    return ""
