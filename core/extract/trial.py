"""One record type tried on one page: what each rule found, what the cast made of it, and what is wrong, field by field.

The values are those the extractor gives; a rule that does not compile costs its own field only.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from core.extract.casts import CASTS, text
from core.extract.doubts import doubt
from core.extract.extractor import ALLOWANCE, SLOW, Extractor, compiled, places, problems
from core.extract.place import MAX_VALUES, Allowance, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.extract.extracted import Extracted
    from core.extract.extractor import Field
    from core.extract.place import Place
    from core.identity import JsonValue
    from core.parse import ParsedPage
    from core.settings import RecordType

MOST_ROWS = 50  # shown; all are counted
MOST_FOUND = 5  # raw values of a field that are shown
LONGEST_FOUND = 300  # characters of each


@dataclass(frozen=True, slots=True)
class TriedField:
    """`found` are the first raw values as text, `times` how many there are, `value` what they become.

    `remark` says what is to be known about the value: why there is none, or that others would read it differently.
    """

    name: str
    found: tuple[str, ...] = ()
    times: int = 0
    value: JsonValue = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class TriedRow:
    """One record in the making. `key` is None without a declared key, and where a part of it is missing."""

    fields: tuple[TriedField, ...]
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """The first records of a page, with what concerns all of them.

    `problems` are sentences by the rest of their settings key (`rows`, `fields.price.css`). `total` counts the
    records, `without_key` those whose declared key is missing, `repeated` the keys that more than one has. `note` says
    why there is nothing to try.
    """

    rows: tuple[TriedRow, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    total: int = 0
    without_key: int = 0
    repeated: tuple[str, ...] = ()
    note: str = ""


def try_type(kind: RecordType, page: ParsedPage, clock: Callable[[], float] = time.monotonic) -> Trial:
    """Try a type on a parsed page. Never raises; only XPath and `:has()` have no time limit of their own."""
    told = tuple((each.key.removeprefix("records[0]."), each.message) for each in problems((kind,)))
    if page.error or page.document is None:
        return Trial(problems=told, note=page.detail or "This is no page of HTML: no records are read from it.")
    wrong = {name for name in kind.fields if any(_is_of(key, name) for key, _ in told)}
    if any(key == "rows" for key, _ in told):
        return Trial(problems=told, note="The row selector cannot be used.")
    usable = msgspec.structs.replace(kind, fields={n: rule for n, rule in kind.fields.items() if n not in wrong})
    source = Source(page.document, page.source, Allowance(ALLOWANCE, clock))
    fields = tuple(compiled(usable))
    rows = [_tried(fields, place) for place in places(usable, source)[:MOST_ROWS]]
    whole = Extractor((usable,), clock).extract(page)
    return _counted(kind, rows, whole, told)


def _counted(
    kind: RecordType, rows: Sequence[TriedRow], whole: Sequence[Extracted], told: tuple[tuple[str, str], ...]
) -> Trial:
    keys = Counter(each.natural_key for each in whole if each.natural_key is not None)
    return Trial(
        rows=tuple(replace(row, key=each.natural_key) for row, each in zip(rows, whole, strict=False)),
        problems=told,
        total=len(whole),
        without_key=sum(each.natural_key is None for each in whole) if kind.key_fields else 0,
        repeated=tuple(key for key, times in keys.items() if times > 1),
        note="" if whole or not kind.rows else "No element of this page matches the row selector.",
    )


def _is_of(key: str, name: str) -> bool:
    return key.startswith(f"fields.{name}.")


def _tried(fields: Sequence[Field], place: Place) -> TriedRow:
    return TriedRow(tuple(_tried_field(field, place) for field in fields))


def _tried_field(field: Field, place: Place) -> TriedField:
    try:
        raw = list(islice(field.rule.values(place), MAX_VALUES))
    except TimeoutError:
        return TriedField(field.name, remark=SLOW)
    value = CASTS[field.cast](iter(raw))
    found = tuple(str(text([each]) or "")[:LONGEST_FOUND] for each in raw[:MOST_FOUND])
    return TriedField(field.name, found, len(raw), value, _remark(field, raw, value, found))


def _remark(field: Field, raw: Sequence[JsonValue], value: JsonValue, found: tuple[str, ...]) -> str:
    if not raw:
        return "Nothing on this page matches."
    if value is None and not any(found):
        return "What matches is empty."
    said = doubt(field.cast, found[0]) if field.cast != "list" else ""
    if said or field.cast == "list" or len(raw) == 1:
        return said
    return f"{len(raw):,} places match: the first one counts."
