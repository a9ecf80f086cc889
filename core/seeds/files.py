"""Seeds out of files the analyst names: text, CSV or HTML, in whatever encoding a desktop writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.seeds.text import SeedText, read_seed_text

if TYPE_CHECKING:
    from core.urls import Rules

MOST_OCTETS = 200 * 1024 * 1024


def read_seed_file(path: str | Path, rules: Rules | None = None) -> SeedText:
    """The seeds of one file; raises BadInput with a sentence where it cannot be read."""
    place = Path(path).expanduser()
    try:
        with place.open("rb") as file:
            body = file.read(MOST_OCTETS + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"The seed file {place} cannot be read: {reason}.", "Check its name and place.") from None
    if len(body) > MOST_OCTETS:
        raise BadInput(f"The seed file {place} is larger than {MOST_OCTETS:,} bytes.", "Split it into several files.")
    return read_seed_text(decoded(body), rules)


def decoded(body: bytes) -> str:
    """The text of a file: by its byte order mark, else UTF-8, else the western encoding of Windows. Never fails."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")
