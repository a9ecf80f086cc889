"""The two axes of a chart: running time or pages below, short numbers at the left."""

from __future__ import annotations

import pyqtgraph as pg
import PySide6  # noqa: F401  # pyqtgraph takes the binding that is imported first

STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
MOST_TICKS = 6


class RunningAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Seconds of running as 5:00 or 1:30:00; or plain numbers of pages."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.enableAutoSIPrefix(False)
        self.pages = False

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        if self.pages:
            return [level for level in super().tickSpacing(low, high, size) if level[0] >= 1][:1] or [(1, 0)]
        wanted = max(high - low, 1) / MOST_TICKS
        step = next((step for step in STEPS if step >= wanted), 0) or -(-wanted // 86_400) * 86_400
        return [(step, 0)]

    def tickStrings(self, values: list[float], _scale: float, _spacing: float) -> list[str]:
        return [short_number(value) if self.pages else running_time(value) for value in values]


class ValueAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Values as 1.5 M, of a fixed width, so that charts above one another stand in line."""

    def __init__(self) -> None:
        super().__init__("left")
        self.enableAutoSIPrefix(False)
        self.setWidth(48)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        return [max(super().tickSpacing(low, high, min(size, 130)), key=lambda level: level[0])]

    def tickStrings(self, values: list[float], _scale: float, _spacing: float) -> list[str]:
        return [short_number(value) for value in values]


def running_time(seconds: float) -> str:
    """5400 -> "1:30:00", 90 -> "1:30"."""
    whole = round(seconds)
    sign = "-" if whole < 0 else ""
    hours, minutes, rest = abs(whole) // 3600, abs(whole) // 60 % 60, abs(whole) % 60
    return f"{sign}{hours}:{minutes:02}:{rest:02}" if hours else f"{sign}{minutes}:{rest:02}"


def short_number(value: float) -> str:
    """1500000 -> "1.5 M"."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= limit:
            return f"{value / limit:.4g}{unit}"
    return f"{value:.4g}"
