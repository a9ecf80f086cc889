"""One text for one JSON value: sorted names, fixed separators, whole numbers without a fraction.

After RFC 8785: UTF-8, and no escapes but JSON's own. Names are sorted by code point, as the standard library does.
"""

from __future__ import annotations

import json
import math
from typing import TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

_EXACT = 2**53  # beyond it, neighbouring whole numbers are one float


def canonical_json(value: JsonValue) -> bytes:
    """UTF-8 octets that are equal exactly where the values are; NaN and infinities count as null."""
    text = json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def _plain(value: JsonValue) -> JsonValue:
    """The value with 2.0 as 2, and what JSON cannot write as null."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case float() if value.is_integer() and abs(value) < _EXACT:
            return int(value)
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {name: _plain(item) for name, item in value.items()}
    return value
