"""Rules by regular expression, over the decoded text of the page or the markup of the row.

The value is the first group, or the whole match where there is none. All expressions of a page share one second; they
run without holding up other threads.
"""

from __future__ import annotations

import re
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

    from core.identity import JsonValue


MAX_CHARACTERS = 2000
MAX_REPEATS = 1_000_000  # what nested {n} may multiply to: the library unrolls them, and more fills the memory

_REPEAT = re.compile(r"\{\s*(\d*)\s*,?\s*(\d*)\s*\}")


class RegexRule:
    """Raises BadSelector for an expression that does not compile, or that would not fit into memory."""

    def __init__(self, expression: str) -> None:
        self._pattern = _compiled(expression)

    def values(self, place: Place) -> Iterator[JsonValue]:
        """At most `MAX_VALUES` matches in their order; raises TimeoutError when the page's allowance is used up."""
        left = place.source.allowance.left()
        if not left:
            raise TimeoutError
        for found in islice(self._pattern.finditer(place.text, timeout=left, concurrent=True), MAX_VALUES):
            yield found[1] if self._pattern.groups else found[0]


def _compiled(expression: str) -> regex.Pattern[str]:
    import regex  # only crawls with such rules need it

    advice = "Write a regular expression, with a group around what you want, such as SKU: (\\w+)."
    if len(expression) > MAX_CHARACTERS:
        raise BadSelector(f"The regular expression is longer than {MAX_CHARACTERS:,} characters.", advice)
    if _repeats(expression) > MAX_REPEATS:
        raise BadSelector("The repetitions of the regular expression multiply to more than a million.", advice)
    try:
        return regex.compile(expression)
    except (regex.error, ValueError, OverflowError, RecursionError) as fault:
        raise BadSelector(f"The regular expression cannot be used: {fault}.", advice) from fault


def _repeats(expression: str) -> int:
    counts = (max(int(low[:9] or 1), int(high[:9] or 1)) for low, high in _REPEAT.findall(expression))
    return prod(max(count, 1) for count in counts)
