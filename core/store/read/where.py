"""A filter as a person types it: `status = 404 and title contains "red shoes"`.

Conditions are `COLUMN OP VALUE` joined by `and`. A value (or column) with spaces stands in double or single quotes;
a quote inside is doubled. Which columns there are is not known here: select.py checks them.
"""

from __future__ import annotations

import re
from typing import cast

from core.errors import BadInput
from core.store.read.columns import Condition, Operator

_ADVICE = 'Write COLUMN OP VALUE, joined by "and", with one of = != < > contains starts.'
_COLUMN = re.compile(r"""[^\s=!<>"']++""")
_OPERATOR = re.compile(r"!=|=|<|>|(?:contains|starts)(?=[\s\"'])", re.IGNORECASE)
_BARE = re.compile(r"""[^\s"'=]\S*+""")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"|\'((?:[^\']|\'\')*+)\'')
_AND = re.compile(r"\s++and\s++", re.IGNORECASE)
_SPACE = re.compile(r"\s*+")


def parse_where(text: str) -> tuple[Condition, ...]:
    """The conditions of a filter; none for an empty text. Raises BadInput that shows the place."""
    text = text.strip()
    conditions: list[Condition] = []
    at = 0
    while at < len(text):
        if conditions:
            at = _after_and(text, at)
        condition, at = _condition(text, at)
        conditions.append(condition)
    return tuple(conditions)


def where_text(conditions: tuple[Condition, ...]) -> str:
    """The conditions as `parse_where` reads them."""
    return " and ".join(f"{_quoted(each.column)} {each.op} {_quoted(each.value)}" for each in conditions)


def _condition(text: str, at: int) -> tuple[Condition, int]:
    column, at = _word(text, at, _COLUMN, "a column")
    at = _skip(text, at)
    found = _OPERATOR.match(text, at)
    if not found:
        raise _wrong(text, at, "one of = != < > contains starts")
    value, at = _word(text, _skip(text, found.end()), _BARE, "a value")
    return Condition(column, cast("Operator", found[0].lower()), value), at


def _word(text: str, at: int, bare: re.Pattern[str], what: str) -> tuple[str, int]:
    if quoted := _QUOTED.match(text, at):
        double, single = quoted.groups()
        value = single.replace("''", "'") if double is None else double.replace('""', '"')
        return value, quoted.end()
    if found := bare.match(text, at):
        return found[0], found.end()
    raise _wrong(text, at, what)


def _after_and(text: str, at: int) -> int:
    found = _AND.match(text, at)
    if not found:
        raise _wrong(text, _skip(text, at), '"and"')
    return found.end()


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _wrong(text: str, at: int, expected: str) -> BadInput:
    rest = text[at : at + 30]
    place = f"at “{rest}”" if rest else "at its end"
    return BadInput(f"The filter is not understood {place}: {expected} was expected there.", _ADVICE)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
