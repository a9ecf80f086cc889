"""What a field that was found on a page may be called, and what its values look like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.extract.dates import parse_date, readings
from core.extract.numbers import parse_money, parse_number
from core.preview.selector import NAMING, is_element, stable_classes

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from turbohtml import Element

INLINE = frozenset("a span b strong em i small".split())
LONGEST_NAME = 40
LONGEST_AMOUNT = 30  # characters: a longer text with an amount in it is a sentence

_BY_TAG = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "title": "title", "time": "date", "img": "image",
           "address": "address", "figcaption": "caption", "caption": "caption", "p": "text", "li": "item"}  # fmt: skip
_BY_ATTRIBUTE = {"href": "link", "src": "image", "datetime": "date", "content": "", "value": "value"}
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
# What is spelled with digits and is no number: a leading zero counts, and so does every digit.
_CODES = re.compile(r"sku|gtin|mpn|isbn|ean|asin|upc|id$|identifier|code|zip|phone|number$|model", re.IGNORECASE)
_AMOUNTS = re.compile(r"price|amount|cost|fee|preis|prix|precio", re.IGNORECASE)
_AMOUNT = re.compile(r"\D{0,12}\d[\d.,'’\s]*(?:\D{0,12})\Z")
_NUMBER = re.compile(
    r"[-+]?(?:[1-9]\d{0,2}(?:[.,' ]\d{3})+|0|[1-9]\d*)(?:[.,]\d+)?\s?(?:%|[a-z]{1,3}²?)?\Z", re.IGNORECASE
)
_HAS_YEAR = re.compile(r"(?:19|20)\d\d")


def name_of(element: Element, attribute: str = "") -> str:
    """What an element, or its attribute, may be called: by what the page calls it, else by what it is."""
    for name in NAMING[:-3]:
        value = element.attr(name)
        if isinstance(value, str) and (spelled := spelled_name(value)):
            return spelled
    by_attribute = _BY_ATTRIBUTE.get(attribute, attribute)
    if by_attribute:
        return by_attribute
    return _by_look(element) or _by_box(element) or ("name" if element.tag == "a" else "text")


def _by_look(element: Element) -> str:
    """By its last class, its tag or its id."""
    classes = stable_classes(element)
    named = next((spelled for name in reversed(classes) if (spelled := spelled_name(name))), "")
    return named or _BY_TAG.get(element.tag, "") or spelled_name(str(element.attr("id") or ""))


def _by_box(element: Element) -> str:
    """What a mere link or emphasis stands in: a heading, or what has a name itself."""
    parent = element.parent
    if element.tag not in INLINE or not is_element(parent) or parent.tag in ("body", "div", "td", "p", "li"):
        return ""
    return _by_look(parent)


def spelled_name(text: str) -> str:
    """`product-title`, `productTitle` and `og:productTitle` as `product_title`; empty where nothing is left."""
    words = _WORDS.findall(text.rpartition(":")[2])
    return "_".join(word.lower() for word in words)[:LONGEST_NAME].strip("_")


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or with the first number behind it that is free."""
    if name not in taken:
        return name
    return next(f"{name}{number}" for number in range(2, len(taken) + 3) if f"{name}{number}" not in taken)


def fitting_cast(name: str, values: Sequence[str]) -> str:
    """What the values of a field look like: date, money, number or text."""
    texts = [" ".join(value.split()) for value in values if value.strip()]
    if not texts or _CODES.search(name):
        return "text"
    if all(_is_date(text) for text in texts):
        return "date"
    if all(len(text) <= LONGEST_AMOUNT and _AMOUNT.match(text) for text in texts):
        if any(parse_money(text)[1] for text in texts) or _AMOUNTS.search(name):
            return "money"
        if all(_NUMBER.match(text) and parse_number(text) is not None for text in texts):
            return "number"
    return "text"


def _is_date(text: str) -> bool:
    return _HAS_YEAR.search(text) is not None and (parse_date(text) is not None or readings(text) is not None)
