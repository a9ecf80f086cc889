"""Filters as they are typed."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.store.read.tables import Condition, parse_where, where_text

OPERATORS = ("=", "!=", "<", ">", "contains", "starts")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("status=404", (Condition("status", "=", "404"),)),
        ("status != 404 and depth > 2", (Condition("status", "!=", "404"), Condition("depth", ">", "2"))),
        ('title contains "red and blue"', (Condition("title", "contains", "red and blue"),)),
        ("title CONTAINS x AND url starts http://a.test/?a=b", None),
        ("'my field' = 'it''s'", (Condition("my field", "=", "it's"),)),
        ('error != ""', (Condition("error", "!=", ""),)),
        ("url = http://a.test/?a=b", (Condition("url", "=", "http://a.test/?a=b"),)),
    ],
)
def test_filter_is_read(text: str, expected: tuple[Condition, ...] | None) -> None:
    expected = expected or (
        (Condition("title", "contains", "x"), Condition("url", "starts", "http://a.test/?a=b")) if text else ()
    )
    assert parse_where(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "status",
        "= 3",
        "status >= 3",
        "status == 3",
        "status = ",
        "a = 1 b = 2",
        "a = 1 and",
        "a like 3",
        'a = "x',
        "a = 1 or b = 2",
    ],
)
def test_what_is_no_filter_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(BadInput, match="was expected"):
        parse_where(text)


@given(st.lists(st.builds(Condition, st.text(), st.sampled_from(OPERATORS), st.text())))
def test_written_filter_reads_back_as_the_same(conditions: list[Condition]) -> None:
    assert parse_where(where_text(tuple(conditions))) == tuple(conditions)


@given(st.text())
def test_any_text_is_a_filter_or_bad_input(text: str) -> None:
    with contextlib.suppress(BadInput):
        assert parse_where(where_text(parse_where(text))) == parse_where(text)
