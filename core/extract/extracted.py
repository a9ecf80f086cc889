"""One record as a page gave it, or why it gave none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.identity import JsonValue


@dataclass(frozen=True, slots=True)
class Extracted:
    """`natural_key` is None where a declared key field is missing: no record, but a conflict to be listed.

    `missing` names those key fields. It is empty, and the key None, where the type declares none: then the page's
    canonical URL, which the caller knows, is the key. `faults` says what could not be read to its end.
    """

    type: str
    natural_key: str | None
    data: dict[str, JsonValue]
    missing: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def is_missing(value: JsonValue) -> bool:
    """Null, an empty text, an empty list: no key can be made of it."""
    return value is None or value in ("", [])


def natural_key(values: Sequence[JsonValue]) -> str | None:
    """The key fields' values, joined unambiguously; None where one is missing (null, or an empty text or list).

    A single text is its own key; anything else is written as a JSON array.
    """
    if not values or any(is_missing(value) for value in values):
        return None
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return json.dumps(list(values), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
