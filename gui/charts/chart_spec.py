"""The charts of the dashboard: one line each. One more chart is one more line here and its column in the samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gui import figures

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """`column` of the samples, multiplied by `scale` for the axis; `say` writes one value for a person.

    `smooth` is the width of the moving average in samples, 1 for none.
    """

    column: str
    title: str
    unit: str
    series: int
    scale: float
    smooth: int
    say: Callable[[float], str]


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _whole(value: float) -> str:
    return figures.count(round(value))


CHARTS: tuple[ChartSpec, ...] = (
    ChartSpec("frontier", "Frontier size", "URLs", 0, 1.0, 1, _whole),
    ChartSpec("discovery_ratio", "Discovery ratio", "new URLs per page", 1, 1.0, 15, _ratio),
    ChartSpec("duplicate_rate", "Duplicate rate", "% of links already known", 2, 100.0, 15, figures.percent),
    ChartSpec("bytes_per_useful_page", "Bytes per useful page", "kB", 3, 0.001, 15, figures.size),
)
