"""Dates of sitemaps and feeds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.seeds.lastmod import lastmod_seconds, read_lastmod


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("2021", "2021"),
        (" 2021-06 ", "2021-06"),
        ("2021-06-18", "2021-06-18"),
        ("2021-06-18T12:13+02:00", "2021-06-18T12:13+02:00"),
        ("2021-06-18T12:13:04.5Z", "2021-06-18T12:13:04.5Z"),
        ("2021-06-18 12:13:04", "2021-06-18 12:13:04"),
        ("Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T15:00:00+02:00"),
        ("2021-06-18T112:13:04+00:00", None),
        ("2021-13-01", None),
        ("2021-02-30", None),
        ("yesterday", None),
        ("", None),
        ("1" * 5000, None),
    ],
)
def test_a_date_is_kept_as_written_or_dropped(text: str, kept: str | None) -> None:
    assert read_lastmod(text) == kept


def test_moments() -> None:
    assert lastmod_seconds("1970-01-02") == 86_400
    assert lastmod_seconds("1970-01-01T02:00+02:00") == 0
    assert lastmod_seconds("1970-01-01T00:00:10") == 10
    assert lastmod_seconds("soon") is None


@given(st.text(max_size=70))
def test_any_text_is_a_date_or_none(text: str) -> None:
    kept = read_lastmod(text)
    assert kept is None or lastmod_seconds(kept) is not None
