"""Rules by XPath 1.0: the texts of the nodes, or the value, that an expression gives.

Within a row, `.//p` looks in the row and `//p` in the whole page, as XPath has it. The library has no time limit for an
expression: `Extractor.unbounded` says that a page's rules belong into a process that can be killed.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from core.errors import BadSelector
from core.extract.place import MAX_VALUES, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import XPath

    from core.identity import JsonValue


MAX_CHARACTERS = 2000


class XPathRule:
    """Raises BadSelector for an expression that does not compile, or names what is not there."""

    def __init__(self, expression: str) -> None:
        self._evaluate = _compiled(expression)

    def values(self, place: Place) -> Iterator[JsonValue]:
        """Texts of nodes and attributes in document order, at most `MAX_VALUES`; or the one number, truth or text."""
        if place.node is None:
            return
        result = self._evaluate(place.node)
        if isinstance(result, list):
            yield from (node if isinstance(node, str) else node.text for node in islice(result, MAX_VALUES))
        else:
            yield result


def _compiled(expression: str) -> XPath:
    import turbohtml  # only crawls with record types need it before their first page

    advice = "Write an XPath 1.0 expression, such as //p[@id='note'] or //a/@href."
    if len(expression) > MAX_CHARACTERS:
        raise BadSelector(f"The XPath expression is longer than {MAX_CHARACTERS:,} characters.", advice)
    try:
        compiled = turbohtml.XPath(expression)
        compiled(turbohtml.parse(""))  # unknown functions, prefixes and variables show when it runs
    except ValueError as fault:
        raise BadSelector(f"The XPath expression cannot be used: {fault}.", advice) from fault
    return compiled
