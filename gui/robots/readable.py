"""The text of a robots.txt from a site, made fit for an editor without changing what it allows. Pure.

A character that cannot be seen, or that reorders its line, is written as its octets: RFC 9309 (section 2.2.2) compares
both spellings as one. A line longer than any URL can be is cut: it matches none either way.
"""

from __future__ import annotations

import unicodedata

from gui.foreign_text import ELLIPSIS

LONGEST_LINE = 10_000  # characters; the longest URL that can be fetched has 8,192


def readable(text: str) -> str:
    """The text for the editor: every line there, nothing hidden in it."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(_line(line) for line in plain.split("\n"))


def _line(line: str) -> str:
    kept = line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + ELLIPSIS
    if kept.isascii() and kept.replace("\t", " ").isprintable():
        return kept
    return "".join(character if _is_seen(character) else _octets(character) for character in kept)


def _is_seen(character: str) -> bool:
    return character == "\t" or character.isprintable() or unicodedata.category(character) == "Zs"


def _octets(character: str) -> str:
    return "".join(f"%{octet:02X}" for octet in character.encode(errors="replace"))
