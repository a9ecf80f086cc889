"""From samples to the points that are drawn: gaps, a moving average, and no more points than pixels can show.

Pure functions on arrays. A gap is a NaN in y: the line is broken there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHORTEST_GAP = 15.0  # seconds of running without a sample; the engine writes one a second


def with_gaps(x: Floats, y: Floats, seconds: Floats) -> tuple[Floats, Floats]:
    """A NaN between two samples that lie much further apart than those around them."""
    if len(x) < 3:
        return x, y
    steps = np.diff(seconds)
    usual = np.maximum(np.concatenate((steps[:1], steps[:-1])), SHORTEST_GAP / 3)
    places = np.flatnonzero((steps > 3 * usual) & (steps > 3 * np.concatenate((steps[1:], [0.0])))) + 1
    if not len(places):
        return x, y
    return np.insert(x, places, x[places]), np.insert(y, places, np.nan)


def moving_average(y: Floats, width: int) -> Floats:
    """The mean of the `width` values around each, of fewer towards the ends; NaN stays NaN and counts for nothing."""
    if width < 2 or len(y) < 2:
        return y
    known = np.isfinite(y)
    sums = np.concatenate(([0.0], np.cumsum(np.where(known, y, 0.0))))
    counts = np.concatenate(([0], np.cumsum(known)))
    at = np.arange(len(y))
    half = np.minimum(width // 2, np.minimum(at, at[::-1]))
    low, high = at - half, at + half + 1
    number = np.maximum(counts[high] - counts[low], 1)
    return np.where(known, (sums[high] - sums[low]) / number, np.nan)


def visible_part(x: Floats, low: float, high: float) -> slice:
    """The samples in view and one beyond each edge, so that lines run out of the picture."""
    start = int(np.searchsorted(x, low)) - 1
    end = int(np.searchsorted(x, high, side="right")) + 1
    return slice(max(0, start), max(0, end))


def peaks(x: Floats, y: Floats, buckets: int) -> tuple[Floats, Floats]:
    """At most two points a bucket, the lowest and the highest, so that no peak is lost; a gap stays a gap."""
    if len(x) <= 2 * buckets:
        return x, y
    size = -(-len(x) // buckets)
    filled = np.concatenate((y, np.full(-len(y) % size, np.nan)))  # the last bucket is one like the others
    xs = np.repeat(x[::size], 2)
    xs[-1] = x[-1]  # the line ends at the newest sample
    return xs, np.column_stack(_extremes(filled.reshape(-1, size))).ravel()


def nearest(x: Floats, at: float) -> int:
    """The index of the sample nearest to `at`; x is sorted and not empty."""
    right = min(int(np.searchsorted(x, at)), len(x) - 1)
    left = max(0, right - 1)
    return left if at - x[left] < x[right] - at else right


def _extremes(rows: Floats) -> tuple[Floats, Floats]:
    """Lowest and highest of each row; NaN only where a row has nothing else."""
    known = np.isfinite(rows)
    some = known.any(axis=1)
    low = np.where(known, rows, np.inf).min(axis=1)
    high = np.where(known, rows, -np.inf).max(axis=1)
    return np.where(some, low, np.nan), np.where(some, high, np.nan)
