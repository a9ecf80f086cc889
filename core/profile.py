"""The settings file (TOML): read with every problem at once, written so that it reads back equal.

Reading names, for each problem, the dotted key, the line, and what is allowed; a misspelt key is answered with the
nearest known one. Writing is deterministic and holds only what differs from the defaults.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from core.errors import Problem, SettingsError
from core.profile_dates import with_possible_dates
from core.profile_lines import below, key_lines, line_of, nearest_line
from core.salvage import salvaged
from core.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Reading", "line_of", "read_profile", "readable_profile", "write_profile"]

LONGEST_FILE = 10_000_000  # characters
HEAD = "# A Fronteira profile. Only what differs from the defaults is written.\n"
_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")
_SECRETS = frozenset(("password", "value"))
_WIDE = 100


@dataclass(frozen=True, slots=True)
class Reading:
    """A profile as far as it can be read. With `problems`, `settings` are for further checks only, or None."""

    settings: CrawlSettings | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]


def read_profile(text: str) -> tuple[CrawlSettings, list[Problem]]:
    """The settings of a profile, and what is worth a warning; raises SettingsError with every problem."""
    reading = readable_profile(text)
    if reading.problems or reading.settings is None:
        raise SettingsError(reading.problems)
    return reading.settings, list(reading.warnings)


def readable_profile(text: str) -> Reading:
    """What can be read of a profile, and every problem; raises SettingsError for what is no TOML at all."""
    content, dates = _parsed(text.removeprefix("\ufeff"))
    shape = list(_shape_problems(content, inspect.type_info(CrawlSettings), ""))
    lines = key_lines(text)
    problems = (*dates, *(replace(problem, line=nearest_line(lines, problem.key)) for problem in shape))
    warnings = tuple(replace(warning, line=nearest_line(lines, warning.key)) for warning in _doubled(content, ""))
    settings = salvaged(content, shape) if shape else msgspec.convert(content, CrawlSettings)
    return Reading(settings, problems, warnings)


def write_profile(settings: CrawlSettings) -> str:
    """The profile of these settings."""
    parts = [HEAD]
    changed = dict(_changed(settings))
    top = [f"{name} = {_value(value)}\n" for name, value in changed.items() if isinstance(value, str)]
    parts += ["\n", *top] if top else []
    for name, value in changed.items():
        if isinstance(value, Struct):
            parts += [f"\n[{name}]\n", *_lines(value)]
    for record in settings.records:
        parts += ["\n[[records]]\n", *_lines(record, without="fields")]
        if record.fields:
            parts += [
                "[records.fields]\n",
                *(f"{_key(name)} = {_value(rule)}\n" for name, rule in record.fields.items()),
            ]
    return "".join(parts)


def _parsed(text: str) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """The content, and the dates in it that the calendar does not know: TOML's own readers call them bad syntax."""
    try:
        return _loaded(text), ()
    except SettingsError:
        possible, dates = with_possible_dates(text)
        if not dates:
            raise
        return _loaded(possible), dates


def _loaded(text: str) -> dict[str, Any]:
    if len(text) > LONGEST_FILE:
        raise SettingsError((Problem("TOML", f"The file is longer than {LONGEST_FILE:,} characters."),))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError((Problem("TOML", "The file nests lists or tables too deeply."),)) from None
    except ValueError as error:
        found = _LINE.search(str(error))
        line = int(found.group(1)) if found else text.count("\n") + 1
        message = _LINE.sub("", str(error)).removesuffix(" (at end of document)")
        raise SettingsError((Problem("TOML", f"This is not valid TOML: {message}.", line),)) from None


def _shape_problems(value: Any, kind: inspect.Type, key: str) -> Iterator[Problem]:
    """Everything in `value` that is not of its kind."""
    if isinstance(kind, inspect.StructType) and isinstance(value, dict):
        yield from _table_problems(value, kind, key)
    elif isinstance(kind, inspect.VarTupleType) and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _shape_problems(item, kind.item_type, f"{key}[{number}]")
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        for name, item in value.items():
            yield from _leaf_problems(name, kind.key_type, below(key, name), what=f"The name “{name}”")
            yield from _shape_problems(item, kind.value_type, below(key, name))
    else:
        yield from _leaf_problems(value, kind, key, what=_shown(value, key))


def _table_problems(table: dict[str, Any], kind: inspect.StructType, key: str) -> Iterator[Problem]:
    known = {field.name: field for field in kind.fields}
    for name, value in table.items():
        if name in known:
            yield from _shape_problems(value, known[name].type, below(key, name))
        else:
            yield Problem(below(key, name), f"There is no such key. {_nearest_name(name, list(known), key)}")
    for name, field in known.items():
        if field.required and name not in table:
            yield Problem(below(key, name), f"This key is missing; it holds {_allowed(field.type)}.")


def _leaf_problems(value: Any, kind: inspect.Type, key: str, *, what: str) -> Iterator[Problem]:
    try:
        msgspec.convert(value, _python_type(kind))
    except (msgspec.ValidationError, OverflowError):
        yield Problem(key, f"{what} is not allowed; allowed is {_allowed(kind)}.")


