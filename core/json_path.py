"""Paths into decoded JSON: `$.items[*].url`, `offers.url`, `offers[0].price`, `[*][0]`.

The one path language of the program: record rules over JSON-LD and feeds of URLs are written in it. A name steps
through lists by itself, so `[*]` may be left out before one. Pure; only reading a path can fail.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from core.errors import BadSelector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
Steps: TypeAlias = tuple[str | int, ...]

EVERY = -1  # the step `[*]`: each member of a list

_SEGMENT = re.compile(r"([^.\[\]\s]*+)((?:\[(?:\d{1,6}|\*)\])*+)\Z")
_INDEX = re.compile(r"\[(\d+|\*)\]")


def steps_of(path: str) -> Steps:
    """The steps of a path: names, numbers of members from 0, EVERY. `$` alone has none. Raises BadSelector."""
    inner = path.strip().removeprefix("$").removeprefix(".")
    steps: list[str | int] = []
    for number, part in enumerate(inner.split(".") if inner else ()):
        found = _SEGMENT.match(part)
        if found is None or not (found[1] or (number == 0 and part)):
            raise BadSelector(f"“{path}” is no path of names.", "Write it like Product.sku or offers[0].price.")
        steps += [found[1]] if found[1] else []
        steps += [EVERY if index == "*" else int(index) for index in _INDEX.findall(found[2])]
    return tuple(steps)


def rows_at(document: JsonValue, steps: Steps) -> Iterator[JsonValue]:
    """What stands at the last step, once for each thing that may have it there: None where it has not."""
    before, last = steps[:-1], steps[-1] if steps else EVERY
    if isinstance(last, int):
        yield from flat(_walked([document], steps))
        return
    for thing in flat(_walked([document], before)):
        yield thing.get(last) if isinstance(thing, dict) else None


def members(values: Iterable[JsonValue], step: int) -> Iterator[JsonValue]:
    """The member of that number of each list, or with EVERY all of them; what is no list passes EVERY as it is."""
    for value in values:
        if step == EVERY:
            yield from value if isinstance(value, list) else (value,)
        elif isinstance(value, list) and step < len(value):
            yield value[step]


def flat(values: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """The values with lists opened, however deep."""
    for value in values:
        if not isinstance(value, list):
            yield value
            continue
        stack: list[JsonValue] = list(reversed(value))
        while stack:
            inner = stack.pop()
            if isinstance(inner, list):
                stack.extend(reversed(inner))
            else:
                yield inner


def _walked(values: Iterable[JsonValue], steps: Steps) -> Iterable[JsonValue]:
    for step in steps:
        values = members(values, step) if isinstance(step, int) else _named(values, step)
    return values


def _named(values: Iterable[JsonValue], name: str) -> Iterator[JsonValue]:
    return (value[name] for value in flat(values) if isinstance(value, dict) and name in value)
