"""What is asked of a crawl file about one URL: the explanation, and the pages that led to it from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import FronteiraError
from core.explain import explain
from core.store.read.known_reader import KnownReader
from core.store.read.reader import Reader
from core.urls import Url, parse

if TYPE_CHECKING:
    from pathlib import Path

    from core.explain import Explanation


@dataclass(frozen=True, slots=True)
class Question:
    """The crawl and the text as typed."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """The pages from the seed to the one that links to the URL. `seed`: it was typed itself; `source` brought it."""

    pages: tuple[str, ...] = ()
    seed: bool = False
    kind: str = ""  # of the source
    source: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """`fault` says why there is no explanation."""

    text: str = ""
    explanation: Explanation | None = None
    way: Way = Way()
    fault: str = ""


def ask(question: Question) -> Answer:
    """Read the file; for a thread that is not the window's. A fault of the world is part of the answer."""
    if not question.text.strip():
        return Answer()
    try:
        found = explain(question.path, question.text)
        return Answer(question.text, found, _way(question.path, found))
    except FronteiraError as fault:
        return Answer(question.text, fault=str(fault))


def _way(path: Path, found: Explanation) -> Way:
    """A refused URL has no way of its own: its finder's, and the finder."""
    known = KnownReader(path)
    try:
        number = _number(known, found.key)
        if number is not None:
            return Way(_chain(path, number), *known.came_by(number))
        finder = _number(known, found.found_on)
    finally:
        known.close()
    return Way() if finder is None else Way((*_chain(path, finder), found.found_on))


def _number(known: KnownReader, address: str) -> int | None:
    url = parse(address)
    return known.find(known.key(url)) if isinstance(url, Url) else None


def _chain(path: Path, number: int) -> tuple[str, ...]:
    reader = Reader(path)
    try:
        details = reader.url_details(number)
    finally:
        reader.close()
    return tuple(step.url for step in details.chain) if details else ()
