"""Cells as text for files: times in ISO 8601 UTC, and no text that breaks a file or runs in a spreadsheet."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
# OWASP, "CSV Injection": these begin a formula in a spreadsheet; the full-width forms do so in East Asian editions.
_DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?[0-9]++(?:[.,][0-9]++)*+(?:[eE][+-]?[0-9]++)?%?")


def iso(at: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC, to the millisecond where there are any. Empty beyond the calendar."""
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    precision = "milliseconds" if moment.microsecond else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


def writable(text: str) -> str:
    """The text with U+FFFD where UTF-8 (a lone surrogate) or a reader of the file (NUL) could not stand it."""
    return _UNWRITABLE.sub("\ufffd", text)


def neutralised(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would take it for a formula. Numbers stay numbers."""
    if text.startswith(_DANGEROUS) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text
