"""The parts of a page that a person can point at, each with its text, and the rule that a click on one means."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from core.extract.css import CssRule
from core.extract.place import Allowance, Place, Source
from core.parse.text import collapsed
from core.preview.naming import fitting_cast, name_of
from core.preview.selector import is_element, is_name, selector_of
from core.settings import FieldRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

MOST_PARTS = 2000
MOST_ELEMENTS = 100_000  # of a page that are looked at
LONGEST_TEXT = 300  # characters of a part
MOST_DEPTH = 40

SILENT = frozenset("script style noscript template link meta head html base source track path".split())
# What stands in an attribute and not in the text.
ATTRIBUTES = {"a": "href", "img": "src", "time": "datetime", "data": "value", "meter": "value", "input": "value",
              "iframe": "src", "video": "src", "audio": "src"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """An element's own text, or one of its attributes. `number` is its place among the elements of the page.

    `label` is the element as a selector would name it, `depth` how deep it stands.
    """

    number: int
    attribute: str
    depth: int
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Pointed:
    """The field that a click on a part means; `sample` is what its rule finds. `in_row`: within a row of the type."""

    name: str
    rule: FieldRule
    sample: str
    in_row: bool = False


def parts_of(document: Document) -> tuple[Part, ...]:
    """The first parts of a page that have something to say, in its order."""
    return tuple(islice(_parts(document), MOST_PARTS))


def point(document: Document, number: int, attribute: str = "", rows: str = "") -> Pointed | None:
    """The field of the element with this number; within its row where the type reads rows (a selector that compiles).

    None where the page has no such element, or no selector reaches it.
    """
    element = next(islice(document.iter_elements(), number, None), None) if number >= 0 else None
    if element is None:
        return None
    row = _row_of(document, element, rows)
    scope = document if row is None else row
    selector = selector_of(scope, element)
    if not selector:
        return None
    selector += f"::attr({attribute})" if attribute else ""
    sample = _sample(document, row, selector)
    name = name_of(element, attribute)
    cast = fitting_cast(name, [sample])
    return Pointed(name, FieldRule(css=selector, cast=cast), sample, row is not None)  # type: ignore[arg-type]  # a name of CASTS


def label_of(element: Element) -> str:
    """`h1`, `div#main`, `span.price`."""
    tag = str(element.tag)[:40]
    identity = str(element.attr("id") or "")
    if is_name(identity):
        return f"{tag}#{identity}"
    first = next(iter(str(element.attr("class") or "").split()), "")
    return f"{tag}.{first[:40]}" if first else tag


def own_text(element: Element) -> str:
    """The text that stands in the element itself, not in its children."""
    texts = [str(child.text) for child in element.children if not is_element(child) and hasattr(child, "text")]
    return collapsed(" ".join(texts), LONGEST_TEXT)


def _parts(document: Document) -> Iterator[Part]:
    for number, element in enumerate(islice(document.iter_elements(), MOST_ELEMENTS)):
        said = list(_said(element))
        if said and not _is_in_template(element):
            label, depth = label_of(element), _depth(element)
            yield from (Part(number, attribute, depth, label, text) for attribute, text in said)


def _said(element: Element) -> Iterator[tuple[str, str]]:
    """The element's own text, and what stands in its telling attribute."""
    if element.tag in SILENT:
        return
    if text := own_text(element):
        yield "", text
    name = ATTRIBUTES.get(element.tag, "")
    value = element.attr(name) if name else None
    if isinstance(value, str) and (clean := collapsed(value, LONGEST_TEXT)):
        yield name, clean


def _is_in_template(element: Element) -> bool:
    return any(getattr(each, "tag", "") == "template" for each in element.ancestors)


def _depth(element: Element) -> int:
    return sum(1 for _ in islice(element.ancestors, MOST_DEPTH))


def _row_of(document: Document, element: Element, rows: str) -> Element | None:
    """The row that the element stands in, if it stands in one."""
    if not rows:
        return None
    found = set(document.select(rows))
    parent = element.parent
    while parent is not None:
        if is_element(parent) and parent in found:
            return parent
        parent = parent.parent
    return None


def _sample(document: Document, row: Element | None, selector: str) -> str:
    place = Place(Source(document, "", Allowance(0.0, lambda: 0.0)), row)
    return collapsed(str(next(CssRule(selector).values(place), "") or ""), LONGEST_TEXT)
