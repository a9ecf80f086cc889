"""The normalisation rules of a crawl: what an analyst may switch, and the version of what cannot be switched."""

from __future__ import annotations

from dataclasses import dataclass

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
