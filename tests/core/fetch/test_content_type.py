"""What one or several `Content-Type` lines mean, whatever bytes they hold."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.content_type import content_type


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"text/html", ("text/html", None)),
        (b"Text/HTML; Charset=UTF-8", ("text/html", "UTF-8")),
        (b"text/html;charset='latin1' ; x=y", ("text/html", "latin1")),
        (b'text/html; boundary=x; charset="utf-8"', ("text/html", "utf-8")),
        (b"text/html; charset=", ("text/html", None)),
        (b"", ("", None)),
        (b"; charset=utf-8", ("", "utf-8")),
        (b"text/html; charset = utf-8", ("text/html", "utf-8")),
        (b"text/html; charset", ("text/html", None)),
        (b"text/html; charset=; charset=koi8-r; charset=gbk", ("text/html", "koi8-r")),
        (b'text/html; x="a; charset=gbk"; charset=koi8-r', ("text/html", "koi8-r")),
        (b'text/html; charset="koi8\\-r" junk; x', ("text/html", "koi8-r")),
        (b'text/html; charset="koi8-r', ("text/html", "koi8-r")),
    ],
)
def test_the_media_type_and_charset_label_are_read(value: bytes, expected: tuple[str, str | None]) -> None:
    assert content_type([value]) == expected


def test_a_content_type_of_a_hundred_kilobytes_is_clipped_before_it_is_read() -> None:
    started = time.perf_counter()
    kind, _ = content_type([b"text/html" + b";" * 100_000 + b"charset=utf-8"])
    assert kind == "text/html"
    assert time.perf_counter() - started < 0.05
    assert len(content_type([b"x" * 100_000])[0]) == 256


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], ("", None)),
        ([b"text/plain", b"text/html"], ("text/html", None)),
        ([b"text/plain;charset=gbk", b"text/html"], ("text/html", None)),
        ([b"text/html;charset=gbk", b"text/html"], ("text/html", "gbk")),
        ([b"text/html;charset=gbk", b"text/html;x=y"], ("text/html", "gbk")),
        ([b"text/html;charset=gbk", b"text/plain", b"text/html"], ("text/html", None)),
        ([b"text/html;charset=gbk", b"text/html;charset=koi8-r"], ("text/html", "koi8-r")),
        ([b"text/html;charset=gbk", b"*/*"], ("text/html", "gbk")),
        ([b"text/html;charset=gbk", b"nonsense"], ("text/html", "gbk")),
        ([b"", b"text/html"], ("text/html", None)),
        ([b"nonsense", b"more"], ("nonsense, more", None)),
        ([b"text/html;charset=utf-8, text/html"], ("text/html", "utf-8")),
        ([b'text/html;charset="koi8-r,x", text/html'], ("text/html", "koi8-r,x")),
        ([b'text/html;x="a\\",b";charset=gbk'], ("text/html", "gbk")),
        ([b"text/html;charset=gbk", b'text/html;x=",text/plain'], ("text/html", "gbk")),
        ([b"text/html,,"], ("text/html", None)),
    ],
)
def test_several_lines_are_combined_as_the_fetch_standard_says(
    lines: list[bytes], expected: tuple[str, str | None]
) -> None:
    """https://fetch.spec.whatwg.org/#concept-header-extract-mime-type, with its examples."""
    assert content_type(lines) == expected


@given(st.lists(st.binary(max_size=600), max_size=4))
def test_any_lines_are_read_without_an_error(lines: list[bytes]) -> None:
    kind, charset = content_type(lines)
    assert len(kind) <= 1024
    assert charset is None or charset


def test_many_long_lines_are_clipped_before_they_are_read() -> None:
    started = time.perf_counter()
    content_type([b'";,' * 50_000] * 1_000)
    assert time.perf_counter() - started < 0.5
