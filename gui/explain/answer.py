"""What is asked of a crawl file about one URL: the explanation, and the pages that led to it from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import FronteiraError
from core.explain import explain
from core.store.known_reader import KnownReader
from core.store.reader import Reader
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
class Answer:
    """`way` are the pages from the seed to the one that links to the URL; `fault` says why there is no explanation."""

    text: str = ""
    explanation: Explanation | None = None
    way: tuple[str, ...] = ()
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


def _way(path: Path, found: Explanation) -> tuple[str, ...]:
    """From the seed on, without the URL itself. A refused URL has no chain of its own: its finder's, and the finder."""
    if found.state == "unknown":
        return ()
    steps = _chain(path, found.key)
    return steps or ((*_chain(path, found.found_on, fetched=True), found.found_on) if found.found_on else ())


def _chain(path: Path, address: str, *, fetched: bool = False) -> tuple[str, ...]:
    url = parse(address)
    known = KnownReader(path)
    number = known.find(known.key(url) if fetched else url) if isinstance(url, Url) else None
    known.close()
    if number is None:
        return ()
    reader = Reader(path)
    details = reader.url_details(number)
    reader.close()
    return tuple(step.url for step in details.chain) if details else ()
