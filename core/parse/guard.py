"""Which pages are not worth the parser's time: a scan that costs a hundredth of what it saves.

The parser is linear in the number of tags (0.1 to 0.7 microseconds each, measured over nested, misnested, tabular and
formatting bombs), and its tree takes some hundred bytes a tag. So tags and length are what is bounded; depth,
attributes and options need no bound of their own.
"""

from __future__ import annotations

import re

MAX_DEPTH = 512  # what the HTML parser flattens to by itself; the XML parser does not
MAX_TAGS = 500_000
MAX_CHARACTERS = 100_000_000

_XML_TAG = re.compile(r"<!--(?:.*?-->|.*+)|<!\[CDATA\[(?:.*?\]\]>|.*+)|<(/?)[^\s<>!?/][^<>]*+>", re.DOTALL)


def suspicion(source: str) -> str:
    """Why a page is not parsed, as a sentence; empty for a page that may be."""
    if len(source) > MAX_CHARACTERS:
        return f"The page has {len(source):,} characters; at most {MAX_CHARACTERS:,} are parsed."
    tags = source.count("<")
    if tags > MAX_TAGS:
        return f"The page has about {tags:,} tags; at most {MAX_TAGS:,} are parsed."
    return ""


def too_deep(source: str) -> bool:
    """Whether elements of well-formed XML nest deeper than `MAX_DEPTH`; may be true of less, never false of more."""
    depth = 0
    for tag in _XML_TAG.finditer(source):
        if tag[1]:
            depth -= 1
        elif tag[1] is not None and tag[0][-2] != "/":
            depth += 1
            if depth > MAX_DEPTH:
                return True
    return False
