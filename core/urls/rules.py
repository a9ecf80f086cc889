"""The normalisation rules of a crawl: what an analyst may switch, and the version of what cannot be switched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.settings import Normalise

RULES_VERSION = 1
"""Goes up whenever the same text and the same `Rules` give another form. Stored in the crawl file beside the rules."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which spellings count as one page. `keep` wins over `drop`, the tracking list and session ids.

    `drop` and `keep` hold parameter names as a person writes them (`a[]`, not `a%5B%5D`), case-sensitive.
    """

    tracking: bool = True
    drop: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    session_ids: bool = False
    sort: bool = True
    trailing_slash: bool = False
    ignore_www: bool = False
    index_pages: bool = False
    lower_path: bool = False
    ignore_scheme: bool = False

    @classmethod
    def of(cls, normalise: Normalise) -> Rules:
        """The rules an analyst's settings ask for."""
        return cls(
            tracking=normalise.tracking,
            drop=frozenset(normalise.drop_parameters),
            keep=frozenset(normalise.keep_parameters),
            session_ids=normalise.session_ids,
            sort=normalise.sort_parameters,
            trailing_slash=normalise.trailing_slash,
            ignore_www=normalise.ignore_www,
            index_pages=normalise.index_pages,
            lower_path=normalise.lower_path,
            ignore_scheme=normalise.ignore_scheme,
        )
