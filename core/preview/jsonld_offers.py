"""The fields that a page's JSON-LD offers, one record type for each type of thing (schema.org's Product, Article)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.extract.jsonld import short_type, things
from core.preview.naming import spelled_name
from core.preview.offers import Asked, OfferedField, RecordOffer, key_among, named_apart
from core.settings import FieldRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.extract.place import Source

MOST_TYPES = 12
MOST_DEPTH = 3
MOST_PATHS = 60  # of one type

# What describes the site or the page and not the thing on it comes last.
FRAME = frozenset(
    "WebSite WebPage Organization BreadcrumbList ImageObject SiteNavigationElement CollectionPage".split()
)
# What is only a hinge between other things is no record of anybody's.
HINGES = frozenset("ListItem SearchAction ReadAction EntryPoint PropertyValueSpecification".split())
LISTS = frozenset(("ItemList", "OfferCatalog", "DataCatalog"))
# The last word of a path that says nothing without the word before it.
VAGUE = frozenset("name value id url text".split())


def jsonld_offers(source: Source) -> tuple[RecordOffer, ...]:
    """One offer for each type of thing, those that the page is about first; a thing's parts are told with it."""
    found: dict[str, dict[str, Any]] = {}
    told: set[int] = set()  # things that are parts of one that is offered
    for thing in things(source.jsonld):
        names = _types(thing)
        if id(thing) in told or not names:
            continue
        if not FRAME.union(LISTS).intersection(names):
            told |= {id(part) for part in things([*thing.values()])}
        for name in names:
            if name not in HINGES:
                found.setdefault(name, thing)
    asked = Asked.page(source)
    offers = (_offer(asked, name, thing) for name, thing in list(found.items())[:MOST_TYPES])
    return tuple(sorted((each for each in offers if each.fields), key=lambda each: each.title in FRAME))


def _offer(asked: Asked, type_: str, thing: dict[str, Any]) -> RecordOffer:
    fields: list[OfferedField | None] = []
    for number, path in enumerate(_paths(thing, (), 0)):
        if number == MOST_PATHS:
            break
        fields.append(asked.field(_name(path), FieldRule(jsonld=".".join((type_, *path)))))
    named = named_apart(fields)
    return RecordOffer("jsonld", type_, named, key_among(named))


def _types(thing: dict[str, Any]) -> list[str]:
    types = thing.get("@type")
    names = types if isinstance(types, list) else [types]
    short = (short_type(name) for name in names if isinstance(name, str))
    return [name for name in short if name.isidentifier()]


def _paths(value: Any, path: tuple[str, ...], depth: int) -> Iterator[tuple[str, ...]]:
    """The ways to what can be a field: texts and numbers, and things that have a name, through lists as a rule goes."""
    if isinstance(value, list):
        value = next((each for each in value if each not in (None, "")), None)
    if isinstance(value, dict):
        for name, inner in value.items():
            if _is_step(name) and depth < MOST_DEPTH:
                yield from _paths(inner, (*path, name), depth + 1)
    elif path and value not in (None, ""):
        yield path


def _is_step(name: str) -> bool:
    """Whether a rule's path can name it; what begins with @ tells about the thing, not of it."""
    return name.isidentifier() and name.isascii()


def _name(path: tuple[str, ...]) -> str:
    words = path[-2:] if len(path) > 1 and path[-1].lower() in VAGUE else path[-1:]
    return spelled_name("_".join(words)).removesuffix("_name") or "field"
