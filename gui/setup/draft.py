"""Reading and replacing one value of the settings by its dotted name. Pure."""

from __future__ import annotations

from typing import Any

import msgspec

from core.errors import Problem
from core.settings import CrawlSettings, decode, encode


def get(settings: CrawlSettings, key: str) -> Any:
    """The value of `budgets.max_pages`, say."""
    section, _, name = key.partition(".")
    value = getattr(settings, section)
    return getattr(value, name) if name else value


def put(settings: CrawlSettings, key: str, value: Any) -> CrawlSettings:
    """The settings with that one value replaced."""
    section, _, name = key.partition(".")
    if not name:
        return msgspec.structs.replace(settings, **{section: value})
    part = msgspec.structs.replace(getattr(settings, section), **{name: value})
    return msgspec.structs.replace(settings, **{section: part})


def shape_problem(settings: CrawlSettings) -> Problem | None:
    """The first value that the settings' types do not allow, None when all are fine."""
    try:
        decode(encode(settings))
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$.")
        return Problem(place.rstrip("`") or "settings", message)
    return None
