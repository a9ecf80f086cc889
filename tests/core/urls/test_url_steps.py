"""What a person is told: explained steps, seed lines, registrable names; and what importing all this costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from core.urls import Rejected, Rules, Url, explain, parse_seed_line, registrable, without_user_info


def test_every_step_that_changed_the_text_is_named_in_order() -> None:
    text = " HTTP://Example.TEST:80/a/../%7eb/?b=2&a[]=1&&gclid=x#f"
    steps = explain(text, Rules(trailing_slash=True))
    assert [step.rule for step in steps] == [
        *("whitespace", "fragment", "join", "host", "port", "escapes", "dot_segments"),
        *("tracking", "escapes", "empty_pairs", "sort_parameters", "trailing_slash"),
    ]
    assert steps[0].before == text
    assert steps[-1].after == "http://example.test/~b?a%5B%5D=1&b=2"


def test_url_that_is_its_own_key_has_no_steps() -> None:
    assert explain("http://h.test/p?a=1", Rules()) == []


def test_rejected_text_has_no_steps() -> None:
    assert explain("mailto:me@h.test", Rules()) == []


def test_relative_text_is_joined_first() -> None:
    (step,) = explain("x?a=1", Rules(), Url("http", "h.test", 8700, "/d/e"))
    assert (step.rule, step.before, step.after) == ("join", "x?a=1", "http://h.test:8700/d/x?a=1")


@pytest.mark.parametrize(
    "text",
    [
        "http://user:secret@h.test/",
        "http:user:secret@h.test/",
        "HT\nTP:\\\\user:sec\tret@h.test/#x",
        "//user:secret@h.test/",
        " \x00http://user:secret@h.test/",
        "http://user:secret@secret@h.test/@",
    ],
)
def test_user_information_is_never_shown(text: str) -> None:
    shown = [without_user_info(text)]
    for step in explain(text, Rules(), Url("https", "h.test", 443, "/")):
        shown += [step.before, step.after]
    assert not any("secret" in one or "user" in one for one in shown)


def test_text_without_user_information_is_left_as_typed() -> None:
    for text in (" http://h.test/@x ", "mail@h.test", "http://h.test?a@b", "/a@b"):
        assert without_user_info(text) == text


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("example.com/x", "https://example.com/x"),
        ("example.com", "https://example.com/"),
        ("//example.com/x", "https://example.com/x"),
        ("example.com:8080/x", "https://example.com:8080/x"),
        ("localhost:8700", "http://localhost:8700/"),
        ("127.0.0.1:8765", "http://127.0.0.1:8765/"),
        ("192.168.1.4/list", "http://192.168.1.4/list"),
        ("8.8.8.8/list", "https://8.8.8.8/list"),
        ("nas.local", "http://nas.local/"),
        ("Bücher.example?q", "https://xn--bcher-kva.example/?q"),
    ],
)
def test_seed_line_without_scheme_is_answered_with_an_offer(line: str, offer: str) -> None:
    answer = parse_seed_line(line)
    assert isinstance(answer, Rejected)
    assert answer.code == "scheme"
    assert f"“{offer}”" in answer.message


@pytest.mark.parametrize(
    "line", ["ftp://example.com", "mailto:a@example.com", "hello", "hello world.txt", "a@b.example"]
)
def test_seed_line_that_is_something_else_gets_no_offer(line: str) -> None:
    answer = parse_seed_line(line)
    assert isinstance(answer, Rejected)
    assert "did you mean" not in answer.message


def test_seed_line_is_trimmed() -> None:
    assert parse_seed_line("  http://example.com/x \r\n") == Url("http", "example.com", 80, "/x")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("shop.example.test", "example.test"),
        ("example.com.", "example.com"),
        ("me.github.io", "me.github.io"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("a.xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_registrable_name_of_a_host(host: str, name: str) -> None:
    assert registrable(host) == name


def test_common_urls_load_neither_the_big_parser_nor_the_suffix_list() -> None:
    code = (
        "import sys; from core.urls import Resolver, Rules, key_form, parse;"
        "u = parse('HTTP://127.0.0.1:8700/list/0?b=%7e&a=é'); key_form(u, Rules()); Resolver(u, Rules()).resolve('/x');"
        "sys.exit(bool({'ada_url', 'publicsuffixlist', 'urllib.parse'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_what_was_probably_meant_is_shown_as_far_as_a_sentence_goes() -> None:
    answer = parse_seed_line("shop.test/" + "a" * 5000)
    assert isinstance(answer, Rejected)
    assert answer.message.startswith("The scheme is missing; did you mean “https://shop.test/aaa")
    assert len(answer.message) < 300
