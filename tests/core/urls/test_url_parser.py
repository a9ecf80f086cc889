"""What becomes of a written address: the host it names, its port, its query, or a rejection."""

from __future__ import annotations

import pytest

from core.urls import Rejected, Url, parse

PAGE = Url("http", "example.test", 80, "/a/b?x=1")


def text_of(parsed: Url | Rejected) -> str:
    assert isinstance(parsed, Url), parsed
    return parsed.text


def code_of(parsed: Url | Rejected) -> str:
    assert isinstance(parsed, Rejected), parsed
    return parsed.code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("example.com/x", "scheme"),
        ("mailto:shop@example.test", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/html,x", "scheme"),
        ("ftp://example.test/", "scheme"),
        ("http://", "host"),
        ("http://user:pw@/", "host"),
        ("http://[::bad", "host"),
        ("http://[::1]x/", "host"),
        ("http://%zz/", "host"),
        ("http://exa mple.test/", "host"),
        ("http://.test./", "host"),
        ("http://a..test/", "host"),
        ("http://" + "a" * 64 + ".test/", "host"),
        ("http://" + "a.b." * 64 + "test/", "host"),
        ("http://xn--a.\u00fc\u200d.test/", "host"),
        ("http://1.2.3.4.5/", "host"),
        ("http://256.1.1.1/", "host"),
        ("http://\u2024\u2024.test/", "host"),
        ("http://\u00ad.test", "host"),
        ('http://a".test/', "host"),
        ("http://a\ud800.test/", "host"),
        ("http://a:99999/", "port"),
        ("http://a:65536/", "port"),
        ("http://a:port/", "port"),
        ("http://a:0/", "port"),
        ("http://a:000/", "port"),
        ("http://a:٣/", "port"),
        ("http://a:80:80/", "port"),
        ("http://a/" + "x" * 65_536, "length"),
    ],
)
def test_text_that_is_no_url_is_rejected_with_its_code(text: str, code: str) -> None:
    assert code_of(parse(text)) == code


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://017700000001/", "127.0.0.1"),
        ("http://127.1./", "127.0.0.1"),
        ("http://１２７.0.0.1/", "127.0.0.1"),
        ("http://%31%32%37.0.0.1/", "127.0.0.1"),
        ("http://[::FFFF:127.0.0.1]/", "[::ffff:7f00:1]"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "[::1]"),
        ("http://target.test@evil.example/", "evil.example"),
        ("http://target.test:80@evil.example:8080/", "evil.example"),
        ("http://a@b@evil.example/", "evil.example"),
        ("http://evil.example\\@target.test/", "evil.example"),
        ("http://evil.example#@target.test/", "evil.example"),
        ("http://evil.example?@target.test/", "evil.example"),
        ("http://target.test.evil.example/", "target.test.evil.example"),
        ("http:\\\\Example.TEST\\x", "example.test"),
        ("http:example.test", "example.test"),
        ("http:////example.test/", "example.test"),
        ("ht\ntp://exam\tple.test/", "example.test"),
        ("http://sub_domain.example.test/", "sub_domain.example.test"),
        ("http://EXAMPLE.test./", "example.test."),
        ("http://日本.example/", "xn--wgv71a.example"),
        ("http://XN--A.test/", "xn--a.test"),
        ("http://xn--8i7caa.xn--/", "xn--8i7caa.xn--"),
    ],
)
def test_host_is_the_one_a_browser_would_connect_to(text: str, host: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Url)
    assert parsed.host == host


@pytest.mark.parametrize(
    "text", ["http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/"]
)
def test_four_spellings_of_a_home_page_are_one(text: str) -> None:
    assert parse(text) == Url("http", "example.com", 80, "/")


def test_port_of_the_other_scheme_is_kept() -> None:
    assert text_of(parse("https://h.test:80/")) == "https://h.test:80/"
    assert text_of(parse("http://h.test:00443/")) == "http://h.test:443/"


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("g", "http://example.test/a/g"),
        ("./", "http://example.test/a/"),
        (".", "http://example.test/a/"),
        ("..", "http://example.test/"),
        ("../..", "http://example.test/"),
        ("g/", "http://example.test/a/g/"),
        ("/g", "http://example.test/g"),
        ("/", "http://example.test/"),
        ("//g", "http://g/"),
        ("?", "http://example.test/a/b?"),
        ("?y", "http://example.test/a/b?y"),
        ("#s", "http://example.test/a/b?x=1"),
        (";x", "http://example.test/a/;x"),
        ("g;x=1/../y", "http://example.test/a/y"),
        ("http:g", "http://example.test/a/g"),
        ("https:g", "https://g/"),
        ("http:/g", "http://example.test/g"),
        ("\\g\\h", "http://example.test/g/h"),
        ("g?a\\b", "http://example.test/a/g?a\\b"),
        ("/./x/.%2E/y/%2e", "http://example.test/y/"),
    ],
)
def test_reference_is_joined_as_a_browser_joins(reference: str, joined: str) -> None:
    assert text_of(parse(reference, PAGE)) == joined


def test_link_keeps_an_unusual_port_of_its_page() -> None:
    page = Url("http", "127.0.0.1", 8700, "/list/0")
    assert text_of(parse("1?x", page)) == "http://127.0.0.1:8700/list/1?x"
    assert text_of(parse("//example.test/", page)) == "http://example.test/"


@pytest.mark.parametrize(
    ("charset", "query"),
    [
        ("utf-8", "%C3%A9%E2%82%AC"),
        ("windows-1252", "%E9%80"),
        ("ISO-8859-1", "%E9%80"),
        ("iso-8859-15", "%E9%A4"),
        ("iso-8859-2", "%E9%26%238364%3B"),
        ("utf-16le", "%C3%A9%E2%82%AC"),
        ("rot13", "%C3%A9%E2%82%AC"),
        ("no such charset \x00", "%C3%A9%E2%82%AC"),
    ],
)
def test_query_is_sent_in_the_charset_of_its_page(charset: str, query: str) -> None:
    assert text_of(parse("/é?é€", PAGE, charset=charset)) == f"http://example.test/%C3%A9?{query}"


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert text_of(parse("http://h.test/\ud800?\udfff")) == "http://h.test/%EF%BF%BD?%EF%BF%BD"
    assert text_of(parse("http://h.test/\ud83d\ude00")) == "http://h.test/%F0%9F%98%80"


def test_escape_is_never_built_from_what_was_unescaped() -> None:
    assert text_of(parse("http://h.test/%%341")) == "http://h.test/%%341"
    assert text_of(parse("http://h.test/%%7E")) == "http://h.test/%~"


def test_length_bounds_what_comes_out_too() -> None:
    assert code_of(parse("http://h.test/" + "é" * 20, max_length=50)) == "length"
    assert code_of(parse("x" * 30, Url("http", "h.test", 80, "/" + "y" * 30 + "/"), max_length=50)) == "length"
    assert text_of(parse("http://h.test/" + "x" * 36, max_length=50)).endswith("x")


def test_message_shows_foreign_text_short_and_harmless() -> None:
    parsed = parse("http://\x1b[31m\u202e" + "a b" * 1000)
    assert isinstance(parsed, Rejected)
    assert parsed.message.isprintable()
    assert len(parsed.message) < 200


def test_url_tells_its_parts() -> None:
    url = Url("http", "[::1]", 8080, "/a?b?c")
    assert (url.origin, url.path, url.query) == ("http://[::1]:8080", "/a", "b?c")
    assert Url("https", "h.test", 443, "/").text == "https://h.test/"
