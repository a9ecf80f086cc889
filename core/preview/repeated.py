"""The blocks that repeat on a page (products of a list, rows of a table) with the fields that they have in common.

Elements that look alike, the same tag and class under parents that look alike, are one block; what most of them hold at
the same place is a field. A list of mere links is no block: a row needs two things to be told of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from core.extract.place import Place
from core.preview.naming import name_of, spelled_name
from core.preview.offers import Asked, OfferedField, RecordOffer, key_among, named_apart
from core.preview.parts import ATTRIBUTES, SILENT, own_text
from core.preview.selector import has_plain_tag, is_element, selector_of, simple_selectors, stable_classes
from core.settings import FieldRule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from turbohtml import Document, Element

    from core.extract.place import Source

LEAST_ROWS = 3
LEAST_FIELDS = 2
MOST_OFFERS = 5
MOST_ELEMENTS = 50_000  # of a page that are looked at
MOST_GROUPS = 60  # that are looked into
LOOKED_AT = 12  # rows of a block whose fields are compared
MOST_INSIDE = 200  # elements of a row
SHARE = 0.6  # of the rows that must have a field

ROW_TAGS = frozenset("li tr article section div dl dd a p tbody figure".split())
FRAMES = frozenset("nav footer header select menu template".split())  # what repeats in them is no record


@dataclass(frozen=True, slots=True)
class _Group:
    selector: str
    rows: Sequence[Element]


def repeated_offers(source: Source) -> tuple[RecordOffer, ...]:
    """The blocks of a page, the richest first; none lies within another that tells the same."""
    if source.document is None:
        return ()
    offers = [_offer(source, group) for group in islice(_groups(source.document), MOST_GROUPS)]
    kept: list[RecordOffer] = []
    for offer in sorted((each for each in offers if len(each.fields) >= LEAST_FIELDS), key=_weight, reverse=True):
        if not any(_tells_the_same(other, offer) for other in kept):
            kept.append(offer)
    return tuple(kept[:MOST_OFFERS])


def _tells_the_same(one: RecordOffer, other: RecordOffer) -> bool:
    """Whether all that a block holds is in another of as many rows: a box around it, or within it."""
    return one.count == other.count and {each.sample for each in other.fields} <= {each.sample for each in one.fields}


def _weight(offer: RecordOffer) -> int:
    return min(offer.count, 100) * len(offer.fields)


def _groups(document: Document) -> Iterator[_Group]:
    """Those that a selector names, larger ones first."""
    alike: dict[tuple[str, ...], list[Element]] = defaultdict(list)
    for element in islice(document.iter_elements(), MOST_ELEMENTS):
        if element.tag in ROW_TAGS and not _is_framed(element):
            alike[_look(element)].append(element)
    for rows in sorted(map(_data_rows, alike.values()), key=len, reverse=True):
        if len(rows) < LEAST_ROWS or _nest(rows):
            continue
        if selector := _row_selector(document, rows):
            yield _Group(selector, rows)


def _nest(rows: Sequence[Element]) -> bool:
    """Whether one stands within another, as far as the first ones show: boxes of a layout, and no rows."""
    pairs = islice(pairwise(rows), LOOKED_AT)
    return any(any(each == first for each in second.ancestors) for first, second in pairs)


def _look(element: Element) -> tuple[str, ...]:
    parent = element.parent
    around = (parent.tag, *stable_classes(parent)[:1]) if is_element(parent) else ()
    return (element.tag, *stable_classes(element)[:1], "in", *around)


def _is_framed(element: Element) -> bool:
    return any(getattr(each, "tag", "") in FRAMES for each in islice(element.ancestors, 12))


def _row_selector(document: Document, rows: Sequence[Element]) -> str:
    """The shortest selector that finds these and no others; empty where none does."""
    parents = [each for each in dict.fromkeys(row.parent for row in rows) if is_element(each)]
    if not parents:
        return ""
    tag = rows[0].tag  # of ROW_TAGS
    own = [*(text for text in simple_selectors(rows[0]) if text[0] not in "#[" and text != tag), tag]
    around = [text for text in simple_selectors(parents[0]) if not text.startswith("[")]
    if len(parents) == 1:
        around.append(selector_of(document, parents[0]))
    below = [*own, f"{tag}:nth-child(n+2)"]  # the first may be a heading
    candidates = [*own[:-1], *(f"{outer} > {inner}" for outer in around for inner in below)]
    wanted = list(rows)
    return next((text for text in candidates if document.select(text)[: len(wanted) + 1] == wanted), "")


def _offer(source: Source, group: _Group) -> RecordOffer:
    rows = group.rows
    seen: Counter[str] = Counter()
    values: dict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    heads = _heads(group.rows)
    for row in rows[:LOOKED_AT]:
        for selector, name, value in _fields_of(row, heads):
            seen[selector] += 1
            values[selector].add(value)
            names.setdefault(selector, name)
    least = max(2, SHARE * min(len(rows), LOOKED_AT))
    common = [each for each, times in seen.items() if times >= least and len(values[each]) > 1]
    fields = named_apart(_field(source, rows, each, names[each]) for each in common)
    key = key_among(fields) or next((each.name for each in fields if each.name == "link"), "")
    return RecordOffer("rows", group.selector, fields, key, group.selector, len(rows))


def _field(source: Source, rows: Sequence[Element], selector: str, name: str) -> OfferedField | None:
    """Sampled in the first row that has it; the cast fits the first rows."""
    rule = FieldRule(css=selector)
    asked = [Asked(Place(source, row)) for row in rows[:LOOKED_AT]]
    first = next((each for each in asked if each.sample(rule)), None)
    return first.field(name, rule, [text for each in asked if (text := each.sample(rule))]) if first else None


def _data_rows(rows: Sequence[Element]) -> list[Element]:
    """Without the head of a table."""
    return [
        row for row in rows if not (row.tag == "tr" and row.select(":scope > th") and not row.select(":scope > td"))
    ]


def _heads(rows: Sequence[Element]) -> list[str]:
    """What a table's columns are called."""
    if rows[0].tag != "tr":
        return []
    table = next((each for each in rows[0].ancestors if getattr(each, "tag", "") == "table"), None)
    first = table.select("tr")[:1] if table is not None else []
    return [spelled_name(cell.text[:200]) for cell in first[0].select("th")] if first else []


def _fields_of(row: Element, heads: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Selectors within the row, names and values of what it holds."""
    for element in islice(row.iter_elements(), MOST_INSIDE):
        if element.tag in SILENT:
            continue
        selector = ""
        text = own_text(element)
        if text:
            selector = _within(row, element)
            yield selector, _named(row, element, heads), text
        attribute = ATTRIBUTES.get(element.tag, "")
        value = element.attr(attribute) if attribute else None
        if isinstance(value, str) and value.strip():
            selector = selector or _within(row, element)
            yield f"{selector}::attr({attribute})", name_of(element, attribute), value


def _within(row: Element, element: Element) -> str:
    """The first naming selector that finds the element first of all, which is what a field takes."""
    for text in simple_selectors(element):
        if not text.startswith("#") and row.select(text)[:1] == [element]:
            return text
    if has_plain_tag(element) and row.select(element.tag)[:1] == [element]:
        return str(element.tag)
    return selector_of(row, element)


def _named(row: Element, element: Element, heads: Sequence[str]) -> str:
    if row.tag == "tr" and heads:
        around = (element, *element.ancestors)
        cells = [each for each in row.children if is_element(each)]
        at = next((cells.index(each) for each in around if is_element(each) and each in cells), len(heads))
        if at < len(heads) and heads[at]:
            return heads[at]
    return name_of(element)
