"""A cell as a person reads it, and the tone it is shown in. Pure functions; texts come out harmless and short."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from core.export.cells import neutralised
from core.store.read.columns import NUMBERS
from gui.figures import NOTHING
from gui.foreign_text import shown

if TYPE_CHECKING:
    from core.store.read.columns import Cell, Column

PLAIN_NUMBERS = frozenset(("status", "target_status", "run", "depth", "priority", "version"))
BAD_WORDS = frozenset(("failed", "gone", "error", "unreachable", "disallow"))
WARNING_WORDS = frozenset(("waiting", "held", "blocked", "warning"))
HYPHEN = "\u2010"  # tabular figures give the ASCII one the width of a figure
QUIET = frozenset(("hash", "time"))


def cell_text(column: Column, value: Cell, *, local: bool = False) -> str:
    """What stands in the cell; a blank is a dash where a number or a time is missing."""
    if column.kind == "flag":
        return "yes" if value else ""
    if value is None or value == "":
        return _blank(column)
    if isinstance(value, str):
        return shown(value.capitalize() if column.kind == "state" else value)
    if column.kind == "time":
        return moment_text(value, local=local).replace("-", HYPHEN)
    if column.kind == "seconds":
        return seconds_text(value)
    if isinstance(value, int):
        return str(value) if column.name in PLAIN_NUMBERS else f"{value:,}"
    return f"{value:,.6g}" if abs(value) < 100_000 else f"{value:,.0f}"


def copied_text(column: Column, value: Cell, *, local: bool = False) -> str:
    """What is put on the clipboard: numbers without separators, texts whole and on one line."""
    if value is None:
        return ""
    if column.kind == "time" and not isinstance(value, str):
        return moment_text(value, local=local)
    return " ".join(str(value).splitlines()).replace("\t", " ")


def pasted_text(column: Column, value: Cell, *, local: bool = False) -> str:
    """A cell of copied rows, which are mostly pasted into a spreadsheet: no text of a page runs there as a formula."""
    text = copied_text(column, value, local=local)
    return neutralised(text) if isinstance(value, str) else text


def tone(column: Column, value: Cell) -> str:
    """The token the text is painted in: colour is for state only."""
    if value is None or value == "":
        return "faint"
    if column.name in {"status", "target_status"} and isinstance(value, int):
        return "bad" if value >= 400 else "warning" if value >= 300 else "text"
    if column.kind == "state":
        return "bad" if value in BAD_WORDS else "warning" if value in WARNING_WORDS else "muted"
    return "muted" if column.kind in QUIET else "text"


def at_right(column: Column) -> bool:
    """Whether cells and header stand at the right edge."""
    return column.kind in NUMBERS


def moment_text(at: float, *, local: bool = False) -> str:
    """A time to the second, in UTC or in this machine's zone."""
    try:
        moment = datetime.fromtimestamp(at, UTC)
        return f"{moment.astimezone() if local else moment:%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return NOTHING


def seconds_text(value: float) -> str:
    """0.108 -> "108 ms", 12.34 -> "12.3 s"."""
    if abs(value) < 1:
        return f"{value * 1000:.0f} ms"
    return f"{value:.1f} s" if abs(value) < 100 else f"{value:,.0f} s"


def _blank(column: Column) -> str:
    if column.name == "state":
        return "OK"  # a host without a remark
    return NOTHING if column.kind in NUMBERS or column.kind in {"time", "text"} else ""
