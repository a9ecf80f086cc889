"""From what a rule found to the value of a field. Pure and total: what cannot be read is null.

All casts but `list` take the first value. A further cast is one function and one line in `CASTS`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from core.extract.dates import parse_date
from core.extract.numbers import parse_money, parse_number
from core.parse.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from core.identity import JsonValue


MAX_CHARACTERS = 32_767  # what a cell of a spreadsheet holds
MAX_ITEMS = 1000


def text(values: Iterable[JsonValue]) -> JsonValue:
    """The first value as text, white space collapsed; null where it is empty."""
    return _text(next(iter(values), None)) or None


def number(values: Iterable[JsonValue]) -> JsonValue:
    """The first value's first number: whole numbers as such."""
    return parse_number(_text(next(iter(values), None)))


def money(values: Iterable[JsonValue]) -> JsonValue:
    """The first value's amount and currency, as `1299.5 USD`; the number alone where no currency is seen."""
    amount, currency = parse_money(_text(next(iter(values), None)))
    return amount if amount is None or not currency else f"{amount} {currency}"


def date(values: Iterable[JsonValue]) -> JsonValue:
    """The first value's date as ISO 8601, in UTC where its zone is known."""
    return parse_date(_text(next(iter(values), None)))


def list_(values: Iterable[JsonValue]) -> JsonValue:
    """All values that are not empty, as texts; null where there is none."""
    texts = (_text(value) for value in values)
    return list(islice((each for each in texts if each), MAX_ITEMS)) or None


def _text(value: JsonValue) -> str:
    match value:
        case str():
            return clean(" ".join(value[: MAX_CHARACTERS * 4].split())[:MAX_CHARACTERS])
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _digits(value)
    return ""


def _digits(value: float) -> str:
    """A number as text without an exponent where that is possible; `10.0` as `10`."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**40 else ""
    if value != value or abs(value) >= 1e40:  # noqa: PLR0124 - a number that is not one differs from itself
        return ""
    return f"{value:.0f}" if value.is_integer() else repr(value) if abs(value) >= 1e-4 else f"{value:.12f}"


CASTS: Mapping[str, Callable[[Iterable[JsonValue]], JsonValue]] = {
    "text": text,
    "number": number,
    "money": money,
    "date": date,
    "list": list_,
}
