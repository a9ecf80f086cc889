"""Laws that hold for every text, not for examples."""

from __future__ import annotations

from itertools import pairwise

import ada_url
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.urls import (
    Rejected,
    Resolver,
    Rules,
    Url,
    explain,
    fetch_form,
    key_form,
    parse,
    parse_seed_line,
    url_key,
    without_user_info,
)
from core.urls import parser as parser_module
from core.urls.parser import MAX_LENGTH

PIECES = [
    *"/?#&=.;:@%[]|\\^`{}'\"<> \t\n+*~-_aAzZ09",
    *"éßü☃\u00ad\ud800\udfff\x00\x7f",
    *(
        "http:",
        "https:",
        "http://",
        "https://",
        "HTTP://",
        "//",
        "mailto:",
        "data:",
        "h",
        "example.test",
        "www.",
        "www.a",
    ),
    *("user:pw@", ":80", ":443", ":8080", ":0", "127.0.0.1", "0x7f.1", "[::1]", "xn--", "xn--bcher-kva.test"),
    *("..", "/../", "/./", "%2e%2E", "%41", "%7e", "%c3%a9", "%25", "%2f", "%%34", "%4%31", "%E9%28"),
    *("utm_source=x", "&gclid=1", "?a=1&b=2", "&&", "a[]=1", "a%5B%5D=2", "sid=42", "phpsessid=1"),
    *(";jsessionid=A1", "/..;jsessionid=1/", "index.html", "/Index.PHP/", "sid=0123456789abcdef0123456789abcdef"),
]
pieced = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
wild = st.text(st.characters(), max_size=40)
addresses = st.builds(
    lambda scheme, host, rest: scheme + host + rest,
    *map(
        st.sampled_from,
        (
            ["http://", "https://", "HTTP:\\\\", "http://user:pw@"],
            ["example.test", "www.Example.test", "127.0.0.1", "[::1]:8080", "bücher.test:443", "www.www.a.test:80"],
        ),
    ),
    st.one_of(pieced, pieced.map("/".__add__), pieced.map("/?".__add__)),
)
texts = st.one_of(pieced, wild, addresses)
bases = st.one_of(st.none(), addresses.map(parse).filter(lambda parsed: isinstance(parsed, Url)))
names = st.frozensets(st.sampled_from(["a", "a[]", "gclid", "sid", "phpsessid", "jsessionid", "4", "a%"]), max_size=3)
rules = st.builds(Rules, st.booleans(), names, names, *[st.booleans()] * 7)
charsets = st.sampled_from(
    ["utf-8", "windows-1252", "shift_jis", "iso-2022-jp", "gbk", "utf-16le", "rot13", "\x00", ""]
)


@given(texts, bases, charsets)
def test_any_text_is_a_url_or_a_rejection_with_a_sentence(text: str, base: Url | None, charset: str) -> None:
    parsed = parse(text, base, charset=charset)
    if isinstance(parsed, Rejected):
        assert parsed.code in {"empty", "scheme", "host", "port", "length"}
        assert parsed.message.endswith((".", "?"))
        parsed.message.encode()
    else:
        assert parsed.text.isascii()
        assert parsed.target.startswith("/")
        assert not set(parsed.text) & set(' #\t\r\n\x00\x7f<>"')
        assert 0 < parsed.port < 65_536


@given(texts, bases, charsets)
@example("http://h/%%341", None, "utf-8")
@example("http://h/%4%31?%%34", None, "utf-8")
def test_safe_form_of_safe_form_is_itself(text: str, base: Url | None, charset: str) -> None:
    url = parse(text, base, charset=charset)
    assume(isinstance(url, Url))
    assert isinstance(url, Url)
    assert parse(url.text) == url
    assert parse(url.text, base, charset=charset) == url


@given(texts, bases, rules)
@example("http://h/?utm_source=%&a=%41", None, Rules())
@example("http://h/..;jsessionid=1/b", None, Rules(session_ids=True))
@example("http://h/index.html/index.html/", None, Rules(index_pages=True, trailing_slash=True))
def test_fetch_and_key_form_of_themselves_are_themselves(text: str, base: Url | None, rules: Rules) -> None:
    url = parse(text, base)
    assume(isinstance(url, Url))
    assert isinstance(url, Url)
    fetch, key = fetch_form(url, rules), key_form(url, rules)
    assert fetch_form(fetch, rules) == fetch == parse(fetch.text)
    assert key_form(key, rules) == key == parse(key.text)
    assert key_form(fetch, rules) == key
    assert fetch_form(key, rules) == key


@given(texts, bases)
def test_quick_path_answers_what_the_full_parser_answers(text: str, base: Url | None) -> None:
    assert parse(text, base) == parser_module._parsed(text, base, "utf-8", MAX_LENGTH)


@given(texts, bases)
def test_agrees_with_a_browser_parser(text: str, base: Url | None) -> None:
    """ada is the reference: what it refuses we refuse, and what we accept reads the same after it."""
    try:
        reference = ada_url.URL(parser_module.clean(text), base.text if base else None)
    except ValueError:
        assert isinstance(parse(text, base), Rejected)
        return
    ours = parse(text, base)
    if isinstance(ours, Url):
        assert parse(str(reference.href)) == ours
        assert reference.hostname == ours.host
    elif reference.protocol in {"http:", "https:"}:
        assert ours.code in {"host", "port"}  # stricter only where DNS or TCP is


@given(st.lists(st.one_of(texts, st.sampled_from(["/a?b=2&a=1", "/a", "x"])), max_size=5), bases, rules, charsets)
def test_resolver_answers_what_the_functions_answer(
    hrefs: list[str], base: Url | None, rules: Rules, charset: str
) -> None:
    assume(base is not None)
    assert base is not None
    resolver = Resolver(base, rules, charset)
    same_host = [f"{base.origin}/{href}" for href in hrefs]
    for href in hrefs + same_host + hrefs:
        url = parse(href, base, charset=charset)
        expected = url if isinstance(url, Rejected) else (fetch_form(url, rules), key_form(url, rules))
        assert resolver.resolve(href) == expected


@given(texts, bases, rules)
def test_explained_steps_lead_from_the_text_to_the_key_form(text: str, base: Url | None, rules: Rules) -> None:
    steps = explain(text, rules, base)
    url = parse(text, base)
    if isinstance(url, Rejected):
        assert steps == []
        return
    assert all(step.before != step.after for step in steps)
    assert all(first.after == second.before for first, second in pairwise(steps))
    last = steps[-1].after if steps else without_user_info(text)
    assert last == key_form(url, rules).text


@given(texts)
def test_seed_line_never_accepts_what_parse_rejects(text: str) -> None:
    line, parsed = parse_seed_line(text), parse(text)
    assert line == parsed or (isinstance(line, Rejected) and isinstance(parsed, Rejected))


@given(addresses, rules)
def test_url_key_fits_a_signed_64_bit_column(text: str, rules: Rules) -> None:
    url = parse(text)
    assume(isinstance(url, Url))
    assert isinstance(url, Url)
    assert -(2**63) <= url_key(key_form(url, rules)) < 2**63
