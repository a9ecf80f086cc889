"""What a page says of its canonical, as the writer hears it: its word, who speaks, and where it led so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.urls import Url


@dataclass(frozen=True, slots=True)
class Word:
    """What a page's word on its canonical is worth.

    `rank` orders two pages that show one record: 1 names itself, 0 names nothing that is believed, -1 is the alias of
    `target`, where the chain ends. `new`: the page that is named was not known before. `names`: it names another page
    of this crawl, believed or not.
    """

    target: int | None = None
    rank: int = 0
    new: bool = False
    key: Url | None = None  # of the target
    names: bool = False


PLAIN, OWN = Word(), Word(rank=1)


@dataclass(frozen=True, slots=True)
class Led:
    """Where a page led those that name it, before this answer: the page it redirected to, and the ends of its chain.

    There are two where it is not settled yet whose alias it is.
    """

    redirect: int | None = None
    ends: frozenset[int] = frozenset()


NOWHERE = Led()


@dataclass(frozen=True, slots=True)
class Speaker:
    """A good page that names a canonical."""

    id: int
    key: Url
    depth: int
    content: bytes | None
