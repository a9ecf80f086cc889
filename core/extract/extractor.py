"""All record types of a crawl, compiled once and read from page after page."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from core.errors import BadSelector, Problem
from core.extract.casts import CASTS
from core.extract.css import CssRule, checked, rows
from core.extract.extracted import Extracted, is_missing, natural_key
from core.extract.jsonld import JsonLdRule
from core.extract.meta import MetaRule
from core.extract.pattern import RegexRule
from core.extract.place import Allowance, Place, Source
from core.extract.xpath import XPathRule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.identity import JsonValue
    from core.parse import ParsedPage
    from core.settings import FieldRule, RecordType

MAX_ROWS = 5000
ALLOWANCE = 1.0  # seconds for all regular expressions of a page
SLOW = f"the regular expression took longer than {ALLOWANCE:g} s on this page."


class Rule(Protocol):
    """What a kind of rule is: compiled by its constructor (BadSelector), and read at a place.

    `values` gives raw values in their order, and raises TimeoutError where a page makes it take too long.
    """

    def values(self, place: Place) -> Iterator[JsonValue]:
        """What stands at the place."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field with its compiled rule."""

    name: str
    cast: str
    rule: Rule


@dataclass(slots=True)
class _Row:
    """One record in the making."""

    data: dict[str, JsonValue] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def read(self, each: Field, place: Place) -> None:
        """Fill a field; one that takes too long is null, and said to be so."""
        try:
            self.data[each.name] = CASTS[each.cast](each.rule.values(place))
        except TimeoutError:
            self.data[each.name] = None
            self.faults.append(f"{each.name}: {SLOW}")


class Extractor:
    """Reads records by compiled rules.

    Raises BadSelector, naming type and field, for a rule that cannot be compiled.
    """

    def __init__(self, types: Sequence[RecordType], clock: Callable[[], float] = time.monotonic) -> None:
        self._types = tuple(types)
        self._fields = tuple(tuple(compiled(kind)) for kind in types)
        self._clock = clock

    @property
    def unbounded(self) -> bool:
        """Whether some rule has no time limit of its own (XPath, `:has()`), so that a page could hold it for long."""
        rules = (rule for kind in self._types for rule in kind.fields.values())
        return any(rule.xpath or ":has" in rule.css.lower() for rule in rules)

    def extract(self, page: ParsedPage, types: Sequence[int] | None = None) -> list[Extracted]:
        """The records of a page for the types with these numbers (None: all), in the order of types and rows.

        A page that could not be parsed gives none.
        """
        if page.error:
            return []
        numbers = range(len(self._types)) if types is None else types
        source = Source(page.document, page.source, Allowance(ALLOWANCE, self._clock))
        return list(chain.from_iterable(self._records(number, source) for number in numbers))

    def _records(self, number: int, source: Source) -> Iterator[Extracted]:
        kind = self._types[number]
        for place in places(kind, source):
            row = _Row()
            for each in self._fields[number]:
                row.read(each, place)
            yield _extracted(kind, row)


def problems(types: Sequence[RecordType]) -> list[Problem]:
    """Every rule that cannot be compiled, with its key, such as `records[0].fields.price.css`."""
    return list(chain.from_iterable(_problems(kind, f"records[{number}]") for number, kind in enumerate(types)))


def _problems(kind: RecordType, key: str) -> Iterator[Problem]:
    try:
        if kind.rows:
            checked(kind.rows)
    except BadSelector as fault:
        yield Problem(f"{key}.rows", str(fault))
    for name, rule in kind.fields.items():
        try:
            rule_of(rule)
        except BadSelector as fault:
            yield Problem(f"{key}.fields.{name}.{_source_of(rule)}", str(fault))


def compiled(kind: RecordType) -> Iterator[Field]:
    """The fields of a type. Raises BadSelector, naming type and field."""
    if found := next(_problems(kind, kind.name), None):
        raise BadSelector(f"Record type {kind.name}: {found.key.removeprefix(kind.name + '.')}: {found.message}")
    for name, rule in kind.fields.items():
        yield Field(name, rule.cast, rule_of(rule))


def _source_of(rule: FieldRule) -> str:
    return next(iter(rule.ways), "css")


def rule_of(rule: FieldRule) -> Rule:
    """The compiled rule of a field. Raises BadSelector."""
    match _source_of(rule):
        case "xpath":
            return XPathRule(rule.xpath)
        case "regex":
            return RegexRule(rule.regex)
        case "jsonld":
            return JsonLdRule(rule.jsonld, with_currency=rule.cast == "money")
        case "meta":
            return MetaRule(rule.meta)
    return CssRule(rule.css)


def places(kind: RecordType, source: Source) -> list[Place]:
    """The page, or each of its rows where the type has a row selector that is known to compile."""
    page = Place(source)
    return [Place(source, row) for row in rows(page, kind.rows, MAX_ROWS)] if kind.rows else [page]


def _extracted(kind: RecordType, row: _Row) -> Extracted:
    missing = tuple(name for name in kind.key_fields if is_missing(row.data.get(name)))
    key = natural_key([row.data.get(name) for name in kind.key_fields])
    return Extracted(kind.name, key, row.data, missing, tuple(row.faults))
