"""The columns of the records table: one for each field that the analyst declared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.store.read.columns import Column, Kind

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from core.settings import RecordType


def field_columns(types: tuple[RecordType, ...], taken: AbstractSet[str]) -> tuple[Column, ...]:
    """A column per field name, in the order of declaration; two types that share a name share the column.

    A field named like a column of the table (`url`) is called `field.url`.
    """
    casts: dict[str, str] = {}
    for record_type in types:
        for name, rule in record_type.fields.items():
            casts.setdefault(name, rule.cast)
    return tuple(_column(name, cast, f"field.{name}" if name in taken else name) for name, cast in casts.items())


def cell_text(value: str | None) -> str | int | float | None:
    """JSON text as it stands in a cell: lists joined by `; `, money as number and currency, null as blank."""
    return None if value is None else _plain(json.loads(value))


def _column(name: str, cast: str, stable: str) -> Column:
    path = _path(name)
    value = f"r.data -> {path}"
    plain = f"r.data ->> {path}"
    if cast == "money":
        amount = f"coalesce(r.data ->> {_path(name, 'amount')}, r.data ->> {_path(name, 'value')}, {plain})"
        return Column(
            stable, name, "text", f"cell_text({value})", width=140, ordering=f"CAST({amount} AS REAL)", native=value
        )
    kind: Kind = "number" if cast == "number" else "text"
    return Column(stable, name, kind, f"cell_text({value})" if cast == "list" else plain, width=140, native=value)


def _path(*names: str) -> str:
    """A JSON path as an SQL literal."""
    return _literal("$" + "".join(f".{json.dumps(name, ensure_ascii=False)}" for name in names))


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _plain(value: object) -> str | int | float | None:
    match value:
        case bool():
            return "true" if value else "false"
        case None | str() | int() | float():
            return value
        case list():
            return "; ".join(str(_plain(item)) for item in value if item is not None)
        case {"amount": amount, "currency": currency} | {"value": amount, "currency": currency}:
            return f"{amount} {currency}" if currency else _plain(amount)
    return json.dumps(value, ensure_ascii=False)
