"""Where a rule looks: a whole page, or one row of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from core.extract.jsonld_blocks import read_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from turbohtml import Document, Element

    from core.identity import JsonValue


MAX_VALUES = 1000  # of one rule at one place: what follows is not looked at


class Source:
    """What all rows of a page share: its tree, its text, its JSON-LD (read once), and the time its rules may take."""

    def __init__(self, document: Document | None, text: str, allowance: Allowance) -> None:
        self.document = document
        self.text = text
        self.allowance = allowance

    @cached_property
    def jsonld(self) -> list[JsonValue]:
        """The decoded blocks of `<script type="application/ld+json">`; what is not JSON is left out."""
        return read_blocks(self.document) if self.document is not None else []


class Allowance:
    """The seconds that the regular expressions of one page may take together; begins with the first question."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._end: float | None = None

    def left(self) -> float:
        """More than zero while there is time, else zero."""
        if self._end is None:
            self._end = self._clock() + self._seconds
        return max(self._end - self._clock(), 0.0)


@dataclass(frozen=True, slots=True)
class Place:
    """A page (`row` is None) or one of its rows."""

    source: Source
    row: Element | None = None

    @property
    def node(self) -> Document | Element | None:
        """Where selectors look; None for a page that is no markup."""
        return self.source.document if self.row is None else self.row

    @property
    def text(self) -> str:
        """What regular expressions see: the page's decoded text, or the row's markup."""
        return self.source.text if self.row is None else self.row.html
