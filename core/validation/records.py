"""Whether record types can be read: names, keys that are fields, exactly one rule a field, rules that compile."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from core.errors import Problem
from core.settings import WAYS_TO_READ

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.settings import FieldRule, RecordType


def record_errors(records: tuple[RecordType, ...]) -> Iterator[Problem]:
    """What is wrong with names, keys, fields and rules."""
    names = Counter(kind.name for kind in records)
    unclear: set[str] = set()
    for number, kind in enumerate(records):
        key = f"records[{number}]"
        if names[kind.name] > 1:
            yield Problem(f"{key}.name", f"Two record types are called “{kind.name}”; each name is allowed once.")
        if not kind.fields:
            yield Problem(f"{key}.fields", "The record type has no field; at least one is needed.")
        for name, rule in kind.fields.items():
            for problem in _rule_errors(f"{key}.fields.{name}", rule):
                unclear.add(f"{key}.fields.{name}.")
                yield problem
        yield from _key_errors(key, kind)
    if records:
        yield from _selector_errors(records, tuple(unclear))


def _rule_errors(key: str, rule: FieldRule) -> Iterator[Problem]:
    if len(rule.ways) != 1:
        found = " and ".join(rule.ways) if rule.ways else "none of them"
        yield Problem(key, f"A field is read by exactly one of {', '.join(WAYS_TO_READ)}; here stands {found}.")


def _key_errors(key: str, kind: RecordType) -> Iterator[Problem]:
    for name in kind.key_fields:
        if name not in kind.fields:
            known = ", ".join(kind.fields) or "none yet"
            yield Problem(f"{key}.key", f"“{name}” is no field of this record type; its fields are: {known}.")
    if kind.rows and not kind.key_fields:
        yield Problem(f"{key}.key", "A page with many rows needs a key that tells them apart: name one or more fields.")
    if len(set(kind.key_fields)) < len(kind.key_fields):
        yield Problem(f"{key}.key", "A field is named twice; each is allowed once.")


def _selector_errors(records: tuple[RecordType, ...], unclear: tuple[str, ...]) -> Iterator[Problem]:
    from core.extract import problems  # brings the HTML parser, which only crawls with records need here

    return (problem for problem in problems(records) if not problem.key.startswith(unclear))


def field_warnings(records: tuple[RecordType, ...]) -> Iterator[Problem]:
    """What is allowed and has no effect."""
    for number, kind in enumerate(records):
        for name, rule in kind.fields.items():
            if rule.unordered and rule.cast != "list":
                yield Problem(
                    f"records[{number}].fields.{name}.unordered", 'This has an effect only with cast = "list".'
                )
