"""What is told about a cast: that a text means two things, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.extract import CASTS
from core.extract.dates import readings
from core.extract.doubts import doubt

DOUBTS = [
    ("date", "03/12/2026", "2026-12-03 or 2026-03-12"),
    ("date", "03/12/2026 10:00", "2026-12-03 or 2026-03-12"),
    ("date", "soon", "no date"),
    ("date", "It was published on the " + "12th of March " * 9, "too long"),
    ("number", "1.299", "1.299, with decimals"),
    ("number", "1,299", "1,299: a comma"),
    ("number", "none", "No number"),
    ("money", "1.299 €", "1,299: a separator"),
    ("money", "1 299,50", "No currency"),
    ("money", "free", "No amount"),
]
CLEAR = [
    ("date", "12/12/2026"),
    ("date", "25/12/2026"),
    ("date", "12. März 2026"),
    ("number", "1,299.50"),
    ("number", "12,5"),
    ("money", "1.299,50 €"),
    ("money", "CHF 1'299.50"),
    ("text", "03/12/2026"),
    ("list", "03/12/2026"),
    ("date", "  "),
]


@pytest.mark.parametrize(("cast", "text", "said"), DOUBTS)
def test_a_text_that_is_read_in_two_ways_or_none_is_told(cast: str, text: str, said: str) -> None:
    assert said in doubt(cast, text)


@pytest.mark.parametrize(("cast", "text"), CLEAR)
def test_a_clear_text_needs_no_word(cast: str, text: str) -> None:
    assert doubt(cast, text) == ""


def test_both_days_of_a_torn_date_are_real() -> None:
    assert readings("03/12/2026") == ("2026-12-03", "2026-03-12")
    assert readings("03/03/2026") is None
    assert readings("13/12/2026") is None
    assert readings("00/12/2026") is None


@given(st.sampled_from(sorted(CASTS)), st.text(max_size=100) | st.text("0123456789.,/-: €", max_size=40))
def test_a_date_without_a_value_is_never_silent_and_nothing_raises(cast: str, text: str) -> None:
    said = doubt(cast, text)
    if cast in ("date", "number", "money") and text.strip() and CASTS[cast]([text]) is None:
        assert said or not " ".join(text.split())
