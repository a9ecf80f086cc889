"""What can be read of a faulty settings file, so that every further check is made too, and all is told at once.

What is wrong is left out, as little of it as will do. The result is for checking alone: no crawl may run by it.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec

from core.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.errors import Problem

_PART = re.compile(r"[^.\[\]]+")


def salvaged(content: dict[str, Any], problems: Iterable[Problem]) -> CrawlSettings | None:
    """The settings without what the problems name: the very values, else their keys, else their sections."""
    paths = [_PART.findall(problem.key) for problem in problems]
    for most in (None, 2, 1):
        rest = deepcopy(content)
        for path in paths:
            _leave_out(rest, path[:most])
        try:
            return msgspec.convert(rest, CrawlSettings)
        except msgspec.ValidationError:
            continue  # what is left out makes something else incomplete: leave out more
    return None


def concerns(problem: Problem, others: Iterable[Problem]) -> bool:
    """Whether a problem lies where another one does, or around it: then it may only follow from what was left out."""
    own = _PART.findall(problem.key)
    paths = (_PART.findall(other.key) for other in others)
    return any(own[: len(path)] == path or path[: len(own)] == own for path in paths)


def _leave_out(content: Any, path: list[str]) -> None:
    for part in path[:-1]:
        content = _inner(content, part)
    last = path[-1]
    if isinstance(content, dict):
        content.pop(last, None)
    elif isinstance(content, list) and last.isdigit() and int(last) < len(content):
        content[int(last)] = ""  # its neighbours keep their numbers


def _inner(content: Any, part: str) -> Any:
    if isinstance(content, dict):
        return content.get(part)
    if isinstance(content, list) and part.isdigit() and int(part) < len(content):
        return content[int(part)]
    return None
