"""The samples of one crawl as arrays, of bounded size however long it runs.

Arrays grow by doubling. At `most` rows the older half loses every second row, so that the recent past stays fine
and memory stays flat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.store.rows import SampleRow

    Floats = NDArray[np.float64]

COLUMNS = ("id", "at", "elapsed", "pages", "frontier", "discovery_ratio", "duplicate_rate", "bytes_per_useful_page")
MOST = 65_536
FIRST = 1024


def array_of(rows: Iterable[SampleRow]) -> Floats:
    """Sample rows as one array with a column for each of COLUMNS; None is NaN."""
    table = [[getattr(row, name) for name in COLUMNS] for row in rows]
    return np.array(table, dtype=np.float64).reshape(len(table), len(COLUMNS))


class Samples:
    """What the charts draw; rows are in the order of their time."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._rows: Floats = np.empty((FIRST, len(COLUMNS)))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def capacity(self) -> int:
        """Rows that memory is held for."""
        return len(self._rows)

    @property
    def last_id(self) -> int:
        return int(self.column("id")[-1]) if self._count else 0

    def column(self, name: str) -> Floats:
        """A view of one column; valid until the next `extend`."""
        column: Floats = self._rows[: self._count, COLUMNS.index(name)]
        return column

    def extend(self, rows: Floats) -> None:
        """Add rows that are newer than all others."""
        for start in range(0, len(rows), self._most // 4):
            self._append(rows[start : start + self._most // 4])

    def _append(self, rows: Floats) -> None:
        if self._count + len(rows) > self._most:
            self._thin()
        wanted = self._count + len(rows)
        if wanted > len(self._rows):
            grown = np.empty((min(self._most, max(wanted, 2 * len(self._rows))), len(COLUMNS)))
            grown[: self._count] = self._rows[: self._count]
            self._rows = grown
        self._rows[self._count : wanted] = rows
        self._count = wanted

    def _thin(self) -> None:
        half = self._count // 2
        kept = np.concatenate((self._rows[:half:2], self._rows[half : self._count]))
        self._count = len(kept)
        self._rows[: self._count] = kept


def trend(samples: Samples, name: str, seconds: float) -> float | None:
    """The slope, a second, of the line through the last `seconds` of running; None while there are too few samples.

    A line through all of them (least squares) does not change its sign with one sample that stands out.
    """
    elapsed, values = samples.column("elapsed"), samples.column(name)
    first = int(np.searchsorted(elapsed, elapsed[-1] - seconds)) if len(samples) else 0
    x, y = elapsed[first:] - elapsed[first:].mean() if len(samples) else elapsed, values[first:]
    width = float(x @ x)
    if len(x) < 2 or width <= 0 or not np.isfinite(y).all():
        return None
    return float(x @ (y - y.mean()) / width)
