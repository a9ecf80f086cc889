"""Amounts with units as a person types and reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.setup.amount import LARGEST, Unit, WrongAmount, read_amount, show_amount

PAGES = Unit("count", "pages", unlimited=True)
SIZE = Unit("size", unlimited=True)
TIME = Unit("time", whole=False)


@given(st.sampled_from([PAGES, SIZE, TIME, Unit("count", "links"), Unit("size"), Unit("time")]), st.integers(0, 2**50))
def test_what_is_shown_reads_back_to_the_same_number(unit: Unit, value: int) -> None:
    assert read_amount(show_amount(value, unit), unit) == value


def test_amount_that_can_be_off_is_a_word_or_a_number() -> None:
    bits = Unit("count", "bits", largest=64, off=True)
    assert [show_amount(value, bits) for value in (-1, 0, 6)] == ["off", "0 bits", "6 bits"]
    assert [read_amount(text, bits) for text in ("off", "-1", "0", "6 bits")] == [-1, -1, 0, 6]
    with pytest.raises(WrongAmount, match="off"):
        read_amount("many", bits)


@given(st.floats(0, 86_400, allow_subnormal=False))
def test_fractions_of_seconds_survive(value: float) -> None:
    text = show_amount(value, TIME)
    if "e" not in text:
        assert read_amount(text, TIME) == pytest.approx(value)


@given(st.text(max_size=60))
def test_any_text_is_an_amount_or_a_clear_refusal(text: str) -> None:
    try:
        value = read_amount(text, SIZE)
    except WrongAmount:
        return
    assert 0 <= value <= LARGEST


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("4,000,000 pages", PAGES, 4_000_000),
        ("5k", PAGES, 5000),
        ("no limit", PAGES, 0),
        ("", PAGES, 0),
        ("150 GB", SIZE, 150_000_000_000),
        ("1.5 MB", SIZE, 1_500_000),
        ("2 KiB", SIZE, 2048),
        ("12 hours", TIME, 43_200),
        ("250 ms", TIME, 0.25),
    ],
)
def test_amounts_are_typed_as_people_write_them(text: str, unit: Unit, value: float) -> None:
    assert read_amount(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit"),
    [("many", PAGES), ("-5", PAGES), ("5 bananas", PAGES), ("1.5 pages", PAGES), ("5 GB", TIME), ("", TIME)],
)
def test_other_texts_are_refused(text: str, unit: Unit) -> None:
    with pytest.raises(WrongAmount):
        read_amount(text, unit)


def test_limits_are_named() -> None:
    with pytest.raises(WrongAmount, match="1 to 8,192"):
        read_amount("9000", Unit("count", "characters", smallest=1, largest=8192))
