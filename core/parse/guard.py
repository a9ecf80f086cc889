"""Which pages are not worth the parser's time: a scan that costs a hundredth of what it saves.

The parser is linear in the number of tags (0.1 to 0.7 microseconds each, measured over nested, misnested, tabular and
formatting bombs), and its tree takes some hundred bytes a tag. So tags and length are what is bounded; depth,
attributes and options need no bound of their own.
"""

from __future__ import annotations

MAX_TAGS = 500_000
MAX_CHARACTERS = 100_000_000


def suspicion(source: str) -> str:
    """Why a page is not parsed, as a sentence; empty for a page that may be."""
    if len(source) > MAX_CHARACTERS:
        return f"The page has {len(source):,} characters; at most {MAX_CHARACTERS:,} are parsed."
    tags = source.count("<")
    if tags > MAX_TAGS:
        return f"The page has about {tags:,} tags; at most {MAX_TAGS:,} are parsed."
    return ""
