"""robots.txt: the collected cases, a slow oracle, hostile files."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.policy import Robots, RobotsAnswer, product_token, robots_access
from core.urls import Url, parse

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "robots.json").read_text(encoding="utf-8")
)
PURE = [case for case in CASES if "robots_txt" in case["input"]]


def verdict_of(body: bytes | str, target: str, agent: str = "FooBot") -> bool:
    return Robots.parse(body, product_token(agent)).verdict(target).allowed


@pytest.mark.parametrize("case", PURE, ids=lambda case: str(case["id"]))
@pytest.mark.parametrize("as_octets", [True, False])
def test_collected_case(case: dict[str, Any], as_octets: bool) -> None:
    given_ = case["input"]
    subject = parse(given_["url"])
    assert isinstance(subject, Url)
    body = given_["robots_txt"].encode() if as_octets else given_["robots_txt"]
    assert verdict_of(body, subject.target, given_["agent"]) is case["expect"]["allowed"]


def test_there_are_as_many_pure_cases_as_were_collected() -> None:
    assert len(PURE) >= 14


def test_a_verdict_names_its_rule_and_line() -> None:
    robots = Robots.parse("# hello\nUser-agent: *\nDisallow: /a*b$ # why\n", "foobot")
    verdict = robots.verdict("/axb")
    assert (verdict.allowed, verdict.rule, verdict.line) == (False, "Disallow: /a*b$", 3)
    assert robots.verdict("/axbc").line == 0


def test_allow_wins_a_tie_in_either_order() -> None:
    for order in ("Allow: /x\nDisallow: /x", "Disallow: /x\nAllow: /x"):
        assert verdict_of(f"User-agent: *\n{order}\n", "/x")


@pytest.mark.parametrize(
    ("rule", "target", "expected"),
    [
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-x.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/path/foo-%24", "/path/foo-", False),
        ("/a$b", "/a$b", True),
        ("/a b", "/a%20b", True),
        ("*.php", "/x.php", True),
        ("foo", "/foo", False),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", True),
        ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", True),
        ("/foo/bar?baz=https%3a%2f%2ffoo.bar", "/foo/bar?baz=https://foo.bar/x", True),
        ("/*/private", "/out?to=/private", True),
        ("/foo%2Fbar?a", "/foo/bar?a", False),
        ("/[x]", "/%5Bx%5D", True),
        ("/%5bx%5d", "/[x]", True),
        ("/?a[]=http://b", "/?a[]=http%3A%2F%2Fb", True),
        ("/foo?a=1%262", "/foo?a=1&2", False),
    ],
)
def test_escapes_are_compared_as_rfc_9309_says(rule: str, target: str, expected: bool) -> None:
    assert verdict_of(f"User-agent: *\nDisallow: {rule}\n", target) is not expected


def test_octets_that_are_no_utf8_are_compared_escaped() -> None:
    assert not verdict_of(b"User-agent: *\nDisallow: /caf\xe9\n", "/caf%E9")


def test_nul_octets_and_lone_carriage_returns_hide_nothing() -> None:
    assert not verdict_of(b"User-agent: *\r\0Disallow: /x\r", "/x")


def test_a_utf16_file_is_read() -> None:
    assert not verdict_of("\ufeffUser-agent: *\nDisallow: /x\n".encode("utf-16-le"), "/x")


def test_a_page_in_place_of_the_file_has_no_rules() -> None:
    page = "<!DOCTYPE html>\n<title>404</title>\n<style>a { color: red }</style>\n<p>User-agent: *<br>\nDisallow: /<br>"
    assert verdict_of(page, "/x")


@pytest.mark.parametrize("before", ["<!-- made by a plugin -->\n", "<pre>\n", "\x00\x01junk\n", "{\n"])
def test_rules_are_used_whatever_stands_before_them(before: str) -> None:
    assert not verdict_of(before + "User-agent: *\nDisallow: /x\n", "/x")


def test_several_names_share_a_group_and_no_other_record_parts_them() -> None:
    # RFC 9309, 2.2.4: other records must not interfere, so the rules behind a delay are those of all names before it.
    body = (
        "User-agent: a\nUser-agent: FooBot\nDisallow: /x\n\n"
        "User-agent: b\nCrawl-delay: 9\nNoise: 1\nSitemap: /s.xml\nUser-agent: *\nDisallow: /y"
    )
    assert not verdict_of(body, "/x")
    assert not verdict_of(body, "/y", "b")
    assert not verdict_of(body, "/y", "other")
    assert Robots.parse(body, "other").crawl_delay is None
    assert Robots.parse(body, "b").crawl_delay == 9


@pytest.mark.parametrize(("agent", "allowed"), [("bot1", False), ("bot2", True), ("bot", True), ("BOT1/2.0", False)])
def test_names_that_differ_in_a_digit_are_different_robots(agent: str, allowed: bool) -> None:
    assert verdict_of("User-agent: bot1\nDisallow: /x\n\nUser-agent: bot2\nDisallow: /y\n", "/x", agent) is allowed


@pytest.mark.parametrize(
    "line",
    ["Disalow: /x", "dissallow: /x", "DISSALOW: /x", "Diasllow: /x", "Disallaw: /x", "Disallow /x", "disalow\t/x # y"],
)
@pytest.mark.parametrize("head", ["User-agent: FooBot", "Useragent: FooBot", "User Agent: FooBot", "user-agent FooBot"])
def test_what_is_meant_is_read_in_spite_of_its_spelling(head: str, line: str) -> None:
    assert not verdict_of(f"{head}\n{line}\n", "/x")
    assert verdict_of(f"{head}\n{line}\n", "/y")


@pytest.mark.parametrize("line", ["Disallow", "Disallow /x and /y", "We disallow", "No bots", "Desired: /x"])
def test_a_line_of_prose_is_no_rule(line: str) -> None:
    assert verdict_of(f"User-agent: FooBot\n{line}\n", "/x")


@pytest.mark.parametrize("mark", [b"", b"\xef", b"\xef\xbb", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_of_which_only_a_part_arrived_hides_nothing(mark: bytes) -> None:
    assert not verdict_of(mark + b"User-agent: FooBot\nDisallow: /x\n", "/x")


def test_a_group_of_our_own_without_rules_allows_all() -> None:
    assert verdict_of("User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nDisallow:\n", "/x")


def test_the_delay_is_of_the_group_that_applies() -> None:
    body = "User-agent: *\nCrawl-delay: 2.5\nUser-agent: FooBot\nCrawl-delay: 7\n"
    assert Robots.parse(body, "foobot").crawl_delay == 7
    assert Robots.parse(body, "other").crawl_delay == 2.5


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "soon", ""])
def test_a_delay_that_is_no_number_of_seconds_is_none(value: str) -> None:
    assert Robots.parse(f"User-agent: *\nCrawl-delay: {value}\n", "x").crawl_delay is None


def test_sitemap_lines_are_found_anywhere_in_any_case() -> None:
    body = " sitemap:/s1.xml  \nUser-agent: other\nSITEMAP: http://example.test/s2.xml\n"
    body += "Disallow: /\nSitemap: /s3.xml?a=1:2"
    assert Robots.parse(body, "x").sitemaps == ("/s1.xml", "http://example.test/s2.xml", "/s3.xml?a=1:2")


def test_what_lies_within_500_kib_is_honoured_and_half_a_line_is_not() -> None:
    filler = "# " + "x" * 97 + "\n"
    body = "User-agent: *\n" + filler * 4000 + "Disallow: /early\n" + filler * 20_000 + "Disallow: /late\n"
    assert not verdict_of(body, "/early")
    assert verdict_of(body, "/late")
    head = "User-agent: *\n"
    edge = head + "#" * (500 * 1024 - len(head) - 13) + "\nDisallow: /private\n"
    assert verdict_of(edge, "/public")


def test_forty_stars_answer_at_once() -> None:
    """ROB-31."""
    robots = Robots.parse("User-agent: *\nDisallow: /" + "*a" * 40 + "b\n", "x")
    started = time.process_time()
    assert robots.verdict("/" + "a" * 2000).allowed
    assert time.process_time() - started < 1  # with backtracking: for ever


@pytest.mark.parametrize(
    ("agent", "token"),
    [
        ("Fronteira (+https://example.org/contact)", "Fronteira"),
        ("foo-bot_x/1.0", "foo-bot_x"),
        ("Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.test)", "FooBot"),
        ("Mozilla/5.0 (X11)", "Mozilla"),
        ("007", "007"),
        ("bot2/1.0", "bot2"),
        ("(nameless)", ""),
    ],
)
def test_the_product_token_comes_from_the_user_agent(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.parametrize(
    ("status", "outcome", "answer"),
    [
        (200, "ok", "rules"),
        (304, "not_modified", "rules"),
        (200, "error:too_large", "rules"),
        (404, "ok", "allow"),
        (410, "ok", "allow"),
        (401, "ok", "allow"),
        (403, "ok", "allow"),
        (301, "error:redirect", "allow"),
        (429, "ok", "disallow"),
        (500, "ok", "disallow"),
        (503, "ok", "disallow"),
        (200, "truncated", "disallow"),
        (None, "error:timeout", "disallow"),
        (None, "error:dns", "disallow"),
        (200, "error:decode", "disallow"),
    ],
)
def test_the_answer_decides_what_an_origin_allows(status: int | None, outcome: str, answer: str) -> None:
    assert robots_access(status, outcome) is RobotsAnswer(answer)


UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
SENT_RAW = UNRESERVED + ":/?#@!&'()*+,;=$"


def octets(text: str) -> list[str]:
    """RFC 9309, 2.2.2, one octet an element: what needs no escape as itself, all others as `%XX`."""
    out: list[str] = []
    while text:
        found = re.match("%([0-9a-fA-F]{2})", text)
        if found:
            char = chr(int(found.group(1), 16))
            out.append(char if char in UNRESERVED else found.group().upper())
        elif text[0] in SENT_RAW or text[0] == "%":
            out.append(text[0])
        else:
            out += [f"%{octet:02X}" for octet in text[0].encode()]
        text = text[found.end() if found else 1 :]
    return out


def slow_match(rule: list[str], target: list[str], *, at_end: bool) -> bool:
    if not rule:
        return not (at_end and target)
    if rule[0] == "*":
        return slow_match(rule[1:], target, at_end=at_end) or (
            bool(target) and slow_match(rule, target[1:], at_end=at_end)
        )
    literal = {"*": "%2A", "$": "%24"}
    same = bool(target) and literal.get(target[0], target[0]) == literal.get(rule[0], rule[0])
    return same and slow_match(rule[1:], target[1:], at_end=at_end)


def slow_rule(path: str, target: str) -> bool:
    at_end = path.endswith("$")
    rule = octets(path[:-1] if at_end else path)
    return any(slow_match(rule, subject, at_end=at_end) for subject in slow_readings(octets(target)))


def slow_readings(target: list[str]) -> list[list[str]]:
    """The delimiters in the query as they are, all escaped, all plain."""
    start = target.index("?") + 1 if "?" in target else len(target)
    path, query = target[:start], target[start:]
    pairs = [(delimiter, f"%{ord(delimiter):02X}") for delimiter in ":/?#@"]
    escaped, plain = dict(pairs), {escape: delimiter for delimiter, escape in pairs}
    return [path + [way.get(octet, octet) for octet in query] for way in ({}, escaped, plain)]


def slow_verdict(lines: list[tuple[str, str]], token: str, target: str) -> bool:
    """RFC 9309 read word by word."""
    groups: list[tuple[set[str], list[tuple[str, str]]]] = []
    last = ""
    for name, value in lines:
        if name == "user-agent":
            if last != "user-agent":
                groups.append((set(), []))
            groups[-1][0].add(value.partition("/")[0].lower())
        elif name in {"allow", "disallow"} and groups:
            groups[-1][1].append((name, value))
        last = name if name in {"user-agent", "allow", "disallow"} else last
    own = [rules for names, rules in groups if token in names]
    star = [rules for names, rules in groups if "*" in names]
    rules = [rule for group in (own or star) for rule in group if rule[1]]
    hits = [(sum(map(len, octets(path))), name == "allow") for name, path in rules if slow_rule(path, target)]
    return max(hits, default=(0, True))[1]


PIECES = st.sampled_from(
    ["a", "b", "/", "*", "%61", "%2f", "%2F", "%2A", "%24", "$", "%", "é", "%c3%A9", "?", "=", "~"]
)
PATHS = st.lists(PIECES, max_size=5).map("".join)
LINES = st.lists(
    st.one_of(
        st.tuples(st.just("user-agent"), st.sampled_from(["foo", "Foo/1.2", "foo2", "bar", "*"])),
        st.tuples(st.sampled_from(["allow", "disallow"]), st.one_of(st.just(""), PATHS.map(lambda path: "/" + path))),
        st.tuples(st.just("disallow"), PATHS.map(lambda path: f"/{path}$")),
        st.tuples(st.just("crawl-delay"), st.just("2")),
        st.tuples(st.just("noise"), st.just("/")),
        st.tuples(st.just("sitemap"), st.just("/s.xml")),
    ),
    max_size=12,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r", "  # note\n", "\n\n"]), PATHS)
def test_a_file_is_read_as_the_slow_oracle_reads_it(lines: list[tuple[str, str]], end: str, path: str) -> None:
    body = "".join(f"{name.title()}: {value}{end}" for name, value in lines)
    assert verdict_of(body, "/" + path, "foo") is slow_verdict(lines, "foo", "/" + path)


MANY = 66  # more rules with stars than are asked one by one
NAMES = ["".join("ghijklmnop"[int(digit)] for digit in str(number)) for number in range(MANY)]  # no hexadecimal digits


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["allow", "disallow"]), PATHS.map("/{}".format)), max_size=6),
    st.sampled_from(["/*{}", "/*a{}*$", "/*{}*b", "/{}*", "/*xxxxxxxxx{}xxxxxxxxx"]),
    st.sampled_from(NAMES),
    st.sampled_from(["{path}", "{path}{hit}", "{hit}{path}", "{path}{hit}b"]),
    PATHS,
)
def test_many_rules_with_stars_are_read_as_the_slow_oracle_reads_them(
    lines: list[tuple[str, str]], form: str, name: str, order: str, path: str
) -> None:
    """Whichever of the many a target has in it, and whichever of the few others."""
    rules = [("user-agent", "*"), *lines, *(("disallow", form.format(each)) for each in NAMES), *lines]
    robots = Robots.parse("".join(f"{word}: {value}\n" for word, value in rules), "foo")
    target = "/" + order.format(path=path, hit=form.format(name).strip("/*$").replace("*", "/"))
    told = robots.verdict(target)
    assert told.allowed is slow_verdict(rules, "foo", target)
    if told.line:
        word, value = rules[told.line - 1]
        assert (word == "allow") is told.allowed
        assert slow_rule(value, target)


def test_fifty_thousand_rules_with_stars_look_only_at_those_a_target_may_match() -> None:
    body = "User-agent: *\n" + "".join(f"Disallow: /*{number}\n" for number in range(50_000))
    robots = Robots.parse(body, "x")
    asked = [rule for rules in robots._wild.under("/product/1234") for rule in rules]
    assert {rule.text for rule in asked} >= {"Disallow: /*1234", "Disallow: /*12"}
    assert len(asked) < 20
    assert robots.verdict("/product/1234").rule == "Disallow: /*1234"


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_body_and_any_target_have_a_verdict(body: bytes, target: str) -> None:
    assert Robots.parse(body, "foo").verdict("/" + target).line >= 0
