"""Text from a page made fit to be stored: no NUL, no lone surrogate, no more than its cell holds."""

from __future__ import annotations

TITLE_BYTES = 2048
LINK_TEXT_CHARACTERS = 200

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean(text: str) -> str:
    """The text with NUL and lone surrogates replaced by U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", _REPLACEMENT)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join([_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text])
    return text


def collapsed(text: str, characters: int) -> str:
    """The text with every run of white space as one space, clipped and clean."""
    # A text of mostly white space is cut before it is split: four megabytes of title are not worth a list.
    return clean(" ".join(text[: characters * 8].split())[:characters])


def clipped_bytes(text: str, size: int) -> str:
    """The longest beginning of clean text that takes at most `size` bytes of UTF-8."""
    if len(text) * 4 <= size:
        return text
    return text.encode()[:size].decode("utf-8", "ignore")
