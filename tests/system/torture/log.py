"""What the hostile site was asked, request by request."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

LONGEST = 500  # characters of a target that are kept


@dataclass(frozen=True, slots=True)
class Asked:
    """One request; header names are in lower case, `at` is monotonic."""

    at: float
    listener: str
    method: str
    target: str
    length: int
    headers: dict[str, str]

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]


@dataclass
class Log:
    """Every request in order, and how often each path of a listener was asked for."""

    asked: list[Asked] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def note(self, listener: str, method: str, target: str, headers: dict[str, str]) -> int:
        """Keep a request; the number of its path at its listener, from 1."""
        asked = Asked(time.monotonic(), listener, method, target[:LONGEST], len(target), headers)
        self.asked.append(asked)
        self.counts[listener, asked.path] += 1
        return self.counts[listener, asked.path]

    def first(self, listener: str, path: str) -> int | None:
        """How many requests came before the first one for this path; None where none came."""
        places = (nth for nth, asked in enumerate(self.asked) if (asked.listener, asked.path) == (listener, path))
        return next(places, None)
