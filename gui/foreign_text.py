"""Text that came from a page, a host or a file, made harmless before Qt sees it.

It is clipped, and control and direction-changing characters are shown as escapes, so that a title cannot
reorder the line it stands in. Labels that show it are set to plain text as well: nothing here is markup.
"""

from __future__ import annotations

LONGEST = 300
DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(text: str, longest: int = LONGEST) -> str:
    """The text as it may be shown in one line."""
    clipped = text[:longest]
    if not clipped.isprintable() or not DIRECTION.isdisjoint(clipped):
        clipped = "".join(_escaped(character) for character in clipped)
    return clipped + "…" if len(text) > longest else clipped


def tooltip(text: str, longest: int = 2000) -> str:
    """The text as a tooltip. Tooltips guess at rich text, so the mark-up characters are written out."""
    from html import escape

    return f"<p style='white-space: pre-wrap'>{escape(shown(text, longest))}</p>" if text else ""


def _escaped(character: str) -> str:
    if character == " " or (character.isprintable() and character not in DIRECTION):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
