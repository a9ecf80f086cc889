from __future__ import annotations

import pytest

from gui import figures


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (41_800_000_000, "41.8 GB")]
)
def test_sizes_have_three_figures(value: float | None, text: str) -> None:
    assert figures.size(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (125, "2 min 5 s"), (9660, "2 h 41 min"), (90_000, "1 d 1 h")]
)
def test_spans_name_the_two_largest_units(seconds: float, text: str) -> None:
    assert figures.span(seconds) == text


def test_a_time_that_went_backwards_is_no_negative_span() -> None:
    assert figures.span(-3) == "0 s"


def test_today_needs_no_date_and_another_day_does() -> None:
    noon = 1_700_000_000.0
    assert figures.since(noon, noon + 60) == "22:13 UTC"
    assert figures.since(noon, noon + 90_000) == "14 Nov 2023 22:13 UTC"


def test_what_is_not_there_is_no_zero() -> None:
    assert {figures.count(None), figures.percent(None), figures.span(None), figures.clock(None)} == {figures.NOTHING}
