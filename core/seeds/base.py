"""What every seed source gives: addresses as written, further sources to fetch, and what is to be said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from core.urls import without_user_info

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.settings import Seeds

MOST_WARNINGS = 100


@dataclass(frozen=True, slots=True)
class Found:
    """One address a source names. `lastmod` is the source's own word for its last change (W3C date), if it has one."""

    url_text: str
    lastmod: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a source did wrong that cost no more than it says; `line` from 1 where it is known.

    `unit` is what is counted: a JSON feed has entries rather than lines.
    """

    message: str
    line: int | None = None
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.unit} {self.line}: {self.message}" if self.line else self.message


@dataclass(frozen=True, slots=True)
class Arrived:
    """A fetched source: its body, the address that was asked, the one it finally came from, and what is wanted.

    `first` is the address that the source begins with, where `asked` is a later page of it. `following` is the next
    page as the answer's `Link` header names it (RFC 8288), raw. `whole` is false where the transfer broke off.
    """

    body: bytes
    asked: str
    base: str
    seeds: Seeds
    first: str = ""
    following: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Harvest:
    """One fetched source as read: `entries` are pages, `children` further sources of its kind, in order, each once.

    `next_page` is where a feed that comes in pages goes on. `readable` is false where it was not such a source at all;
    then a warning says why.
    """

    entries: tuple[Found, ...] = ()
    children: tuple[Found, ...] = ()
    warnings: tuple[Warned, ...] = ()
    readable: bool = True
    next_page: Found | None = None


SourceName: TypeAlias = Literal["sitemap", "feed", "archive"]


@dataclass(frozen=True, slots=True)
class SourceKind:
    """A kind of source that is fetched. `written` gives the addresses the analyst's settings mean; `read` never raises.

    `absent` are the statuses by which such a server says that it has nothing: an answer, and no fault.
    """

    name: SourceName
    written: Callable[[Seeds], tuple[str, ...]]
    read: Callable[[Arrived], Harvest]
    absent: frozenset[int] = frozenset()


class Warnings:
    """Collects warnings up to a bound, and says how many more there were."""

    def __init__(self, unit: str = "line") -> None:
        self._kept: list[Warned] = []
        self._left_out = 0
        self._unit = unit

    def add(self, message: str, line: int | None = None) -> None:
        """One more, a sentence."""
        if len(self._kept) < MOST_WARNINGS:
            self._kept.append(Warned(message, line, self._unit))
        else:
            self._left_out += 1

    def all(self) -> tuple[Warned, ...]:
        """Those that were kept, and a last one that counts the others."""
        more = (Warned(f"{self._left_out} further warnings were left out."),) if self._left_out else ()
        return (*self._kept, *more)


def clipped(text: str, most: int = 200) -> str:
    """A foreign text as it may stand in a message: short, and without the password of an address."""
    text = without_user_info(text)
    return text if len(text) <= most else text[: most - 1] + "…"
