"""Heads are read as text and numbers, whatever bytes they hold."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.head import (
    REDACTED,
    etag_of,
    http_date,
    is_accepted,
    last_modified_of,
    location_of,
    retry_after_seconds,
    stored_headers,
    text_of,
)

NOON = 1_796_040_000.0  # 30 November 2026, 12:00 UTC


@given(st.binary(max_size=600))
def test_any_bytes_are_read_without_an_error(value: bytes) -> None:
    retry_after_seconds(text_of(value), NOON)
    location_of(value)
    etag_of(value)
    last_modified_of(value, value, 0.0)
    stored_headers([(value, value)], frozenset(), ())


def test_wanted_types_are_exact_or_whole_families_and_a_missing_type_passes() -> None:
    accept = ("text/html", "application/*")
    assert is_accepted("text/html", accept)
    assert is_accepted("application/json", accept)
    assert is_accepted("", accept)
    assert is_accepted("image/png", ())
    assert not is_accepted("image/png", accept)
    assert not is_accepted("text/plain", accept)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("Mon, 30 Nov 2026 12:01:00 GMT", 60.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", None),
        ("Monday, 30-Nov-26 12:01:00 GMT", 60.0),
        ("Mon Nov 30 12:01:00 2026", 60.0),
        ("Mon, 30 Nov 2026 12:01:00 -0000", 60.0),
        ("Mon, 30 Nov 2026 14:01:00 +0200", 60.0),
        ("Mon, 30 Nov 2026 12:00:60 GMT", 60.0),
        ("-5", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("999999", 999_999.0),
        ("", None),
        ("1.5", None),
        ("²", None),
        ("9" * 5000, float("9" * 64)),
        ("Mon, 30 Nov 99999999 12:00:00 GMT", None),
    ],
)
def test_http_15_retry_after_in_both_forms_and_none_for_nonsense(value: str, expected: float | None) -> None:
    assert retry_after_seconds(value, NOON) == expected


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process can be set on POSIX only")
def test_a_date_without_a_zone_is_in_gmt_wherever_the_crawler_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        assert retry_after_seconds("Mon Nov 30 12:01:00 2026", NOON) == 60.0
    finally:
        monkeypatch.undo()
        time.tzset()


def test_credentials_are_redacted_by_name_and_by_value() -> None:
    headers = [(b"Set-Cookie", b"a=b"), (b"X-My-Key", b"k"), (b"X-Echo", b"key hunter22"), (b"Server", b"caf\xe9")]
    stored = stored_headers(headers, frozenset({b"x-my-key"}), (b"hunter22",))
    assert stored == (("Set-Cookie", REDACTED), ("X-My-Key", REDACTED), ("X-Echo", REDACTED), ("Server", "café"))


def test_stored_heads_are_capped() -> None:
    assert len(stored_headers([(b"a", b"b")] * 5000, frozenset(), ())) == 100
    assert len(stored_headers([(b"a", b"b" * 60_000)], frozenset(), ())[0][1]) == 4096


def test_http_01_a_location_is_kept_raw_as_text() -> None:
    assert location_of("/café".encode()) == "/café"
    assert location_of("/café".encode("latin-1")) == "/café"
    assert location_of(b"http://example.test/a b") == "http://example.test/a b"


def test_http_03_an_empty_missing_or_endless_location_is_none() -> None:
    assert location_of(None) is None
    assert location_of(b"  ") is None
    assert location_of(b"/" * 20_000) is None


def test_validators_that_could_not_be_sent_back_are_dropped() -> None:
    for tag in ('"abc"', 'W/"abc"', 'w/"abc"', '""', '"a,b c"', "5f1-12", '"\u00e9"'):
        assert etag_of(f" {tag} ".encode()) == tag
    for no_tag in (b"a\tb", b"*", b'"a", "b"', b"a,b", b'W/"a', b'"\xe9"', b"x" * 5000, b" ", b"", None):
        assert etag_of(no_tag) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777.0),
        ("Sun Nov  6 08:49:37 1994", 784_111_777.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Sun, 31 Feb 2027 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37 +0000", None),
        ("Sun, 06 Nov 1994 24:49:37 GMT", None),
        ("sun, 06 nov 1994 08:49:37 gmt", None),
        ("1994-11-06T08:49:37Z", None),
        ("784111777", None),
        ("", None),
    ],
)
def test_the_three_forms_of_an_http_date_are_read_and_nothing_else(text: str, seconds: float | None) -> None:
    assert http_date(text) == seconds


MONDAY = b"Mon, 30 Nov 2026 12:00:00 GMT"  # NOON


@pytest.mark.parametrize(
    ("modified", "sent", "usable"),
    [
        (b"Mon, 30 Nov 2026 11:59:59 GMT", MONDAY, True),
        (MONDAY, MONDAY, True),
        (b"Mon, 30 Nov 2026 12:00:01 GMT", MONDAY, False),
        (b"Mon, 30 Nov 2026 12:01:00 GMT", None, True),  # our clock may be a minute behind
        (b"Mon, 30 Nov 2026 12:01:01 GMT", None, False),
        (b"Tue, 30 Nov 2027 12:00:00 GMT", b"Tue, 30 Nov 2027 12:00:01 GMT", True),  # a server a year ahead, throughout
        (b"Tue, 30 Nov 2027 12:00:00 GMT", b"yesterday", False),
        (b"Sun Nov  6 08:49:37 1994", MONDAY, True),
        (b"yesterday", MONDAY, False),
        (b"0", MONDAY, False),
        (None, MONDAY, False),
    ],
)
def test_a_last_modified_after_its_answer_is_no_validator(
    modified: bytes | None, sent: bytes | None, *, usable: bool
) -> None:
    expected = modified.decode() if usable and modified else None
    assert last_modified_of(modified, sent, NOON) == expected
