"""Casts: what people write, and that nothing a page writes makes them raise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.extract import CASTS

NUMBERS = {
    "42": 42,
    "Price: $1,299.50 (was $1,500)": 1299.5,
    "1.299,50 €": 1299.5,
    "1,299": 1299,
    "1.299": 1.299,
    "1.299.000": 1299000,
    "1,00,000": 100000,
    "1 299,50": 1299.5,
    "1\u00a0299\u202f000": 1299000,
    "1'299.50": 1299.5,
    "12,5": 12.5,
    "0,299": 0.299,
    "0.299": 0.299,
    ".5": 0.5,
    "10.00": 10,
    "-5": -5,
    "\u22125,5 °C": -5.5,
    "-$5.25": -5.25,
    "SKU A-5": 5,
    "12 50": 12,
    "1234 567": 1234,
    "٤٢": 42,
    "1.2.3": None,
    "12.05.2024": None,
    "": None,
    "none": None,
    "9" * 30: 1e30,
    "9" * 5000: None,
}

AMOUNTS = {
    "1299.5 USD": "1299.5 USD",
    "$1,299.50": "1299.5 USD",
    "1.299 €": "1299 EUR",
    "1.299,50 EUR": "1299.5 EUR",
    "1.299,50 €": "1299.5 EUR",
    "1,299.50 $": "1299.5 USD",
    "CHF 1'299.50": "1299.5 CHF",
    "CHF 1’299.50": "1299.5 CHF",
    "1\u202f299,50\u00a0€": "1299.5 EUR",
    "12,- €": "12 EUR",
    "1 299,50": 1299.5,
    "CA$ 20": "20 CAD",
    "US$20": "20 USD",
    "20 kr": 20,
    "SKU 20": 20,
    "free": None,
}

DATES = {
    "2024-05-01": "2024-05-01",
    "2024-05-01T10:30:00Z": "2024-05-01T10:30:00Z",
    "2024-05-01T10:30:00+02:00": "2024-05-01T08:30:00Z",
    "2024-05-01 10:30": "2024-05-01T10:30:00",
    "Wed, 01 May 2024 10:30:00 +0200": "2024-05-01T08:30:00Z",
    "1 May 2024": "2024-05-01",
    "May 1st, 2024": "2024-05-01",
    "Sept. 3, 2024": "2024-09-03",
    "2024/5/1": "2024-05-01",
    "03.04.2024": "2024-04-03",
    "25/12/2024": "2024-12-25",
    "12/25/2024": "2024-12-25",
    "03/04/2024": None,
    "12.03.2026": "2026-03-12",
    "12. März 2026": "2026-03-12",
    "12. Ma\u0308rz 2026": "2026-03-12",
    "Donnerstag, 12. März 2026": "2026-03-12",
    "Do., 12. März 2026": "2026-03-12",
    "Thursday, March 12, 2026": "2026-03-12",
    "12 mars 2026": "2026-03-12",
    "1er août 2026": "2026-08-01",
    "12 de marzo de 2026": "2026-03-12",
    "12 marzo 2026": "2026-03-12",
    "1º de janeiro de 2026": "2026-01-01",
    "vrijdag 13 maart 2026": "2026-03-13",
    "den 12 mars 2026": "2026-03-12",
    "12.03.2026 14:30": "2026-03-12T14:30:00",
    "12.03.2026, 14:30 Uhr": "2026-03-12T14:30:00",
    "12. März 2026 um 14.30 Uhr": "2026-03-12T14:30:00",
    "March 12, 2026 at 2:30 PM": "2026-03-12T14:30:00",
    "12 March 2026 12:05 am": "2026-03-12T00:05:00",
    "12.03.2026 24:30": None,
    "5 listopada 2026": None,
    "12 xyz 2026": None,
    "31 February 2024": None,
    "0001-01-01T00:00:00+14:00": None,
    "tomorrow": None,
    "": None,
}


@pytest.mark.parametrize(("text", "expected"), NUMBERS.items())
def test_number(text: str, expected: float | None) -> None:
    value = CASTS["number"]([text])
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(("text", "expected"), AMOUNTS.items())
def test_money(text: str, expected: str | float | None) -> None:
    assert CASTS["money"]([text]) == expected


@pytest.mark.parametrize(("text", "expected"), DATES.items())
def test_date(text: str, expected: str | None) -> None:
    assert CASTS["date"]([text]) == expected


def test_text_is_collapsed_and_an_empty_one_is_null() -> None:
    assert CASTS["text"](["\n a \t b ", "c"]) == "a b"
    assert CASTS["text"](["  "]) is None
    assert CASTS["text"]([]) is None
    assert CASTS["text"]([19.90]) == "19.9"
    assert CASTS["text"]([True]) == "true"


def test_list_holds_every_value_that_is_not_empty() -> None:
    assert CASTS["list"]([" a ", "", "b", None, 3]) == ["a", "b", "3"]
    assert CASTS["list"]([" "]) is None


def test_lone_surrogates_and_nul_become_replacement_characters() -> None:
    assert CASTS["text"](["a\0b\ud800c"]) == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text("0123456789.,' -$€/:TZ+")


@pytest.mark.parametrize("name", list(CASTS))
@given(values=st.lists(VALUES, max_size=3))
def test_cast_is_total_and_gives_json(name: str, values: list[Any]) -> None:
    json.dumps(CASTS[name](values), allow_nan=False).encode()


@given(st.integers(0, 10**12), st.integers(0, 99))
def test_both_ways_of_grouping_are_read_alike(whole: int, cents: int) -> None:
    expected = float(f"{whole}.{cents:02}")
    english = f"{whole:,}.{cents:02}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert CASTS["number"]([english]) == expected
    assert CASTS["number"]([german]) == expected
