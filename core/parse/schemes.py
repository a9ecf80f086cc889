"""References that no crawler follows: they run a script, open another program, or hold their content themselves."""

from __future__ import annotations

SKIPPED = ("javascript:", "mailto:", "tel:", "data:", "about:", "blob:")
LEADING = "".join(map(chr, range(0x21)))  # C0 controls and space (WHATWG URL, 4.4)

_FIRST_LETTERS = frozenset("jmtdabJMTDAB\t\n\r")
_LONGEST = 64  # more tabs and newlines within one of these names are met in attacks only, and end as a rejected URL


def is_skipped(href: str) -> bool:
    """Whether a reference (without leading space) has one of the schemes above, in any case, as a browser reads it."""
    if href[:1] not in _FIRST_LETTERS:
        return False
    beginning = href[:_LONGEST].replace("\t", "").replace("\n", "").replace("\r", "")
    return beginning.lower().startswith(SKIPPED)
