"""Rules over JSON-LD: a path like `Product.sku`, `offers.price`, `offers[0].price` or `$.name`.

A path may begin with a type, which is looked for everywhere (in `@graph`, in lists, within other things); otherwise it
begins at the things a block lists. A name steps through lists by itself. Within rows the whole page is meant.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.identity import JsonValue

    Thing: TypeAlias = dict[str, JsonValue]

MAX_THINGS = 100_000

_SEGMENT = re.compile(r"([^.\[\]\s]++)((?:\[(?:\d{1,6}|\*)\])*+)\Z")
_INDEX = re.compile(r"\[(\d+|\*)\]")


class JsonLdRule:
    """`with_currency`: a price takes the `priceCurrency` that stands beside it along, as `19.9 EUR`."""

    def __init__(self, path: str, *, with_currency: bool = False) -> None:
        self._steps = _steps(path)
        self._with_currency = with_currency

    def values(self, place: Place) -> Iterator[JsonValue]:
        """The scalar values at the path, in document order, at most `MAX_VALUES`."""
        return islice(self._found(place.source.jsonld), MAX_VALUES)

    def _found(self, blocks: list[JsonValue]) -> Iterator[JsonValue]:
        name = self._steps[0]
        typed = [thing for thing in _everything(blocks) if _has_type(thing, name)] if isinstance(name, str) else []
        steps = self._steps[1:] if typed else self._steps
        values: Iterable[JsonValue] = typed or _listed(blocks)
        for step in steps:
            values = self._step(values, step)
        return (scalar for value in _flat(values) if (scalar := _scalar(value)) is not None)

    def _step(self, values: Iterable[JsonValue], step: str | int) -> Iterator[JsonValue]:
        if isinstance(step, int):
            for value in values:
                if isinstance(value, list) and step < len(value):
                    yield value[step]
            return
        for value in _flat(values):
            if isinstance(value, dict) and step in value:
                yield self._priced(value, value[step])

    def _priced(self, thing: Thing, value: JsonValue) -> JsonValue:
        currency = thing.get("priceCurrency")
        if self._with_currency and isinstance(currency, str) and isinstance(value, str | int | float):
            return f"{value} {currency}"
        return value


def _steps(path: str) -> tuple[str | int, ...]:
    steps: list[str | int] = []
    for part in path.strip().removeprefix("$").removeprefix(".").split("."):
        found = _SEGMENT.match(part)
        if found is None:
            raise BadSelector(f"“{path}” is no path of names.", "Write it like Product.sku or offers[0].price.")
        steps.append(found[1])
        steps += [int(index) for index in _INDEX.findall(found[2]) if index != "*"]  # a name steps through lists anyway
    return tuple(steps)


def _listed(blocks: list[JsonValue]) -> Iterator[Thing]:
    """The things that the blocks list: themselves, or the members of their `@graph`."""
    for block in _flat(blocks):
        if isinstance(block, dict):
            yield block
            yield from (thing for thing in _flat([block.get("@graph")]) if isinstance(thing, dict))


def _everything(blocks: list[JsonValue]) -> Iterator[Thing]:
    """Every thing in document order, however deep."""
    stack: list[JsonValue] = list(reversed(blocks))
    for _ in range(MAX_THINGS):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _has_type(thing: Thing, name: str) -> bool:
    types = thing.get("@type")
    return any(
        isinstance(each, str) and _short(each) == name for each in (types if isinstance(types, list) else [types])
    )


def _short(name: str) -> str:
    """`Product` of `https://schema.org/Product` and `schema:Product`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def _flat(values: Iterable[JsonValue]) -> Iterator[JsonValue]:
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


def _scalar(value: JsonValue) -> JsonValue:
    """A thing stands for its value, else its name, else its address."""
    if not isinstance(value, dict):
        return value
    for name in ("@value", "name", "@id"):
        if isinstance(value.get(name), str | int | float):
            return value[name]
    return None
