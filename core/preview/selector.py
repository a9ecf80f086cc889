"""A CSS selector for one element that a person points at: as lasting as the page allows.

What says what a thing is (`itemprop`, an id, `data-` attributes, class names) outlives a redesign; where a thing stands
does not, and is the last resort. Names that a build tool made (`css-1x8k2p`, `item-48213`) are no names. Pure: the law
is that the selector, asked of the page again, finds that element and no other.
"""

from __future__ import annotations

import re
from itertools import combinations, islice
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element

    Scope = Document | Element

NAMING = ("itemprop", "data-testid", "data-test", "data-test-id", "data-qa", "data-cy", "data-field", "data-name",
          "data-role", "data-component", "property", "name", "rel", "headers", "scope")  # fmt: skip
ONLY_ONES = frozenset("html head title body main h1 time article address figcaption caption".split())
MOST_CLASSES = 6
LONGEST_NAME = 60
MOST_ANCESTORS = 12

_PLAIN = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*\Z")
_TAG = re.compile(r"[a-z][a-z0-9-]*\Z")
_MADE = re.compile(r"\d{3,}|^(?:css|sc|jss|emotion|svelte|ng|ember|styles?)-|__[A-Za-z0-9]{5,}$|^_[A-Za-z0-9]+_")
_MIXED = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{5,}\Z")
_STATES = frozenset("active selected current open first last odd even hover focus visible hidden show in".split())


def selector_of(scope: Scope, element: Element) -> str:
    """The best selector that finds this element, and it alone, within the page or row; empty where none reaches it.

    Hardly any reaches into a `<template>`, whose content is not part of the page.
    """
    return next((text for text in _candidates(scope, element) if _finds(scope, text, element)), "")


def simple_selectors(element: Element) -> Iterator[str]:
    """What names the element without its place, the most telling first."""
    tag = element.tag if has_plain_tag(element) else ""
    for name in NAMING[:8]:
        yield from _by_attribute(element, name, "")
    identity = str(element.attr("id") or "")
    if is_name(identity):
        yield f"#{identity}"
    classes = stable_classes(element)
    yield from (f".{name}" for name in classes)
    if tag:
        yield from (f"{tag}.{name}" for name in classes)
    yield from (f"{tag}.{'.'.join(pair)}" for pair in combinations(classes, 2))
    for name in NAMING[8:]:
        yield from _by_attribute(element, name, tag)
    if tag in ONLY_ONES:
        yield tag


def stable_classes(element: Element) -> list[str]:
    """Its class names but for those that a tool made or that only tell a state."""
    names = (element.attr("class") or "").split()
    return [name for name in names if is_name(name) and name.lower() not in _STATES][:MOST_CLASSES]


def is_element(node: object) -> TypeGuard[Element]:
    """Whether a node of a page is an element; told without importing the library, which the window does without."""
    return hasattr(node, "attr")


def has_plain_tag(element: Element) -> bool:
    """Whether its tag may stand in a selector as it is."""
    return _TAG.match(element.tag) is not None


def is_name(text: str) -> bool:
    """Whether a person gave this name, as far as one can see, and it needs no escape."""
    return (
        0 < len(text) <= LONGEST_NAME
        and _PLAIN.match(text) is not None
        and _MADE.search(text) is None
        and not any(_MIXED.match(part) and sum(char.isdigit() for char in part) > 1 for part in re.split("[-_]", text))
    )


def _by_attribute(element: Element, name: str, tag: str) -> Iterator[str]:
    value = element.attr(name)
    if isinstance(value, str) and is_name(value):
        yield f'{tag}[{name}="{value}"]'


def _candidates(scope: Scope, element: Element) -> Iterator[str]:
    own = list(simple_selectors(element))
    yield from own
    placed = [*own, _step(element)]
    tag = [element.tag] if has_plain_tag(element) and element.tag not in own else []
    for ancestor in islice(_ancestors(scope, element), MOST_ANCESTORS):
        anchor = next((text for text in simple_selectors(ancestor) if _finds(scope, text, ancestor)), "")
        if anchor:
            yield from (f"{anchor} {text}" for text in (*own, *tag))
            yield from (f"{anchor} > {text}" for text in placed)
            yield f"{anchor} > {_path(ancestor, element)}"
    yield _whole_path(scope, element)


def _ancestors(scope: Scope, element: Element) -> Iterator[Element]:
    parent = element.parent
    while parent is not None and parent != scope and is_element(parent):
        yield parent
        parent = parent.parent


def _step(element: Element) -> str:
    """An element among its siblings."""
    parent = element.parent
    siblings = [each for each in parent.children if is_element(each)] if parent is not None else [element]
    alike = [each for each in siblings if each.tag == element.tag]
    if not has_plain_tag(element):
        return f"*:nth-child({siblings.index(element) + 1})"
    return element.tag if len(alike) == 1 else f"{element.tag}:nth-of-type({alike.index(element) + 1})"


def _path(ancestor: Scope | None, element: Element) -> str:
    steps = [_step(element)]
    parent = element.parent
    while parent is not None and parent != ancestor and is_element(parent):
        steps.append(_step(parent))
        parent = parent.parent
    return " > ".join(reversed(steps))


def _whole_path(scope: Scope, element: Element) -> str:
    if is_element(scope):
        return f":scope > {_path(scope, element)}"
    return f":root > {path}" if (path := _path(scope, element).partition(" > ")[2]) else ":root"


def _finds(scope: Scope, selector: str, element: Element) -> bool:
    return scope.select(selector)[:2] == [element]
