"""Amounts as a person types them: "4,000,000 pages", "150 GB", "12 hours", "no limit". Pure.

A zero is "no limit" where the settings say so. Sizes are decimal (1 kB is 1,000 bytes); times are in seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NO_LIMIT = "no limit"
OFF = "off"
NUMBER = re.compile(r"\s*([0-9][0-9_,' \u00a0\u202f]*+(?:\.[0-9]++)?)\s*+([^\s0-9]*+)\s*+", re.ASCII)
GAPS = str.maketrans("", "", "_,' \u00a0\u202f")

SIZES: dict[str, float] = {
    "": 1,
    "b": 1,
    "bytes": 1,
    "kb": 1e3,
    "mb": 1e6,
    "gb": 1e9,
    "tb": 1e12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
TIMES: dict[str, float] = {
    "": 1,
    "s": 1,
    "seconds": 1,
    "min": 60,
    "minutes": 60,
    "h": 3600,
    "hours": 3600,
    "days": 86_400,
    "d": 86_400,
}
TIMES |= {"second": 1, "sec": 1, "minute": 60, "m": 60, "hour": 3600, "day": 86_400, "ms": 0.001}
MULTIPLES = {"k": 1e3, "m": 1e6}
LARGEST = 2**53


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted. `kind` is count, size or time; `word` follows a count; `whole` allows no fractions."""

    kind: str
    word: str = ""
    unlimited: bool = False  # zero means no limit
    whole: bool = True
    smallest: float = 0
    largest: float = LARGEST
    off: bool = False  # -1 means off


class WrongAmount(ValueError):
    """A text that is no amount of the unit; the sentence says what is."""


def read_amount(text: str, unit: Unit) -> float:
    """The number; an int where the unit is whole. Raises WrongAmount."""
    if unit.unlimited and text.strip().casefold() in (NO_LIMIT, "none", "unlimited", "", "0", "-", "–"):
        return 0
    if unit.off and text.strip().casefold() in (OFF, "-1", "none", "-", "–"):
        return -1
    found = NUMBER.fullmatch(text)
    factor = _factor(found.group(2).casefold(), unit) if found else None
    if found is None or factor is None:
        raise WrongAmount(f"Write {_example(unit)}.")
    value = float(found.group(1).translate(GAPS)) * factor
    if not unit.smallest <= value <= unit.largest:
        raise WrongAmount(f"Allowed is {_plain(unit.smallest)} to {_plain(unit.largest)}.")
    if unit.whole and value != int(value):
        raise WrongAmount("Write a whole number.")
    return int(value) if unit.whole else value


def show_amount(value: float, unit: Unit) -> str:
    """The text for a number; `read_amount` reads it back to the same number."""
    if unit.unlimited and value == 0:
        return NO_LIMIT
    if unit.off and value == -1:
        return OFF
    if unit.kind == "size":
        return _scaled(value, (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)), "bytes")
    if unit.kind == "time":
        return _scaled(value, (("days", 86_400), ("hours", 3600), ("min", 60)), "s")
    word = unit.word.removesuffix("s") if value == 1 else unit.word
    return f"{_plain(value)} {word}".strip()


def _factor(word: str, unit: Unit) -> float | None:
    if unit.kind == "size":
        return SIZES.get(word)
    if unit.kind == "time":
        return TIMES.get(word)
    known = word == "" or unit.word.startswith(word) or word.startswith(unit.word.rstrip("s") or "?")
    return 1 if known and word not in MULTIPLES else MULTIPLES.get(word)


def _scaled(value: float, scales: tuple[tuple[str, float], ...], base: str) -> str:
    for word, factor in scales:
        amount = round(value / factor, 3)
        if amount >= 1 and amount * factor == value:
            return f"{_plain(amount)} {word}"
    return f"{_plain(value)} {base}"


def _plain(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else repr(value)


def _example(unit: Unit) -> str:
    example = {"size": "a size such as 150 GB", "time": "a time such as 12 hours"}.get(unit.kind)
    example = example or f"a number such as 5,000 {unit.word}".rstrip()
    other = NO_LIMIT if unit.unlimited else OFF if unit.off else ""
    return f"{example}, or “{other}”" if other else example
