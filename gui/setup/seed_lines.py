"""The seeds as typed, one a line: which are good, and what is said beside each of the others. Pure.

Lines that begin with `#` are comments; a seed that stands there already is said to, and counted once.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.urls import Rejected, Rules, key_form, parse_seed_line


@dataclass(frozen=True, slots=True)
class SeedLines:
    """`good` are the seeds as typed, `places` their lines (from 1); `problems` and `doubles` are by line."""

    good: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()
    doubles: tuple[tuple[int, int], ...] = ()  # line, line of the first
    comments: tuple[int, ...] = ()


def read_seed_lines(text: str) -> SeedLines:
    """Total on any text."""
    good: list[str] = []
    places: list[int] = []
    problems: list[tuple[int, str]] = []
    doubles: list[tuple[int, int]] = []
    comments: list[int] = []
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        seed = line.strip()
        if not seed:
            continue
        if seed.startswith("#"):
            comments.append(number)
            continue
        url = parse_seed_line(seed)
        if isinstance(url, Rejected):
            problems.append((number, url.message))
            continue
        before = first.setdefault(key_form(url, Rules()).text, number)
        if before != number:
            doubles.append((number, before))
            continue
        good.append(seed)
        places.append(number)
    return SeedLines(tuple(good), tuple(places), tuple(problems), tuple(doubles), tuple(comments))
