"""Samples and the points drawn from them: bounded, with gaps, no peak lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.rows import SampleRow
from gui.charts.axes import running_time, short_number
from gui.charts.curve import moving_average, nearest, peaks, visible_part, with_gaps
from gui.charts.samples import COLUMNS, Samples, array_of, trend


def rows(count: int, start: int = 1) -> np.ndarray:
    ids = np.arange(start, start + count, dtype=np.float64)
    return np.column_stack([ids] * len(COLUMNS))


def test_a_day_at_one_sample_a_second_keeps_memory_flat() -> None:
    samples = Samples(most=8192)
    for start in range(1, 86_400, 60):
        samples.extend(rows(60, start))
    assert len(samples) <= 8192
    assert samples.capacity <= 8192
    ids = samples.column("id")
    assert (np.diff(ids) > 0).all()
    assert ids[-1] == samples.last_id == 86_400
    assert ids[0] == 1


def test_a_long_file_is_taken_whole_but_thinned() -> None:
    samples = Samples(most=1000)
    samples.extend(rows(50_000))
    assert len(samples) <= 1000
    assert samples.last_id == 50_000


def test_the_recent_past_stays_fine() -> None:
    samples = Samples(most=1000)
    samples.extend(rows(5000))
    assert (np.diff(samples.column("id"))[-100:] == 1).all()


def test_an_unknown_ratio_is_no_number() -> None:
    plain = dict.fromkeys(SampleRow.__slots__, 1)
    found = array_of([SampleRow(**{**plain, "discovery_ratio": None})])  # type: ignore[arg-type]
    assert np.isnan(found[0, COLUMNS.index("discovery_ratio")])
    assert found[0, COLUMNS.index("frontier")] == 1


def test_no_rows_are_an_empty_table() -> None:
    assert array_of([]).shape == (0, len(COLUMNS))


def test_trend_is_the_change_a_second() -> None:
    samples = Samples()
    assert trend(samples, "frontier", 60) is None
    samples.extend(rows(100) * 2)
    assert trend(samples, "frontier", 60) == pytest.approx(1.0)


def test_a_pause_is_drawn_as_a_gap() -> None:
    seconds = np.array([0.0, 1, 2, 100, 101, 102])
    x, y = with_gaps(seconds, seconds.copy(), seconds)
    assert len(x) == 7
    assert np.isnan(y[3])
    assert x[3] == 100


def test_thinned_samples_of_the_past_are_no_gap() -> None:
    seconds = np.concatenate((np.arange(0, 3000, 300), np.arange(3000, 3600, 10), np.arange(3600, 3700))).astype(float)
    _, y = with_gaps(seconds, seconds.copy(), seconds)
    assert np.isfinite(y).all()


def test_moving_average_leaves_unknown_values_out() -> None:
    y = np.array([1.0, np.nan, 3.0])
    assert moving_average(y, 3).tolist()[::2] == [1.0, 3.0]
    assert np.isnan(moving_average(y, 3)[1])


@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=400), st.integers(1, 50))
def test_thinning_keeps_lowest_and_highest_and_bounds_the_points(values: list[float | None], buckets: int) -> None:
    y = np.array([np.nan if value is None else value for value in values])
    x = np.arange(len(y), dtype=np.float64)
    xs, ys = peaks(x, y, buckets)
    assert len(xs) == len(ys) <= 2 * buckets
    assert xs[-1] == x[-1]
    assert (np.diff(xs) >= 0).all()
    if np.isfinite(y).any():
        assert np.nanmin(ys) == np.nanmin(y)
        assert np.nanmax(ys) == np.nanmax(y)
    else:
        assert np.isnan(ys).all()


def test_moving_average_begins_and_ends_with_the_values_themselves() -> None:
    y = np.array([9.0, 1.0, 2.0, 3.0, 7.0])
    assert moving_average(y, 15).tolist() == [9.0, 4.0, 4.4, 4.0, 7.0]


def test_the_visible_part_reaches_one_sample_beyond_each_edge() -> None:
    assert visible_part(np.arange(10.0), 3.5, 5.5) == slice(3, 7)
    assert visible_part(np.arange(10.0), -5, 50) == slice(0, 11)


def test_nearest_sample() -> None:
    x = np.array([0.0, 10.0, 20.0])
    assert [nearest(x, at) for at in (-5, 4, 6, 14, 99)] == [0, 0, 1, 1, 2]


def test_axis_words() -> None:
    assert running_time(90) == "1:30"
    assert running_time(5400) == "1:30:00"
    assert short_number(1_500_000) == "1.5 M"
    assert short_number(0.25) == "0.25"
