"""Each normalisation rule by itself: what it makes one, and what it must keep apart."""

from __future__ import annotations

import pytest

from core.settings import Normalise
from core.urls import Rejected, Rules, Url, fetch_form, key_form, parse, url_key


def url(text: str) -> Url:
    parsed = parse(text)
    assert not isinstance(parsed, Rejected), parsed
    return parsed


def fetched(text: str, rules: Rules | None = None) -> str:
    return fetch_form(url("http://h.test" + text), rules or Rules()).target


def key(text: str, rules: Rules | None = None) -> str:
    return key_form(url("http://h.test" + text), rules or Rules()).target


@pytest.mark.parametrize("target", ["/?", "/p?a=1&&b=2&", "/p?b=2&a=1", "/p?a[]=1", "/100%", "/a//b/", "/?&&"])
def test_fetch_form_is_byte_for_byte_without_tracking(target: str) -> None:
    assert fetched(target) == target


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("/p?utm_source=x", "/p"),
        ("/p?utm_source=x&", "/p"),
        ("/p?z=1*2&utm%5Fsource=x&a=%2B", "/p?z=1*2&a=%2B"),
        ("/p?gclid", "/p"),
        ("/p?a=1&&fbclid=2&b", "/p?a=1&&b"),
        ("/p?utm_other=x", "/p?utm_other=x"),
        ("/p?xgclid=1&UTM_SOURCE=1", "/p?xgclid=1&UTM_SOURCE=1"),
        ("/gclid=1?ref=2", "/gclid=1?ref=2"),
    ],
)
def test_tracking_parameters_go_by_their_exact_name(target: str, left: str) -> None:
    assert fetched(target) == left
    assert fetched(target, Rules(tracking=False)).count("?") == 1


def test_dropped_names_go_and_kept_names_stay() -> None:
    assert fetched("/?a[]=1&a%5b%5d=2&b=3", Rules(drop=frozenset({"a[]"}))) == "/?b=3"
    assert fetched("/?gclid=1&x=2", Rules(keep=frozenset({"gclid"}), drop=frozenset({"x", "gclid"}))) == "/?gclid=1"
    assert fetched(
        "/;jsessionid=1?sid=" + "a1" * 16, Rules(session_ids=True, keep=frozenset({"sid", "jsessionid"}))
    ) == ("/;jsessionid=1?sid=" + "a1" * 16)


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("/l?sid=42", "/l?sid=42"),
        ("/l?sid=" + "f0" * 16, "/l"),
        ("/l?sid=" + "a" * 32, "/l?sid=" + "a" * 32),
        ("/l?PHPSESSID=abc&a=1", "/l?a=1"),
        ("/l?PHPSESSID=", "/l?PHPSESSID="),
        ("/l?ASPSESSIONIDABCDEFGH=XYZ", "/l"),
        ("/l;jsessionid=A1.node?x=1", "/l?x=1"),
        ("/l;JSESSIONID=A1/m;v=1", "/l/m;v=1"),
        ("/a/..;jsessionid=1/b", "/b"),
    ],
)
def test_session_ids_go_by_choice(target: str, left: str) -> None:
    assert fetched(target, Rules(session_ids=True)) == left
    assert fetched(target) == target


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/?a", "/?a="),
        ("/?q=c+d", "/?q=c%2Bd"),
        ("/?q=c+d", "/?q=c%20d"),
        ("/?q=a&b", "/?q=a%26b"),
        ("/?x=%E9%28", "/?x=%EF%BF%BD%28"),
        ("/?a=1&a=2", "/?a=2&a=1"),
        ("/9%2F11", "/9/11"),
        ("/p", "/p/"),
        ("/p", "/P"),
        ("/", "/index.html"),
        ("/a//b", "/a/b"),
        ("/a;x", "/a%3Bx"),
    ],
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/p?a=1&&b=2&", "/p?a=1&b=2"),
        ("/p?", "/p"),
        ("/p?&&", "/p"),
        ("/p?b&a=2&b=0&a=1", "/p?a=2&a=1&b&b=0"),
        ("/p?a10=1&a1=2&a=3", "/p?a=3&a1=2&a10=1"),
        ("/index.php?/topic/5-x/", "/index.php?/topic/5-x/"),
        ("/a|b?c|d[]", "/a%7Cb?c%7Cd%5B%5D"),
        ("/100%?5%", "/100%25?5%25"),
        ("/%%341", "/%2541"),
    ],
)
def test_key_form_sorts_parameters_and_escapes_strictly(target: str, expected: str) -> None:
    assert key(target) == expected


def test_parameter_order_counts_where_sorting_is_off() -> None:
    assert key("/?b=1&&a=2&", Rules(sort=False)) == "/?b=1&a=2"


@pytest.mark.parametrize(
    ("rules", "target", "expected"),
    [
        (Rules(trailing_slash=True), "/a//?b=/", "/a?b=/"),
        (Rules(trailing_slash=True), "//", "/"),
        (Rules(index_pages=True), "/a/Index.HTML?x", "/a/?x"),
        (Rules(index_pages=True), "/a/myindex.html", "/a/myindex.html"),
        (Rules(index_pages=True), "/index.html/x", "/index.html/x"),
        (Rules(index_pages=True, trailing_slash=True), "/a/index.php/", "/a"),
        (Rules(lower_path=True), "/A%C3%89/B?C=D", "/a%C3%89/b?C=D"),
    ],
)
def test_optional_path_rules_change_the_key_and_not_the_fetch_form(rules: Rules, target: str, expected: str) -> None:
    assert key(target, rules) == expected
    assert fetched(target, rules) == target


@pytest.mark.parametrize(
    ("host", "expected"),
    [("www.a.test", "a.test"), ("www.com", "www.com"), ("wwwa.test", "wwwa.test"), ("www.www.a.test", "a.test")],
)
def test_www_is_ignored_only_before_a_whole_name(host: str, expected: str) -> None:
    assert key_form(Url("http", host, 80, "/"), Rules(ignore_www=True)).host == expected


def test_http_and_https_are_one_only_on_their_own_ports() -> None:
    rules = Rules(ignore_scheme=True)
    assert key_form(url("https://h.test/x"), rules) == url("http://h.test/x")
    assert key_form(url("https://h.test:8443/x"), rules) == url("https://h.test:8443/x")
    assert key_form(url("http://h.test:443/x"), rules) == url("http://h.test:443/x")


def test_form_that_changes_nothing_is_the_same_value() -> None:
    page = url("http://h.test/p?a=1&b=2")
    assert fetch_form(page, Rules()) is page
    assert key_form(page, Rules()) is page


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("http://h.test/", -6300413273524500153),
        ("https://h.test/p?a=1&b=2", 3865781461844416080),
        ("http://shop.test:8700/list/0", 5430053455810472332),
    ],
)
def test_url_key_never_changes(text: str, number: int) -> None:
    """Crawl files hold these numbers; another value would make every known URL new."""
    assert url_key(url(text)) == number


def test_url_key_tells_scheme_and_port_but_not_host() -> None:
    assert url_key(url("http://a.test/x")) == url_key(url("http://b.test/x"))
    keys = {url_key(url(text)) for text in ("http://a.test/x", "https://a.test/x", "http://a.test:443/x")}
    assert len(keys) == 3


def test_rules_follow_the_settings_name_by_name() -> None:
    assert Rules.of(Normalise()) == Rules()
    asked = Normalise(drop_parameters=("x",), keep_parameters=("gclid",), sort_parameters=False, ignore_www=True)
    assert Rules.of(asked) == Rules(drop=frozenset({"x"}), keep=frozenset({"gclid"}), sort=False, ignore_www=True)
