"""Texts of pages as the window shows them: whatever they hold, they are only text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.foreign_text import (
    DIRECTION,
    JOINERS,
    LONGEST,
    LONGEST_MESSAGE,
    MOST_LINES,
    on_button,
    shown,
    shown_lines,
    tooltip,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()))


def is_harmless(text: str) -> bool:
    return all(c.isprintable() or unicodedata.category(c) == "Zs" or c in JOINERS for c in text) and not (
        DIRECTION & set(text)
    )


@given(ANY_TEXT)
def test_no_control_or_direction_character_is_left(text: str) -> None:
    assert is_harmless(shown(text))
    assert all(is_harmless(line) for line in shown_lines(text).split("\n"))


@given(ANY_TEXT)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert shown(shown(text)) == shown(text)
    assert shown_lines(shown_lines(text)) == shown_lines(text)


@given(st.text(alphabet=st.characters(categories=("L", "N")), max_size=LONGEST))
def test_letters_and_figures_are_shown_as_they_are(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize("text", ["x" * 4_000_000, "\u202e" * 4_000_000, "\n" * 4_000_000, "x\n" * 300, "\x00" * 299])
def test_no_text_is_longer_than_its_place(text: str) -> None:
    assert len(shown(text)) <= LONGEST
    assert len(shown_lines(text)) <= LONGEST_MESSAGE
    assert shown_lines(text).count("\n") < MOST_LINES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("invoice\u202efdp.exe", "invoice\\u202efdp.exe"),
        ("two\nlines", "two\\x0alines"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\ufefftitle", "\\ufefftitle"),
        ("half\ud800", "half\\ud800"),
        ("Prix\u00a0: 12\u202f€", "Prix\u00a0: 12\u202f€"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("pay\u200cpal", "pay\\u200cpal"),
        ("Z" + "\u0301" * 5, "Z" + "\u0301" * 3 + "\\u0301\\u0301"),
    ],
)
def test_what_cannot_be_seen_is_written_out_and_spelling_is_kept(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_lines_of_a_message_stay_lines() -> None:
    assert shown_lines("first\nsecond\r\n\tthird") == "first\nsecond\\x0d\n\\x09third"


def test_a_tooltip_holds_no_markup_of_the_page() -> None:
    assert "<img" not in tooltip("<img src=x>")
    assert tooltip("a & b").endswith("a &amp; b</p>")
    assert tooltip("") == ""


def test_a_button_shows_an_ampersand() -> None:
    assert on_button("Black & White") == "Black && White"
