"""What goes out, and to whom: credentials to their exact origin and to no other."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import SecretMissing
from core.fetch.fault import Fault
from core.fetch.headers import line, origin_head, referer_for, request_bytes
from core.fetch.request import FetchRequest
from core.fetch.secrets import Secrets
from core.settings import Auth, Cookie, Fetch, Header
from core.urls.url import Url

FETCH = Fetch(
    user_agent="Tester (+https://example.org/)",
    headers=(Header(origin="https://a.test", name="X-Api-Key", value="env:KEY"),),
    auth=(Auth(origin="https://a.test/", user="ann", password="env:WORD"),),
    cookies=(Cookie(origin="https://a.test:443", name="sid", value="env:SID"),),
)
SECRETS = Secrets({"KEY": "key-value", "WORD": "pass-word", "SID": "cookie-value"}, lambda _: None)
HOME = Url("https", "a.test", 443, "/")


def sent(url: Url, fetch: Fetch = FETCH, **wishes: Any) -> str:
    head = origin_head(fetch, url.origin, url.host, SECRETS)
    request = FetchRequest(**{"url": url, "max_body": 1, "timeout": 1.0, **wishes})
    return request_bytes(request, head, (), url.target).decode()


def test_the_target_goes_out_byte_for_byte() -> None:
    target = "/a%3Fb;c/'x'?q=%2F&&r=a+b|"
    assert sent(Url("http", "b.test", 80, target)).startswith(f"GET {target} HTTP/1.1\r\nHost: b.test\r\n")


def test_only_encodings_that_are_undone_within_bounds_are_asked_for() -> None:
    assert "Accept-Encoding: gzip, deflate\r\n" in sent(Url("http", "b.test", 80, "/"))


def test_the_listed_origin_gets_its_credentials() -> None:
    text = sent(HOME)
    assert "X-Api-Key: key-value\r\n" in text
    assert "Authorization: Basic YW5uOnBhc3Mtd29yZA==\r\n" in text
    assert "Cookie: sid=cookie-value\r\n" in text


@pytest.mark.parametrize(
    "url",
    [
        Url("http", "a.test", 80, "/"),
        Url("https", "a.test", 8443, "/"),
        Url("https", "www.a.test", 443, "/"),
        Url("https", "a.test.evil.example", 443, "/"),
    ],
)
def test_no_other_origin_gets_them_not_even_the_same_host_over_http(url: Url) -> None:
    text = sent(url)
    assert not any(word in text for word in ("key-value", "Authorization", "Cookie"))


def test_harmless_headers_are_no_secrets() -> None:
    header = Header(origin=HOME.origin, name="Cache-Control", value="no-cache")
    head = origin_head(Fetch(headers=(header,)), HOME.origin, "a.test", SECRETS)
    assert (head.secrets, head.names) == ((), frozenset())


@pytest.mark.parametrize("target", ["/a b", "/a\r\nX: y", "/caf\u00e9", "/\0"])
def test_a_target_that_could_end_the_line_is_not_sent(target: str) -> None:
    with pytest.raises(Fault) as caught:
        sent(Url("http", "b.test", 80, target))
    assert caught.value.kind == "url"


def test_the_values_sent_are_known_for_redaction() -> None:
    head = origin_head(FETCH, HOME.origin, "a.test", SECRETS)
    assert {b"key-value", b"pass-word", b"cookie-value"} <= set(head.secrets)


def test_a_missing_secret_is_an_error_and_never_a_request_without_it() -> None:
    with pytest.raises(SecretMissing, match="env:WORD"):
        origin_head(FETCH, HOME.origin, "a.test", Secrets({}, lambda _: None))


def test_a_header_of_the_settings_replaces_ours_but_never_the_framing() -> None:
    wishes = (("user-agent", "Other"), ("Host", "evil.test"), ("Content-Length", "9"), ("Accept", "text/csv"))
    headers = tuple(Header(origin="http://b.test", name=name, value=value) for name, value in wishes)
    text = sent(Url("http", "b.test", 80, "/"), Fetch(headers=headers))
    assert text.lower().count("user-agent:") == 1
    assert "user-agent: Other" in text
    assert "evil" not in text
    assert "Content-Length" not in text
    assert text.count("Accept: ") == 1


def test_validators_make_the_request_conditional() -> None:
    text = sent(HOME, etag='"abc"', last_modified="Mon, 30 Nov 2026 12:00:00 GMT")
    assert 'If-None-Match: "abc"\r\n' in text
    assert "If-Modified-Since: Mon, 30 Nov 2026 12:00:00 GMT\r\n" in text


def test_the_wanted_types_are_asked_for_and_everything_where_none_is_named() -> None:
    assert "Accept: text/html, */*;q=0.1\r\n" in sent(HOME, accept=("text/html",))
    assert "Accept: */*\r\n" in sent(HOME)


def test_chain_cookies_join_those_of_the_settings() -> None:
    assert "Cookie: sid=new; b=2\r\n" in sent(HOME, cookies=(("sid", "new"), ("b", "2")))


def test_text_that_could_begin_another_line_is_not_sent() -> None:
    assert line("X", "a\r\nEvil: 1") == b""
    assert line("X", "a\0b") == b""
    assert "Evil" not in sent(HOME, etag="x\r\nEvil: 1", cookies=(("a", "b\r\nEvil: 1"),))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("https://a.test/deep?x=1#part", "https://a.test/deep?x=1"),
        ("https://user:pass@a.test/deep", "https://a.test/deep"),
        ("https://b.test/secret?token=1", "https://b.test/"),
        ("https://a.test:8443/secret", "https://a.test:8443/"),
        ("http://a.test/x", "http://a.test/"),
        ("no url", ""),
    ],
)
def test_the_referer_is_whole_within_an_origin_and_the_origin_alone_across(page: str, expected: str) -> None:
    assert referer_for(page, HOME) == expected


def test_no_referer_goes_from_https_down_to_http() -> None:
    assert referer_for("https://a.test/x", Url("http", "a.test", 80, "/")) == ""
