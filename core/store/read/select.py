"""A table query as SQL: every value bound, blanks last whichever way it is sorted, numbers compared as numbers.

The shape is always two steps: the keys of the rows in their order (cheap to sort and to keep), then the cells of a
few of those rows. "contains" reads every row: about 150 ms a million.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.store.read.columns import NUMBERS, Column, TableQuery, TableSpec

if TYPE_CHECKING:
    from core.store.read.columns import Condition

Parameters = tuple[str | int | float, ...]
_TRUE = frozenset(("1", "true", "yes"))
_FALSE = frozenset(("0", "false", "no"))


@dataclass(frozen=True, slots=True)
class Sql:
    """A statement with its bound values."""

    text: str
    parameters: Parameters = ()


def columns_of(spec: TableSpec, query: TableQuery) -> tuple[Column, ...]:
    """The columns asked for; BadInput names one that is not there."""
    if not query.columns:
        return spec.columns
    return tuple(_known(spec, name) for name in query.columns)


def keys_in_order(spec: TableSpec, query: TableQuery) -> Sql:
    """The keys of all rows that are shown, in their order, as k0, k1, ..."""
    where = _where(spec, query)
    return Sql(f"SELECT {_keys(spec)} FROM {spec.base} {spec.joins}{where.text}{_order(spec, query)}", where.parameters)


def first_keys(spec: TableSpec, query: TableQuery, count: int, among: int) -> Sql:
    """The first `count` keys in order among the first `among` that match: exact where no more match, else a glimpse."""
    column, descends = _ordering(spec, query)
    names = ", ".join(_names(spec))
    if column is None:
        keys = keys_in_order(spec, query)
        return Sql(f"SELECT row_number() OVER () AS n, {names} FROM ({keys.text} LIMIT {count:d})", keys.parameters)
    where = _where(spec, query)
    source = f"{spec.base} {spec.joins}{where.text} LIMIT {among:d}"
    # MATERIALIZED, or the planner sorts the whole table before it cuts.
    found = f"WITH found AS MATERIALIZED (SELECT {_keys(spec)}, {_sort_value(column)} AS o FROM {source})"
    order = f"o {_direction(descends)}, {names}"
    numbered = f"SELECT row_number() OVER (ORDER BY {order}) AS n, {names} FROM found"
    return Sql(f"{found} {numbered} ORDER BY n LIMIT {count:d}", where.parameters)


def cells(spec: TableSpec, columns: tuple[Column, ...], rows: str, *, native: bool = False) -> str:
    """The numbered rows with keys and cells. `rows` is SQL for a table with the columns n, k0, k1, ..."""
    shown = ", ".join((native and column.native) or column.expression for column in columns)
    same = " AND ".join(f"{key} = s.{name}" for key, name in zip(spec.keys, _names(spec), strict=True))
    keys = ", ".join(f"s.{name}" for name in _names(spec))
    # CROSS JOIN keeps the planner from starting with the big table.
    return f"SELECT s.n, {keys}, {shown} FROM {rows} s CROSS JOIN {spec.base} {spec.joins} WHERE {same} ORDER BY s.n"


def count_newer(spec: TableSpec, query: TableQuery, than: float) -> Sql:
    """How many rows that match came after `than`."""
    where = _where(spec, query, f"{spec.arrival} > ?")
    return Sql(f"SELECT count(*) FROM {spec.base} {spec.joins}{where.text}", (than, *where.parameters))


def _names(spec: TableSpec) -> tuple[str, ...]:
    return tuple(f"k{number}" for number in range(len(spec.keys)))


def _keys(spec: TableSpec) -> str:
    return ", ".join(f"{key} AS {name}" for key, name in zip(spec.keys, _names(spec), strict=True))


def _where(spec: TableSpec, query: TableQuery, first: str = "") -> Sql:
    parts = [Sql(text) for text in (first, spec.fixed) if text]
    parts += [_condition(_known(spec, each.column), each) for each in query.conditions]
    if query.search and spec.searched:
        parts.append(_search(spec, query.search))
    if not parts:
        return Sql("")
    text = " AND ".join(f"({part.text})" for part in parts)
    return Sql(f" WHERE {text}", tuple(value for part in parts for value in part.parameters))


def _search(spec: TableSpec, search: str) -> Sql:
    columns = [_known(spec, name) for name in spec.searched]
    text = " OR ".join(f"{column.expression} LIKE ? ESCAPE '\\'" for column in columns)
    return Sql(text, (f"%{_escaped(search)}%",) * len(columns))


def _order(spec: TableSpec, query: TableQuery) -> str:
    column, descends = _ordering(spec, query)
    first = f"{_sort_value(column)} {_direction(descends)}, " if column else ""
    return f" ORDER BY {first}{', '.join(spec.keys)}"


def _ordering(spec: TableSpec, query: TableQuery) -> tuple[Column | None, bool]:
    if query.order is None:
        return None, False
    name, descends = query.order
    return _known(spec, name), descends


def _sort_value(column: Column) -> str:
    value = column.ordering or column.expression
    if column.kind in NUMBERS or column.kind in {"time", "flag"}:
        return value
    fold = " COLLATE NOCASE" if column.kind == "text" else ""
    return f"nullif({value}, ''){fold}"


def _direction(descends: bool) -> str:
    return "DESC NULLS LAST" if descends else "ASC NULLS LAST"


def _condition(column: Column, condition: Condition) -> Sql:
    value, expression = condition.value, column.expression
    if condition.op in {"contains", "starts"}:
        start = "%" if condition.op == "contains" else ""
        return Sql(f"{expression} LIKE ? ESCAPE '\\'", (f"{start}{_escaped(value)}%",))
    if not value and condition.op in {"=", "!="}:
        return Sql(f"coalesce({expression}, '') {condition.op} ''")
    low, high = _bounds(column, value)
    if condition.op == "<":
        return Sql(f"{expression} < ?", (low,))
    if condition.op == ">":
        return Sql(f"{expression} > ?", (high,))
    return _equal(expression, low, high, negated=condition.op == "!=")


def _equal(expression: str, low: str | float, high: str | float, *, negated: bool) -> Sql:
    """Between the bounds: a day is all its seconds. A blank cell is unequal to everything."""
    if low == high:
        return Sql(f"{expression} IS {'NOT ' if negated else ''}?", (low,))
    within = f"coalesce({expression} BETWEEN ? AND ?, 0)"
    return Sql(f"NOT {within}" if negated else within, (low, high))


def _bounds(column: Column, value: str) -> tuple[str | float, str | float]:
    """The first and the last value that a person means by this text, in the column's kind."""
    if column.kind == "time":
        return _moment(column, value)
    if column.kind == "flag":
        flag = _flag(column, value)
        return flag, flag
    if column.kind in NUMBERS:
        number = _number(column, value)
        return number, number
    return value, value


def _number(column: Column, value: str) -> float:
    for kind in (int, float):
        try:
            number = kind(value)
        except ValueError:
            continue
        if abs(number) < 2**63:
            return number
    raise BadInput(f"{column.name} is a number, and “{value}” is none.", "Write it like 404 or 1.5.")


def _flag(column: Column, value: str) -> int:
    word = value.lower()
    if word not in _TRUE | _FALSE:
        raise BadInput(f"{column.name} is yes or no, and “{value}” is neither.", "Write true or false.")
    return int(word in _TRUE)


def _moment(column: Column, value: str) -> tuple[float, float]:
    try:
        moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        raise BadInput(
            f"{column.name} is a time, and “{value}” is none.", "Write it like 2027-01-31 or 2027-01-31T06:30:00Z."
        ) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    length = timedelta(days=1) if len(value) <= len("2027-01-31") else timedelta(seconds=1)
    start = moment.timestamp()
    return start, start + length.total_seconds() - 0.000_001


def _known(spec: TableSpec, name: str) -> Column:
    column = spec.column(name)
    if column is None:
        names = ", ".join(each.name for each in spec.columns)
        raise BadInput(f"The table {spec.name} has no column “{name}”.", f"It has: {names}.")
    return column


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
