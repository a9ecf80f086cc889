"""Rules by meta name: `<meta>` by its name, property or itemprop, else any element with that itemprop (microdata)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Element

    from core.identity import JsonValue


_NAMES = ("name", "property", "itemprop")
# Where microdata keeps the value of these elements (HTML standard, 5.2.4); of all others it is the text.
_VALUE_ATTRIBUTES = {"a": "href", "area": "href", "link": "href", "img": "src", "time": "datetime", "data": "value"}


class MetaRule:
    """Raises BadSelector for an empty name."""

    def __init__(self, name: str) -> None:
        self._name = name.strip().lower()
        if not self._name:
            raise BadSelector("The meta name is empty.", "Write a name such as og:title, description or price.")

    def values(self, place: Place) -> Iterator[JsonValue]:
        """The contents in document order, at most `MAX_VALUES`; case does not count in the name."""
        if place.node is not None:
            yield from islice(self._found(place.node.iter_elements()), MAX_VALUES)

    def _found(self, elements: Iterator[Element]) -> Iterator[str | None]:
        for element in elements:
            if element.tag == "meta":
                if any((element.attr(name) or "").strip().lower() == self._name for name in _NAMES):
                    yield element.attr("content")
            elif self._name in (element.attr("itemprop") or "").lower().split():
                yield _item_value(element)


def _item_value(element: Element) -> str:
    for name in ("content", _VALUE_ATTRIBUTES.get(element.tag, "")):
        if name and (value := element.attr(name)) is not None:
            return value
    return element.text
