"""Names that the window proposes for files: made from a crawl's name, which may be a site's or another person's."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 80
FALLBACK = "crawl"
# "Naming Files, Paths, and Namespaces" (Microsoft): these are devices on Windows, whatever comes after a dot.
DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))))


def file_name(name: str) -> str:
    """A name as the stem of a file, never a path: what a file system or a shell may take amiss becomes a hyphen."""
    kept = "".join(character if character.isalnum() or character in " ._-" else "-" for character in name[:LONGEST])
    stem = kept.strip(" .-")
    return f"{FALLBACK} {stem}" if stem.partition(".")[0].rstrip().casefold() in DEVICES else stem or FALLBACK


def free_place(path: Path) -> Path:
    """The path, or the first beside it with a number that names no file yet: a proposal never costs another file."""
    if not path.exists():
        return path
    others = (path.with_stem(f"{path.stem} {number}") for number in count(2))
    return next(other for other in others if not other.exists())
