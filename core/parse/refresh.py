"""Where `<meta http-equiv=refresh>` leads (HTML standard, "shared declarative refresh steps")."""

from __future__ import annotations

_SPACE = " \t\n\f\r"


def refresh_target(content: str) -> str | None:
    """The raw target of a refresh; None where there is none, or where the page only reloads itself."""
    rest = content.strip(_SPACE)
    after = rest.lstrip("0123456789")
    if after == rest and not rest.startswith("."):
        return None
    after = after.lstrip("0123456789.")
    if not after or after[0] not in ";," + _SPACE:
        return None
    after = after.lstrip(_SPACE)
    if after[:1] in {";", ","}:
        after = after[1:].lstrip(_SPACE)
    return _unquoted(_without_url(after)) or None


def _without_url(text: str) -> str:
    """The text behind `url =`; the whole text where that does not stand at its beginning."""
    if text[:3].lower() != "url":
        return text
    rest = text[3:].lstrip(_SPACE)
    return rest[1:].lstrip(_SPACE) if rest.startswith("=") else text


def _unquoted(text: str) -> str:
    if text[:1] in {"'", '"'}:
        return text[1:].partition(text[0])[0].strip(_SPACE)
    return text.strip(_SPACE)
