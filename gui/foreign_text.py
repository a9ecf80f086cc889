"""Text that came from a page, a host or a file, made harmless before Qt sees it.

It is clipped, and control and direction-changing characters are shown as escapes, so that a title cannot
reorder the line it stands in. Labels that show it are set to plain text as well: nothing here is markup.
Every function is idempotent: what was made harmless once stays as it is.
"""

from __future__ import annotations

import unicodedata
from html import escape

LONGEST = 300
LONGEST_MESSAGE = 4000  # of several lines
MOST_LINES = 60
MOST_MARKS = 3  # accents on one letter; a pile of them is painted over the rows around it
ELLIPSIS = "…"
DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
JOINERS = frozenset("\u200c\u200d")  # Persian and Indian words and emoji are spelled with them


def shown(text: str, longest: int = LONGEST) -> str:
    """The text as it may be shown in one line, of at most `longest` characters."""
    clipped = text[: longest + 1]
    if not clipped.isprintable() or not (clipped.isascii() or _is_unmarked(clipped)):
        clipped = _escaped(clipped)
    return clipped if len(clipped) <= longest else clipped[: longest - 1] + ELLIPSIS


def shown_lines(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """The text as it may be shown in several lines, each harmless, of at most `longest` characters in all."""
    if "\n" not in text[: longest + 1]:
        return shown(text, longest)
    lines = text[: longest + 1].split("\n")
    kept = "\n".join(shown(line, longest) for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        kept += f" {ELLIPSIS}" if not kept.endswith(ELLIPSIS) else ""
    return kept if len(kept) <= longest else kept[: longest - 1] + ELLIPSIS


def tooltip(text: str, longest: int = LONGEST) -> str:
    """The text as a tooltip. Tooltips guess at rich text, so the mark-up characters are written out."""
    return f"<p style='white-space: pre-wrap'>{escape(shown_lines(text, longest))}</p>" if text else ""


def on_button(text: str, longest: int = LONGEST) -> str:
    """The text on a button or in a menu, where a lone & would underline the next letter."""
    return shown(text, longest).replace("&", "&&")


def _is_unmarked(text: str) -> bool:
    return not any(map(unicodedata.combining, text))


def _escaped(text: str) -> str:
    """Characters one by one; spaces of other alphabets are spaces, and joiners stand where a letter is joined."""
    made: list[str] = []
    marks, before = 0, ""
    for character in text:
        marks = marks + 1 if unicodedata.combining(character) else 0
        made.append(character if _is_harmless(character, before, marks) else _code(character))
        before = character
    return "".join(made)


def _is_harmless(character: str, before: str, marks: int) -> bool:
    if character.isprintable():
        return marks <= MOST_MARKS
    if character in JOINERS:
        return not before.isascii() and before.isprintable()
    return unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
