"""Kept pages that a record type is tried on: found and read in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from core.errors import BadPattern, FronteiraError
from core.policy.patterns import Pattern, compile_pattern
from core.preview.page_source import kept_source
from core.store.read.kept_pages import BEYOND, KeptPages
from core.urls import Rules, Url, key_form, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.preview.page_source import PageSource
    from core.settings import Normalise
    from core.store.read.kept_pages import KeptPage

MOST_PAGES = 200  # to choose from
MOST_LOOKED_AT = 20_000
PIECE = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kept pages of a crawl file whose URL a record type's pattern matches."""

    path: Path
    match: str
    normalise: Normalise


@dataclass(frozen=True, slots=True)
class Choice:
    """What there is to choose from, the newest first; `fault` says why it could not be looked for."""

    wanted: Wanted
    pages: tuple[KeptPage, ...] = ()
    fault: str = ""


def choice_of(wanted: Wanted) -> Choice:
    """Never raises: a file that is away just now has nothing to choose from."""
    try:
        kept = KeptPages(wanted.path)
    except FronteiraError as fault:
        return Choice(wanted, fault=str(fault))
    try:
        found = islice(matching(kept, wanted), MOST_PAGES)
        return Choice(wanted, tuple(page for _, page in found))
    except FronteiraError as fault:  # BadPattern among them
        return Choice(wanted, fault=str(fault))
    finally:
        kept.close()


def read_kept(path: Path, page: KeptPage) -> PageSource | None:
    """The page as it was answered; None where it is kept no more, or damaged. Raises the FileErrors."""
    kept = KeptPages(path)
    try:
        response = kept.response(page)
    finally:
        kept.close()
    return None if response is None else kept_source(page.url, response.head, response.body)


def matching(kept: KeptPages, wanted: Wanted, most: int = MOST_LOOKED_AT) -> Iterator[tuple[Url, KeptPage]]:
    """The kept pages that match, as the crawl would match them, among the newest so many. Raises BadPattern."""
    pattern, rules = compile_pattern(wanted.match), Rules.of(wanted.normalise)
    before, looked_at = BEYOND, 0
    while looked_at < most and (piece := kept.piece(before, PIECE)):
        before = piece[-1].id
        looked_at += len(piece)
        for page in piece:
            url = _matched(page.url, pattern, rules)
            if url is not None:
                yield url, page


def matches(address: str, match: str, normalise: Normalise) -> bool:
    """Whether the crawl would read records of this type from a page of that address."""
    try:
        return _matched(address, compile_pattern(match), Rules.of(normalise)) is not None
    except BadPattern:
        return False


def _matched(address: str, pattern: Pattern, rules: Rules) -> Url | None:
    url = parse(address)
    return url if isinstance(url, Url) and pattern.matches(key_form(url, rules)) else None
