"""What a table of the window and of an export is made of: columns, and the question put to them.

Values only. The tables themselves are in tables.py, their SQL is made in select.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "bytes", "seconds", "time", "state", "hash", "url", "flag"]
Operator = Literal["=", "!=", "<", ">", "contains", "starts"]

NUMBERS: frozenset[str] = frozenset(("number", "bytes", "seconds"))

Cell = str | int | float | None
"""What a table holds: times are seconds since the epoch, flags 0 or 1, an unknown value is None."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `name` is stable (exports, filters, kept layouts), `title` is for people.

    `expression` is its SQL over the table's aliases. `native` is SQL that gives JSON text, where a cell is more than
    one plain value, `ordering` SQL to sort by; empty: the expression serves. `width` is a hint in pixels.
    """

    name: str
    title: str
    kind: Kind
    expression: str
    visible: bool = True
    width: int = 100
    native: str = ""
    ordering: str = ""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table: `base` is the table whose rows are counted, `joins` what its columns need, `keys` what names a row.

    Joins are LEFT JOINs over unique keys, so that SQLite leaves out those a question does not use. `fixed` is a
    condition that always holds. A row is newer than a snapshot when `arrival` is over what `latest` gave then. `made`:
    the base is a temporary table, which the Snapshot makes first.
    """

    name: str
    title: str
    base: str
    joins: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]
    searched: tuple[str, ...]
    latest: str
    arrival: str
    fixed: str = ""
    made: bool = False

    def column(self, name: str) -> Column | None:
        """The column of that name."""
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True, slots=True)
class Condition:
    """`column op value`; the value is text, and is read by the kind of the column. An empty value means blank."""

    column: str
    op: Operator
    value: str


@dataclass(frozen=True, slots=True)
class TableQuery:
    """What is shown of a table: the rows that hold `search` somewhere and meet every condition, in this order.

    `order` is a column's name and whether it descends; None is the order of arrival. No `columns` means all.
    """

    table: str
    search: str = ""
    conditions: tuple[Condition, ...] = ()
    order: tuple[str, bool] | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row as it is shown: `key` names it (for details), `cells` are in the order of the columns."""

    key: tuple[Cell, ...]
    cells: tuple[Cell, ...]
