"""Addresses out of anything an analyst pastes or drops: a list, a table, a page.

Every bad line gets its own message beside its number, and good lines are kept. An address without a scheme is not
completed in silence: the message offers what was probably meant. Lines that begin with `#` are comments.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.seeds.base import clipped
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse_seed_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_LINE = 100_000
MOST_SEEDS = 1_000_000
_ADDRESS = re.compile(r"https?://[^\s\"'<>|]+", re.IGNORECASE)
_TAG = re.compile(r"<(?:!doctype|html|head|body|a|ul|ol|li|table|div|p)\b", re.IGNORECASE)
_HEADINGS = frozenset(("url", "urls", "link", "href", "address", "loc", "page", "seed", "location"))
_DELIMITERS = ("\t", ";", ",")


@dataclass(frozen=True, slots=True)
class Seed:
    """One good line: its number, what stood there, and the URL in fetch form."""

    line: int
    text: str
    url: Url


@dataclass(frozen=True, slots=True)
class BadLine:
    """One bad line and the sentence for beside it."""

    line: int
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class SeedText:
    """What a text holds: good seeds (each key form once, in order), problems, and how many were there already."""

    good: tuple[Seed, ...] = ()
    problems: tuple[BadLine, ...] = ()
    duplicates: int = 0

    def by_host(self) -> dict[str, tuple[Seed, ...]]:
        """The good seeds grouped by host, hosts in the order of their first seed."""
        groups: dict[str, list[Seed]] = {}
        for seed in self.good:
            groups.setdefault(seed.url.host, []).append(seed)
        return {host: tuple(seeds) for host, seeds in groups.items()}


def read_seed_text(text: str, rules: Rules | None = None, base: str = "") -> SeedText:
    """Find the URLs of a pasted text; total on any string. `base` resolves the links of a pasted page."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if _is_html(text):
        from core.seeds.html_links import links_of  # only pasted pages need it

        return collected(links_of(text, base), rules or Rules())
    lines = tuple((number, line) for number, line in enumerate(text.split("\n"), 1) if _says_something(line))
    return collected(_from_lines(lines), rules or Rules())


def collected(candidates: Iterable[tuple[int, str, Url | Rejected]], rules: Rules) -> SeedText:
    """Sort candidates into good ones, each once by its key form, and problems."""
    good: list[Seed] = []
    problems: list[BadLine] = []
    known: set[Url] = set()
    duplicates = 0
    for line, written, url in candidates:
        if isinstance(url, Rejected):
            problems.append(BadLine(line, clipped(written), url.message))
            continue
        key = key_form(url, rules)
        duplicates += key in known
        if key not in known:
            known.add(key)
            good.append(Seed(line, clipped(written, 2000), fetch_form(url, rules)))
        if len(good) >= MOST_SEEDS:
            problems.append(BadLine(line, "", f"Only the first {MOST_SEEDS:,} addresses were read."))
            break
    return SeedText(tuple(good), tuple(problems), duplicates)


def _is_html(text: str) -> bool:
    head = text[:5000].lstrip()
    return head.startswith("<") and _TAG.search(head) is not None


def _says_something(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and not bare.startswith("#")


def _from_lines(lines: tuple[tuple[int, str], ...]) -> Iterator[tuple[int, str, Url | Rejected]]:
    delimiter = _delimiter(lines[0][1]) if lines else ""
    column = _column(_cells(lines[0][1], delimiter)) if delimiter else None
    for number, line in lines[1:] if delimiter else lines:
        if len(line) > LONGEST_LINE:
            yield number, line, Rejected("length", f"The line has {len(line):,} characters; {LONGEST_LINE:,} are read.")
            continue
        written = _in_row(_cells(line, delimiter), column) if delimiter else _in_line(line)
        for text in written or [line.strip()]:
            yield number, text, parse_seed_line(text)


def _delimiter(heading: str) -> str:
    """What parts the columns of a table that begins with a heading; empty where the first line is none."""
    if _ADDRESS.search(heading) or len(heading) > LONGEST_LINE:
        return ""
    found = next((mark for mark in _DELIMITERS if mark in heading), "")
    if found or heading.strip().strip('"').lower() not in _HEADINGS:
        return found
    return ","


def _column(heading: list[str]) -> int | None:
    names = [cell.strip().lower() for cell in heading]
    return next((at for at, name in enumerate(names) if name in _HEADINGS), None)


def _in_row(cells: list[str], column: int | None) -> list[str]:
    if column is not None and column < len(cells) and cells[column].strip():
        return [cells[column].strip()]
    return [cell.strip() for cell in cells if _ADDRESS.match(cell.strip())]


def _in_line(line: str) -> list[str]:
    """The addresses of a line without a table around it: the line itself, or every address between other words."""
    bare = line.strip()
    if not re.search(r"[\s\"<>]", bare) and not _ADDRESS.search(bare, 1):
        return [bare]
    for mark in _DELIMITERS:
        cells = [cell.strip() for cell in _cells(bare, mark)]
        if len(cells) > 1 and any(_ADDRESS.fullmatch(cell) for cell in cells):
            return [cell for cell in cells if _ADDRESS.fullmatch(cell)]
    return [_without_punctuation(found.group()) for found in _ADDRESS.finditer(bare)]


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _without_punctuation(text: str) -> str:
    """Without what ends the sentence around an address; a closing bracket goes only if none was opened inside."""
    bare = text.rstrip(".,;:!?")
    if bare.endswith(")") and bare.count("(") < bare.count(")"):
        return bare[:-1].rstrip(".,;:!?")
    return bare
