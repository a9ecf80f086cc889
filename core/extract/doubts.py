"""What a person should know about how a text was cast: where two people would read it differently, or nothing could be.

Only said, never decided by: the casts alone give the values.
"""

from __future__ import annotations

import re

from core.extract.dates import MAX_CHARACTERS, parse_date, readings
from core.extract.numbers import parse_money, parse_number

_ONE_COMMA = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])")
_ONE_POINT = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?![\d.,])")
LONGEST = 40  # characters of a text that is quoted


def doubt(cast: str, text: str) -> str:
    """A sentence about a text that a rule found and the cast it goes through; empty where there is nothing to say."""
    text = " ".join(text.split())
    if not text:
        return ""
    speaks = {"date": _of_date, "number": _of_number, "money": _of_money}.get(cast)
    return speaks(text) if speaks else ""


def _of_date(text: str) -> str:
    if (torn := readings(text)) is not None:
        return f"{text} is {torn[0]} or {torn[1]}, depending on who reads it: left empty."
    if parse_date(text) is not None:
        return ""
    if len(text) > MAX_CHARACTERS:
        return "The text is too long for a date: point at the date alone."
    return f"“{_quoted(text)}” is no date that means one day only."


def _of_number(text: str) -> str:
    value = parse_number(text)
    if value is None:
        return f"No number stands in “{_quoted(text)}”."
    if _ONE_POINT.search(text) and isinstance(value, float):
        return f"Read as {value:g}, with decimals; as money the point would part thousands."
    if _ONE_COMMA.search(text):
        return f"Read as {value:,}: a comma with three digits behind it parts thousands."
    return ""


def _of_money(text: str) -> str:
    value, currency = parse_money(text)
    if value is None:
        return f"No amount stands in “{_quoted(text)}”."
    if not currency:
        return "No currency is seen beside the amount."
    if _ONE_POINT.search(text) or _ONE_COMMA.search(text):
        return f"Read as {value:,}: a separator with three digits behind it parts thousands."
    return ""


def _quoted(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
