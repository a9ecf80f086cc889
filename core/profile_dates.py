"""Dates in a settings file that no calendar has, such as 2027-02-30: told by their key, not as bad syntax."""

from __future__ import annotations

import re
from datetime import date

from core.errors import Problem
from core.profile_lines import key_lines

_WRITTEN = re.compile(r"([A-Za-z0-9_-]++)([ \t]*+=[ \t]*+)([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})(?![0-9T:-])")
_POSSIBLE = "1970-01-01"  # stands in for the impossible one, so that the rest can be read


def with_possible_dates(text: str) -> tuple[str, tuple[Problem, ...]]:
    """The text with every impossible date replaced, and a problem for each."""
    lines = text.split("\n")
    names = key_lines(text)
    problems: list[Problem] = []
    for number, line in enumerate(lines, 1):
        here = [key for key, place in names.items() if place == number] if _WRITTEN.search(line) else []
        for found in _WRITTEN.finditer(line):
            name, between, written = found.groups()
            fault = _fault(written)
            key = next((key for key in here if key.rpartition(".")[2] == name), "")
            if fault and key:  # a text that only looks like one has no key of its name
                problems.append(Problem(key, fault, number))
                lines[number - 1] = lines[number - 1].replace(found.group(), name + between + _POSSIBLE, 1)
                here.remove(key)
    return "\n".join(lines), tuple(problems)


def _fault(written: str) -> str:
    """What is wrong with a date; empty where nothing is."""
    try:
        date(*map(int, written.split("-")))
    except ValueError as error:
        reason = str(error)
    else:
        reason = "" if len(written) == len(_POSSIBLE) else "month and day have two digits"
    return f"{written} is no date ({reason}); allowed is a date such as 2027-01-31 (without quotes)." if reason else ""
