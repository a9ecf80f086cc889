from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gui.foreign_text import DIRECTION, LONGEST, shown, tooltip


@given(st.text())
def test_no_control_or_direction_character_is_left(text: str) -> None:
    assert all((c == " " or c.isprintable()) and c not in DIRECTION for c in shown(text))


@given(st.text(alphabet=st.characters(categories=("L", "N")), max_size=LONGEST))
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert shown(text) == text


def test_a_title_of_four_megabytes_is_clipped() -> None:
    assert len(shown("x" * 4_000_000)) == LONGEST + 1


def test_a_reversing_character_is_written_out() -> None:
    assert shown("invoice\u202efdp.exe") == "invoice\\u202efdp.exe"


def test_a_tooltip_holds_no_markup_of_the_page() -> None:
    assert "<img" not in tooltip("<img src=x>")
    assert tooltip("a & b").endswith("a &amp; b</p>")
