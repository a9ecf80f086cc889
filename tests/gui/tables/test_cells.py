"""Cells as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.read.columns import Column
from gui.foreign_text import LONGEST
from gui.tables.cells import at_right, cell_text, copied_text, pasted_text, tone

if TYPE_CHECKING:
    from core.store.read.columns import Cell, Kind


def column(kind: Kind, name: str = "x") -> Column:
    return Column(name, "X", kind, "x")


@pytest.mark.parametrize(
    ("kind", "name", "value", "text"),
    [
        ("number", "links", 1_284_310, "1,284,310"),
        ("number", "status", 404, "404"),
        ("number", "ratio", 0.38412, "0.38412"),
        ("number", "price", 1299.24, "1,299.24"),
        ("bytes", "bytes", 14_809, "14,809"),
        ("seconds", "seconds", 0.108, "108 ms"),
        ("seconds", "delay", 12.34, "12.3 s"),
        ("time", "at", 0.0, "1970\u201001\u201001 00:00:00"),
        ("time", "at", 1e300, "–"),
        ("time", "at", None, "–"),
        ("flag", "seed", 1, "yes"),
        ("flag", "seed", 0, ""),
        ("state", "state", "pending", "Pending"),
        ("text", "content_type", "", "–"),
        ("text", "title", "<b>Red</b>", "<b>Red</b>"),
    ],
)
def test_cell_text(kind: Kind, name: str, value: Cell, text: str) -> None:
    assert cell_text(column(kind, name), value) == text


def test_hostile_characters_are_escaped_and_long_texts_clipped() -> None:
    text = cell_text(column("text"), "\u202egpj.exe\x1b[31m\r\n" + "a" * 4_000_000)
    assert len(text) < 400
    assert text.isprintable()
    assert "\u202e" not in text


@given(st.text(), st.sampled_from(["text", "url", "state", "hash"]))
def test_whatever_a_page_says_stays_one_printable_line(value: str, kind: Kind) -> None:
    assert not set("\t\r\n\x0b\x0c\x1b\u2028\u202e\u200b") & set(cell_text(column(kind), value))
    assert len(cell_text(column(kind), value)) <= LONGEST
    assert len(copied_text(column(kind), value).splitlines()) <= 1
    assert not set("\t\r\n") & set(copied_text(column(kind), value))


@pytest.mark.parametrize(
    ("value", "text"),
    [("=HYPERLINK(A1)", "'=HYPERLINK(A1)"), ("\u200b=1+1", "'\u200b=1+1"), ("-5", "-5"), (-5, "-5"), ("Red", "Red")],
)
def test_rows_are_copied_so_that_no_spreadsheet_runs_them(value: Cell, text: str) -> None:
    assert pasted_text(column("text"), value) == text


def test_colour_is_for_state_only() -> None:
    assert tone(column("number", "status"), 404) == "bad"
    assert tone(column("number", "status"), 301) == "warning"
    assert tone(column("number", "bytes"), 404) == "text"
    assert tone(column("state"), "failed") == "bad"
    assert tone(column("state"), "warning") == "warning"


def test_numbers_stand_at_the_right() -> None:
    assert at_right(column("bytes"))
    assert not at_right(column("url"))


def test_copied_numbers_have_no_separators() -> None:
    assert copied_text(column("number"), 1_284_310) == "1284310"
    assert copied_text(column("number"), None) == ""
    assert copied_text(column("time"), 0.0) == "1970-01-01 00:00:00"
