"""Cookies go back to the origin that set them, in bounded number and size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.cookies import (
    LONGEST_HEADER,
    MOST_COOKIES,
    ChainCookies,
    Jar,
    cookie_header,
    merged,
    set_cookies,
)
from core.urls.url import Url

HERE = Url("https", "www.shop.example", 443, "/a")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a=b", (("a", "b"),)),
        ("a=b=c; Path=/; HttpOnly", (("a", "b=c"),)),
        ("a=b; Domain=.shop.example", (("a", "b"),)),
        ("a=b; Domain=www.shop.example", (("a", "b"),)),
        ("a=b; Domain=other.example", ()),
        ("a=b; Domain=hop.example", ()),
        ("a=b; Domain=deep.www.shop.example", ()),
        ("a=b; Domain=example", ()),
        ("a=; Path=/", (("a", ""),)),
        ("a=b; Max-Age=0", (("a", ""),)),
        ("a=b; Max-Age=-1", (("a", ""),)),
        ("a=b; Max-Age=60", (("a", "b"),)),
        ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", (("a", ""),)),
        ("=b", ()),
        ("nothing", ()),
        ("a=" + "x" * 4096, ()),
        ("a=b\x00c", ()),
    ],
)
def test_set_cookie_lines_are_read_or_refused(line: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert set_cookies([line], HERE.host) == expected


def test_a_public_suffix_takes_no_cookie() -> None:
    assert set_cookies(["a=b; Domain=co.uk"], "shop.co.uk") == ()
    assert set_cookies(["a=b; Domain=shop.co.uk"], "www.shop.co.uk") == (("a", "b"),)


@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=5000)), max_size=80))
def test_what_is_sent_stays_within_its_bounds(pairs: list[tuple[str, str]]) -> None:
    kept = merged((), set_cookies([f"{name}={value}" for name, value in pairs], HERE.host))
    header = cookie_header(kept)
    assert len(kept) <= MOST_COOKIES
    assert len(header) <= LONGEST_HEADER
    assert "\r" not in header
    assert "\n" not in header


def test_a_later_cookie_replaces_and_an_emptied_one_goes() -> None:
    assert merged((("a", "1"), ("b", "2")), (("a", "3"), ("b", ""))) == (("a", "3"),)


def test_http_05_a_chain_keeps_the_cookies_of_each_origin_apart() -> None:
    plain = Url("http", HERE.host, 80, "/")
    chain = ChainCookies().after(HERE, (("q", "1"),)).after(plain, (("p", "2"),))
    assert chain.of(HERE) == (("q", "1"),)
    assert chain.of(plain) == (("p", "2"),)
    assert chain.of(Url("https", "shop.example", 443, "/")) == ()


def test_a_jar_forgets_the_origin_seen_longest_ago() -> None:
    jar = Jar()
    for number in range(1100):
        jar.take(f"http://{number}.test", (("a", "b"),))
        jar.take("http://kept.test", (("n", str(number)),))
    assert jar.of("http://0.test") == ()
    assert jar.of("http://1099.test") == (("a", "b"),)
    assert jar.of("http://kept.test") == (("n", "1099"),)