def _python_type(kind: inspect.Type) -> Any:
    """The annotation an inspected leaf came from, its bounds included."""
    if isinstance(kind, inspect.StructType):
        return kind.cls
    if isinstance(kind, inspect.UnionType):
        return _union([_python_type(part) for part in kind.types])
    if isinstance(kind, inspect.VarTupleType):
        return tuple[_python_type(kind.item_type), ...]  # type: ignore[misc]  # a type made at run time
    if isinstance(kind, inspect.LiteralType):
        return _literal(kind.values)
    base, bounds = _BASES[type(kind)]
    given = {name: getattr(kind, name) for name in bounds if getattr(kind, name) is not None}
    return _annotated(base, msgspec.Meta(**given)) if given else base


def _union(parts: list[Any]) -> Any:
    made = parts[0]
    for part in parts[1:]:
        made = made | part
    return made


def _literal(values: tuple[Any, ...]) -> Any:
    from typing import Literal

    return Literal.__getitem__(values)


def _annotated(base: type, bounds: msgspec.Meta) -> Any:
    from typing import Annotated

    return Annotated[base, bounds]


_NUMERIC = ("gt", "ge", "lt", "le")
_BASES: dict[type, tuple[type, tuple[str, ...]]] = {
    inspect.BoolType: (bool, ()),
    inspect.IntType: (int, _NUMERIC),
    inspect.FloatType: (float, _NUMERIC),
    inspect.StrType: (str, ("min_length", "max_length", "pattern")),
    inspect.DateType: (date, ()),
    inspect.DictType: (dict, ()),
}


def _allowed(kind: inspect.Type) -> str:
    """What a value of this kind may be, in words."""
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType() | inspect.FloatType():
            return ("a whole number" if isinstance(kind, inspect.IntType) else "a number") + _range(kind)
        case inspect.LiteralType():
            return "one of " + ", ".join(f'"{value}"' for value in kind.values)
        case inspect.DateType():
            return "a date such as 2027-01-31 (without quotes)"
        case inspect.StrType():
            return "a text in quotes" + _text_bounds(kind)
        case inspect.VarTupleType():
            return f"a list in brackets, each item {_allowed(kind.item_type)}"
        case inspect.StructType():
            return "a table with the keys " + ", ".join(field.name for field in kind.fields)
        case inspect.UnionType():
            return ", or ".join(_allowed(part) for part in kind.types)
        case _:
            return "a table"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    words = (("above", kind.gt), ("from", kind.ge), ("below", kind.lt), ("to", kind.le))
    return "".join(f" {word} {bound}" for word, bound in words if bound is not None)


def _text_bounds(kind: inspect.StrType) -> str:
    if kind.pattern is not None:
        return f" that matches {kind.pattern}"
    if kind.min_length is None:
        return ""
    return f" of {kind.min_length} to {kind.max_length} characters"


def _nearest_name(name: str, known: list[str], key: str) -> str:
    close = get_close_matches(name, known, n=1)
    if close:
        return f"Did you mean {below(key, close[0])}?"
    for section in msgspec.structs.fields(CrawlSettings):
        inner = inspect.type_info(section.type)
        if isinstance(inner, inspect.StructType) and name in {field.name for field in inner.fields}:
            return f"Did you mean {section.name}.{name}?"
    return f"Known here: {', '.join(known)}."


def _shown(value: Any, key: str) -> str:
    """The value for a message; never one that may be a secret."""
    if key.rpartition(".")[2] in _SECRETS:
        return "This value"
    if isinstance(value, dict | list):
        return "A table" if isinstance(value, dict) else "A list"
    text = _value(value) if isinstance(value, str | int | float | date) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _doubled(value: Any, key: str) -> Iterator[Problem]:
    """Texts that one list names twice: harmless, but seldom meant."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _doubled(inner, below(key, name))
    elif isinstance(value, list):
        seen: set[str] = set()
        for number, item in enumerate(value):
            if isinstance(item, str) and item in seen:
                yield Problem(f"{key}[{number}]", f"{_shown(item, key)} stands in this list already.")
            elif isinstance(item, str):
                seen.add(item)
            yield from _doubled(item, f"{key}[{number}]")


def _changed(section: Struct) -> Iterator[tuple[str, Any]]:
    """The fields that differ from their defaults, in the order of their declaration."""
    for field in msgspec.structs.fields(section):
        value = getattr(section, field.name)
        default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        if field.required or value != default:
            yield field.name, value


def _lines(section: Struct, without: str = "") -> Iterator[str]:
    for name, value in _changed(section):
        if name != without:
            yield f"{name} = {_wide(value)}\n"


def _wide(value: Any) -> str:
    """A long list one item a line."""
    text = _value(value)
    if not isinstance(value, tuple) or len(value) < 2 or len(text) <= _WIDE:
        return text
    return "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(map(_character, value)) + '"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Struct):
        return _inline(dict(_changed(value)))
    if isinstance(value, dict):
        return _inline(value)
    return value.isoformat() if isinstance(value, date) else repr(value)


def _inline(table: dict[str, Any]) -> str:
    return "{" + ", ".join(f"{_key(name)} = {_value(value)}" for name, value in table.items()) + "}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _character(character: str) -> str:
    code = ord(character)
    if character in {'"', "\\"}:
        return "\\" + character
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"  # half a character cannot stand in a file
    return f"\\u{code:04X}" if code < 0x20 or code == 0x7F else character
