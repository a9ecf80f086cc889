"""Rules by CSS selector: an element's text, or with `::attr(name)` behind the selector, one of its attributes."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Element

    from core.identity import JsonValue


_PART = re.compile(r"::(?:attr\(\s*([^\s()]+)\s*\)|(text))\s*\Z")


class CssRule:
    """Raises BadSelector for a selector that does not compile."""

    def __init__(self, selector: str) -> None:
        part = _PART.search(selector)
        self._attribute = part[1] if part else None
        self._selector = checked(selector[: part.start()] if part else selector)

    def values(self, place: Place) -> Iterator[JsonValue]:
        """The texts or attributes of the elements that match within the place, at most `MAX_VALUES`."""
        if place.node is None:
            return
        for element in islice(place.node.select(self._selector), MAX_VALUES):
            yield element.text if self._attribute is None else element.attr(self._attribute)


def checked(selector: str) -> str:
    """The selector, if it compiles; raises BadSelector."""
    import turbohtml  # only crawls with record types need it before their first page

    try:
        turbohtml.parse("").select(selector)
    except turbohtml.SelectorSyntaxError as fault:
        raise BadSelector(f"{fault}.", "Write a CSS selector, such as .price or a.buy::attr(href).") from fault
    return selector


def rows(place: Place, selector: str, most: int) -> list[Element]:
    """The first `most` elements of a page that match a checked selector."""
    return place.node.select(selector)[:most] if place.node is not None else []
