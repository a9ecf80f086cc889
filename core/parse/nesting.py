"""Which elements lie within which, in one walk: asking each element for its ancestors is quadratic on a nested page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Document, Element


def outside(root: Document | Element, tags: tuple[str, ...], containers: frozenset[str]) -> Iterator[Element]:
    """The elements of `tags` in document order without those in a container; the outermost containers come too."""
    everything = tuple({*tags, *containers})
    inside: set[Element] = set()
    for element in root.iter_elements(everything):
        if inside and element in inside:
            continue
        if element.tag in containers:
            inside.update(element.iter_elements(everything))
        yield element
