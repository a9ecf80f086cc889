"""The pattern a number of URLs have in common: narrow, in the analyst's own form, and true of each of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.common_pattern import common_pattern
from core.policy.patterns import compile_pattern
from core.urls import Rules, Url, key_form, parse


def url(text: str) -> Url:
    found = parse(text, Url("http", "shop.test", 80, "/"))
    assert isinstance(found, Url), text
    return key_form(found, Rules())


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        (("/calendar/2026/11/30", "/calendar/2027/1/2"), "/calendar/"),
        (("/calendar/2026", "/calendar/2027/1"), "/calendar/"),
        (("/calendar", "/calendar/2027/1"), "/calendar"),
        (("/calendar/", "/calendar///"), "/calendar/"),
        (("/list?page=1&sort=a", "/list?page=2&sort=a"), "/list$?page=&sort=a"),
        (("/list?page=1", "/list?page=2&x=1"), "/list$?page="),
        (("/list?a=1", "/list?b=2"), "/list$?"),
        (("/list", "/list?b=2"), "/list$"),
        (("/item1", "/item25"), "/item*"),
        (("/item-10.html", "/item-19.html"), "/item-*"),
        (("/a/reviews", "/b/reviews"), "/*/reviews$"),
        (("/shop/a/x/reviews", "/shop/b/reviews"), "/shop/*/reviews$"),
        (("/one?sid=1", "/two/three?sid=2"), "/?sid="),
        (("/a*b/1", "/a*b/2"), "/a\\*b/"),
        (("/a", "/b"), ""),
        (("/a", "/b/c"), ""),
        ((), ""),
    ],
)
def test_pattern_is_what_an_analyst_would_write(urls: tuple[str, ...], expected: str) -> None:
    assert common_pattern([url(text) for text in urls], with_host=False) == expected


def test_host_stands_in_front_where_a_crawl_has_others() -> None:
    urls = [url("/c/1"), url("/c/2")]
    assert common_pattern(urls, with_host=True) == "shop.test/c/"
    assert common_pattern([url("http://shop.test:8080/c/1"), url("http://shop.test:8080/c/2")], with_host=True) == (
        "shop.test:8080/c/"
    )
    assert common_pattern([*urls, url("http://other.test/c/3")], with_host=True) == "/c/"
    assert common_pattern([url("/a"), url("/b")], with_host=True) == ""


SEGMENTS = st.text("abz019-_~%$*\\;:@=+,é ", max_size=5)
QUERIES = st.none() | st.lists(st.tuples(st.text("abz%*\\$", max_size=3), SEGMENTS), max_size=3)
TARGETS = st.tuples(st.lists(SEGMENTS, max_size=4), QUERIES)


def target(head: str, parts: list[str], query: list[tuple[str, str]] | None) -> Url:
    asked = "" if query is None else "?" + "&".join(f"{name}={value}" for name, value in query)
    return url(f"http://shop.test/{head}/{'/'.join(parts)}{asked}")


@given(st.lists(TARGETS, min_size=1, max_size=8), st.booleans())
def test_pattern_matches_every_url_it_was_made_of(targets: list[tuple[list[str], None]], with_host: bool) -> None:
    urls = [target("head", *each) for each in targets]
    text = common_pattern(urls, with_host=with_host)
    assert text
    assert all(compile_pattern(text).matches(each) for each in urls)


@given(st.lists(st.text("ab/?&=1", max_size=8), max_size=5))
def test_pattern_never_takes_out_a_whole_site(texts: list[str]) -> None:
    text = common_pattern([url(f"http://shop.test/{each}") for each in texts], with_host=True)
    assert not text or not compile_pattern(text).matches(url("/somewhere/else"))
