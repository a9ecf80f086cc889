"""Whatever is written as an address, wherever: a URL that can be asked for, or a rejection with a sentence."""

from __future__ import annotations

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
    without_user_info,
)
from tests.fuzzing import fuzz

PIECES = (
    *(
        "http:",
        "https://",
        "HTTP:\\\\",
        "//",
        "///",
        "javascript:",
        "data:,",
        "user:pw@",
        "@",
        ":",
        "99999",
        ":80",
        "[::1]",
    ),
    *(
        "[::ffff:127.0.0.1]",
        "127.1",
        "0x7f.1",
        "2130706433",
        "\uff11\uff12\uff17.0.0.1",
        "a.test",
        "xn--a",
        "xn--bcher-kva",
    ),
    *(
        "b\u00fccher.test",
        "\u00ad",
        "\u2024",
        "..",
        "/./",
        "%2e%2e",
        "%",
        "%zz",
        "%00",
        "\x00",
        "\t",
        "\r\n",
        "\\",
        "#",
        "?",
    ),
    *(
        "&",
        "=",
        ";jsessionid=1",
        "utm_source=x",
        "a" * 300,
        "/a" * 200,
        "\ud800",
        "\U0001f600",
        "\u202e",
        " ",
        "*",
        "$",
    ),
)
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.text(max_size=60))
BASE = Url("http", "base.test", 80, "/dir/page?x=1")
RULES = st.builds(Rules, st.booleans(), st.just(frozenset()), st.just(frozenset()), *[st.booleans()] * 7)


@fuzz(TEXTS, RULES)
def test_every_text_can_be_resolved_formed_and_explained(text: str, rules: Rules) -> None:
    for found in (parse(text), parse(text, BASE), parse_seed_line(text)):
        if isinstance(found, Rejected):
            found.message.encode()
            assert len(found.message) < 1000
            continue
        for url in (found, fetch_form(found, rules), key_form(found, rules)):
            assert url.text.isascii()
            assert url.scheme in {"http", "https"}
            assert "@" not in url.origin
            assert 0 < url.port < 65_536
            assert url.target.isprintable()
            assert " " not in url.target
    Resolver(BASE, rules).resolve(text)
    explain(text, rules)
    without_user_info(text)
