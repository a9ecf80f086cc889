"""Rules over JSON-LD: a path like `Product.sku`, `offers.price`, `offers[0].price` or `$.name`.

A path may begin with a type, which is looked for everywhere (in `@graph`, in lists, within other things); otherwise it
begins at the things a block lists. A name steps through lists by itself. Within rows the whole page is meant.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place
from core.json_path import flat, members, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.identity import JsonValue
    from core.json_path import Steps

    Thing: TypeAlias = dict[str, JsonValue]

MAX_THINGS = 100_000


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
        typed = [thing for thing in things(blocks) if _has_type(thing, name)] if isinstance(name, str) else []
        steps = self._steps[1:] if typed else self._steps
        values: Iterable[JsonValue] = typed or _listed(blocks)
        for step in steps:
            values = self._step(values, step)
        return (scalar for value in flat(values) if (scalar := _scalar(value)) is not None)

    def _step(self, values: Iterable[JsonValue], step: str | int) -> Iterator[JsonValue]:
        if isinstance(step, int):
            yield from members(values, step)
            return
        for value in flat(values):
            if isinstance(value, dict) and step in value:
                yield self._priced(value, value[step])

    def _priced(self, thing: Thing, value: JsonValue) -> JsonValue:
        currency = thing.get("priceCurrency")
        if self._with_currency and isinstance(currency, str) and isinstance(value, str | int | float):
            return f"{value} {currency}"
        return value


def _steps(path: str) -> Steps:
    steps = steps_of(path)
    if not steps or not isinstance(steps[0], str):
        raise BadSelector(f"“{path}” is no path of names.", "Write it like Product.sku or offers[0].price.")
    return steps


def _listed(blocks: list[JsonValue]) -> Iterator[Thing]:
    """The things that the blocks list: themselves, or the members of their `@graph`."""
    for block in flat(blocks):
        if isinstance(block, dict):
            yield block
            yield from (thing for thing in flat([block.get("@graph")]) if isinstance(thing, dict))


def things(blocks: list[JsonValue]) -> Iterator[Thing]:
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
        isinstance(each, str) and short_type(each) == name for each in (types if isinstance(types, list) else [types])
    )


def short_type(name: str) -> str:
    """`Product` of `https://schema.org/Product` and `schema:Product`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def _scalar(value: JsonValue) -> JsonValue:
    """A thing stands for its value, else its name, else its address."""
    if not isinstance(value, dict):
        return value
    for name in ("@value", "name", "@id"):
        if isinstance(value.get(name), str | int | float):
            return value[name]
    return None
