"""Problems of the settings as the window says them: its own names for fields and places instead of the keys. Pure.

The keys belong to the settings file, and are kept beside its text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gui.setup import forms

if TYPE_CHECKING:
    from core.errors import Problem
    from core.settings import CrawlSettings

LABELS = {
    spec.key: spec.label
    for form in (
        forms.BUDGETS,
        forms.LIMITS,
        forms.POLITENESS,
        forms.REQUESTS,
        forms.SCOPE,
        forms.NORMALISE,
        forms.NOTIFY,
    )
    for spec in form
} | {"seeds.urls": "Seeds", "seeds.sitemaps": "Sitemaps", "scope.exclude": "Exclude", "scope.include": "Only include"}
LISTS = {
    "seeds.urls": "Seed {}",
    "seeds.sitemaps": "Sitemap {}",
    "seeds.feeds": "Feed {}",
    "seeds.archives": "Web archive {}",
    "seeds.files": "Seed file {}",
    "scope.exclude": "Exclude, pattern {}",
    "scope.include": "Only include, pattern {}",
}
RECORD_PARTS = {"name": "Name", "match": "On pages", "key": "Natural key", "rows": "Rows", "source": "Source"}
LISTED = re.compile(r"([a-z_.]+)\[(\d+)\](.*)", re.DOTALL)
FIELD = re.compile(r"fields\.?(?:\"([^\"]*)\"|([^.\[]*))")
KEYS = re.compile("|".join(re.escape(key) for key in sorted(LABELS, key=len, reverse=True)))
SHAPES = (
    (re.compile(r"Expected `str` of length >= 1"), "Something must be written here."),
    (re.compile(r"Expected `str` of length <= (\d+)"), r"At most \1 characters are allowed."),
    (
        re.compile(r"Expected `str` matching regex .*A-Za-z.*"),
        "It begins with a letter and holds letters, digits, - and _.",
    ),
    (re.compile(r"Expected `str` matching regex .*"), "It has at least one character and at most 100."),
    (re.compile(r"Expected `(?:int|float)` >= (\S+)"), r"It is at least \1."),
    (re.compile(r"Expected `(?:int|float)` <= (\S+)"), r"It is at most \1."),
)


def in_words(problem: Problem, settings: CrawlSettings) -> str:
    """Place and message in one sentence, as under the form."""
    place = place_words(problem.key, settings)
    message = message_words(problem.message)
    return f"{place}: {message}" if place else message


def message_words(message: str) -> str:
    """The message without keys and types."""
    for shape, words in SHAPES:
        found = shape.match(message)
        if found:
            return found.expand(words)
    return KEYS.sub(lambda found: f"“{LABELS[found.group()]}”", message)


def place_words(key: str, settings: CrawlSettings) -> str:
    """Where the window shows what that key names; for what has no field of its own, where its text is."""
    if key in LABELS:
        return LABELS[key]
    if key in {"seeds", "records"}:
        return {"seeds": "Seeds", "records": "Records"}[key]
    found = LISTED.fullmatch(key)
    if found and found.group(1) == "records":
        return _record_words(int(found.group(2)), found.group(3).lstrip("."), settings)
    if found and found.group(1) in LISTS:
        return LISTS[found.group(1)].format(int(found.group(2)) + 1)
    if found and found.group(1) in LABELS:
        return LABELS[found.group(1)]
    return f"All settings, {key}"


def _record_words(number: int, rest: str, settings: CrawlSettings) -> str:
    name = settings.records[number].name if number < len(settings.records) else ""
    kind = f"Record type “{name}”" if name else f"Record type {number + 1}"
    if rest in RECORD_PARTS:
        return f"{kind}, {RECORD_PARTS[rest]}"
    field = FIELD.match(rest)
    said = (field.group(1) or field.group(2)) if field else ""
    return f"{kind}, field “{said}”" if said else kind
