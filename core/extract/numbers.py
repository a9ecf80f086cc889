"""Numbers and amounts of money as people write them.

The rules, for the first number in a text:
- spaces, thin spaces and apostrophes between digits part thousands;
- of two different separators the last one is the decimal one: 1,299.50 and 1.299,50;
- a separator that comes more than once parts thousands: 1.299.000;
- a single comma with exactly three digits behind it (and one to three before, no leading zero) parts thousands: 1,299;
- a single point with three digits behind it is decimal in a number (1.299) and parts thousands in money, whose minor
  units have two digits: 1.299 EUR is one thousand two hundred and ninety-nine;
- groups that are no thousands (1.2.3, 12.05.2024) are no number;
- any other single separator is decimal: 12,5 and 0,299;
- a minus counts only where no letter or digit stands before it: the 5 of A-5 is positive.
"""

from __future__ import annotations

import re
import unicodedata

MAX_DIGITS = 40
MAX_CHARACTERS = 2000  # of a text, looked through for a number

_INTEGERS = 2**63  # beyond it a number is kept as a float, as SQLite would
_NUMBER = re.compile(r"(?:(?<![\w.,])(-)[^\w\s.,-]?|)(\.?[0-9](?:[0-9]|[.,' ](?=[0-9]))*+)")
_GROUPED = re.compile(r"[0-9]*+\Z|[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}\Z|[0-9]{1,3}(?:\.[0-9]{3})+\Z")
# Signs that mean one currency only, or by far the most used one.
_SIGNS = {"€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS",
          "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₸": "KZT", "zł": "PLN", "Kč": "CZK", "Ft": "HUF",
          "R$": "BRL", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
          "US$": "USD", "$": "USD"}  # fmt: skip
_CODES = frozenset(
    """AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP GEL HKD HUF IDR ILS INR ISK JPY KES KRW KWD
    KZT MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR""".split()
)
_WORD = re.compile(r"(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])")
_ALIKE = str.maketrans(
    {
        "\u00a0": " ",
        "\u2007": " ",
        "\u2009": " ",
        "\u202f": " ",
        "’": "'",
        "٬": ",",
        "٫": ".",
        "−": "-",
        "‐": "-",
        "‑": "-",
    }
)


def parse_number(text: str) -> int | float | None:
    """The first number of a text, None where there is none."""
    return _first(_plain(text), is_money=False)


def parse_money(text: str) -> tuple[int | float | None, str | None]:
    """The first amount, and the ISO 4217 code of the currency that stands in the text; None for what is not there."""
    plain = _plain(text)
    return _first(plain, is_money=True), _currency(plain)


def _plain(text: str) -> str:
    """The text's beginning with ASCII digits and the usual spelling of separators."""
    text = text[:MAX_CHARACTERS].translate(_ALIKE)
    if text.isascii():
        return text
    return "".join([str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text])


def _first(text: str, *, is_money: bool) -> int | float | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    value = _value(_one_number(found[2]), is_money=is_money)
    return -value if found[1] and value is not None else value


def _one_number(text: str) -> str:
    """Without what another number follows with: in `3 200` the space parts thousands, in `12 50` two numbers."""
    head, space, _ = text.partition(" ")
    if not space:
        return text
    pieces = text.split(" ")
    kept = head
    for piece in pieces[1:]:
        group = re.split(r"[.,']", piece)[0]
        if len(group) != 3 or len(re.split(r"[.,']", kept)[-1]) > 3 or any(char in kept for char in ".,"):
            break
        kept += "'" + piece
    return kept


def _value(text: str, *, is_money: bool) -> int | float | None:
    whole, fraction = _parted(text.replace("'", ""), is_money=is_money)
    if not _GROUPED.match(whole):
        return None
    digits = whole.replace(",", "").replace(".", "") or "0"
    if len(digits) + len(fraction) > MAX_DIGITS:
        return None
    exact = int(digits)
    return exact if not fraction.strip("0") and exact < _INTEGERS else float(f"{digits}.{fraction or '0'}")


def _parted(text: str, *, is_money: bool) -> tuple[str, str]:
    """Whole part, perhaps with separators of thousands, and fraction."""
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return text, ""
    is_alone = not ("." in text and "," in text)
    if is_alone and (text.count(text[last]) > 1 or _parts_thousands(text, last, is_money=is_money)):
        return text, ""
    return text[:last], text[last + 1 :]


def _parts_thousands(digits: str, at: int, *, is_money: bool) -> bool:
    grouped = len(digits) - at - 1 == 3 and 1 <= at <= 3 and digits[0] != "0"
    return grouped and (digits[at] == "," or is_money)


def _currency(text: str) -> str | None:
    for word in _WORD.findall(text):
        if word in _CODES:
            return str(word)
    signs = [(text.find(sign), -len(sign), code) for sign, code in _SIGNS.items() if sign in text]
    return min(signs)[2] if signs else None
