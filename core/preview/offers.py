"""What a page offers for a record: its JSON-LD, its meta tags and microdata, and the blocks that repeat.

Every rule that is offered was asked of the page and found the sample that stands beside it: an offer never promises
more than the page holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.extract import CASTS
from core.extract.casts import text
from core.extract.extractor import rule_of
from core.extract.place import Allowance, Place, Source
from core.preview.naming import fitting_cast, free_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.settings import FieldRule

MOST_FIELDS = 40  # of one offer
KEYS = ("sku", "gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn", "mpn", "product_id", "identifier", "id", "code")


@dataclass(frozen=True, slots=True)
class OfferedField:
    """A field's name, its rule, and what the rule finds on this page."""

    name: str
    rule: FieldRule
    sample: str


@dataclass(frozen=True, slots=True)
class RecordOffer:
    """Fields that belong together: of one JSON-LD type, of the meta tags, or of a block that repeats.

    `key` is the field that looks like a natural key, if there is one; `rows` the selector of the repeated block, and
    `count` how many of it the page has.
    """

    kind: Literal["jsonld", "meta", "rows"]
    title: str
    fields: tuple[OfferedField, ...]
    key: str = ""
    rows: str = ""
    count: int = 1


class Asked:
    """A page, or a row of it, that offered rules are asked of."""

    def __init__(self, place: Place) -> None:
        self._place = place

    @classmethod
    def page(cls, source: Source) -> Asked:
        return cls(Place(source))

    def sample(self, rule: FieldRule) -> str:
        """What a rule finds here, as text; empty for nothing."""
        return str(text(rule_of(rule).values(self._place)) or "")

    def field(self, name: str, rule: FieldRule, samples: Iterable[str] = ()) -> OfferedField | None:
        """The field with a fitting cast, or None where its rule finds nothing here."""
        import msgspec

        sample = self.sample(rule)
        if not sample:
            return None
        cast = fitting_cast(name, [sample, *samples])
        fitting = msgspec.structs.replace(rule, cast=cast)
        if cast != "text" and CASTS[cast](rule_of(fitting).values(self._place)) is None and cast != "date":
            fitting = rule
        return OfferedField(name, fitting, sample)


def named_apart(fields: Iterable[OfferedField | None]) -> tuple[OfferedField, ...]:
    """Those that there are, at most `MOST_FIELDS`, each with a name of its own."""
    made: dict[str, OfferedField] = {}
    for field in fields:
        if field is not None and len(made) < MOST_FIELDS:
            name = free_name(field.name, made)
            made[name] = OfferedField(name, field.rule, field.sample)
    return tuple(made.values())


def key_among(fields: Iterable[OfferedField]) -> str:
    """The name of the field that looks most like a natural key; empty for none."""
    names = {field.name for field in fields}
    return next((key for key in KEYS if key in names), "")


def source_of(document: object, markup: str = "") -> Source:
    """A page for rules that know no regular expression."""
    return Source(document, markup, Allowance(1.0, lambda: 0.0))  # type: ignore[arg-type]  # the tree is opaque here
