"""The judge at the door: scope, exclusions, limits, traps, and the words of its reasons."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy import Facts, Policy
from core.settings import CrawlSettings
from core.urls import Rules, Url, key_form, parse

LINK = Facts(depth=1)
SEED = Facts(depth=0, is_seed=True, via="seed")


def policy(extra: frozenset[str] = frozenset(), **sections: Any) -> Policy:
    sections.setdefault("seeds", {"urls": ["http://shop.test/"]})
    return Policy(msgspec.convert(sections, CrawlSettings), extra)


def url(text: str) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url)
    return parsed


def reason(judge: Policy, text: str, facts: Facts = LINK) -> str:
    fetch = url(text)
    verdict = judge.judge(fetch, key_form(fetch, Rules()), facts)
    assert verdict.allowed is (not verdict.reason)
    assert verdict.state == ("pending" if verdict.allowed else "refused")
    return verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "http://target.test.evil.example/",
        "http://target.test@evil.example/",
        "http://evil.example/target.test",
        "http://nottarget.test/",
        "http://sub.target.test/",
    ],
)
def test_hosts_are_compared_as_parsed_names(text: str) -> None:
    assert reason(policy(seeds={"urls": ["http://target.test/"]}), text) == "scope"


def test_the_seeds_hosts_are_the_scope_at_any_port_and_scheme() -> None:
    judge = policy(seeds={"urls": ["http://Shop.TEST:8080/x"], "sitemaps": ["https://maps.test/s.xml", "auto"]})
    assert reason(judge, "https://shop.test/y") == ""
    assert reason(judge, "http://maps.test/y") == ""
    assert reason(judge, "http://other.test/") == "scope"


def test_written_hosts_replace_the_seeds_hosts_but_not_the_seeds() -> None:
    judge = policy(scope={"hosts": ["a.test", "b.test:81", "*.c.test"]})
    assert reason(judge, "http://a.test:99/") == ""
    assert reason(judge, "http://b.test:81/") == ""
    assert reason(judge, "http://b.test/") == "scope"
    assert reason(judge, "http://x.c.test/") == ""
    assert reason(judge, "http://c.test/") == "scope"
    assert reason(judge, "http://shop.test/") == "scope"
    assert reason(judge, "http://shop.test/", SEED) == ""


def test_subdomains_are_in_scope_by_choice() -> None:
    judge = policy(scope={"subdomains": True})
    assert reason(judge, "http://a.b.shop.test/") == ""
    assert reason(judge, "http://ashop.test/") == "scope"


def test_www_counts_as_the_same_host_by_choice() -> None:
    assert reason(policy(normalise={"ignore_www": True}), "http://www.shop.test/") == ""


def test_a_seeds_redirect_widens_the_scope() -> None:
    assert reason(policy(), "http://new.test/", Facts(depth=1, extra_hosts=frozenset(["new.test"]))) == ""
    assert reason(policy(frozenset(["new.test"])), "http://new.test/") == ""


@given(
    st.lists(st.sampled_from(["new.test", "www.new.test", "[::1]", "shop.test"]), max_size=3),
    st.sampled_from(["new.test", "a.new.test", "www.new.test", "new.test:81", "[::1]", "c.test", "a.c.test", "other"]),
    st.booleans(),
    st.booleans(),
)
def test_a_judge_that_was_widened_judges_as_one_made_so(
    hosts: list[str], asked: str, subdomains: bool, ignore_www: bool
) -> None:
    sections: dict[str, Any] = {
        "scope": {"subdomains": subdomains, "hosts": ["*.c.test"]},
        "normalise": {"ignore_www": ignore_www},
    }
    judge = policy(**sections)
    for host in hosts:
        reason(judge, f"http://{asked}/")  # which it remembers, by host
        judge = judge.widened(host)
    assert reason(judge, f"http://{asked}/") == reason(policy(frozenset(hosts), **sections), f"http://{asked}/")


def test_list_mode_follows_no_link_but_a_redirect() -> None:
    judge = policy(scope={"follow": False})
    assert reason(judge, "http://shop.test/x") == "scope"
    assert reason(judge, "http://shop.test/x", SEED) == ""
    assert reason(judge, "http://shop.test/x", Facts(depth=0, via="sitemap")) == ""
    assert reason(judge, "http://shop.test/x", Facts(depth=0, via="redirect")) == ""


def test_seeds_are_exempt_from_includes_and_never_from_exclusions() -> None:
    judge = policy(scope={"include": ["/product/"], "exclude": ["/product/old"]})
    assert reason(judge, "http://shop.test/product/1") == ""
    assert reason(judge, "http://shop.test/other") == "pattern: not included"
    assert reason(judge, "http://shop.test/other", SEED) == ""
    assert reason(judge, "http://shop.test/product/old/1", SEED) == "pattern: /product/old"


def test_a_known_url_hit_by_an_exclusion_is_excluded_with_the_pattern() -> None:
    judge = policy(scope={"exclude": ["/calendar/", "/?filter="], "block_hosts": ["bad.test"]})
    assert judge.excluded(url("http://shop.test/list?filter=red")) == "pattern: /?filter="
    assert judge.excluded(url("http://bad.test/")) == "block-host"
    assert judge.excluded(url("http://shop.test/list")) is None


def test_a_known_url_with_an_extension_that_is_skipped_now_is_excluded_by_the_spelling_that_is_fetched() -> None:
    judge = policy(scope={"skip_extensions": ["pdf"], "exclude": ["/old/"]})
    assert judge.excluded(url("http://shop.test/old/A.PDF?x=1")) == "extension"
    assert judge.excluded(url("http://shop.test/old/A.html")) == "pattern: /old/"
    assert judge.excluded(url("http://shop.test/a.pdf"), url("http://shop.test/a.pdf/")) is None


def test_a_known_url_that_a_narrower_scope_refuses_is_left_out_unless_it_is_a_seed() -> None:
    below = url("http://sub.shop.test/a")
    narrow = policy()
    assert policy(scope={"subdomains": True}).leaves_out(below, below) == ""
    assert narrow.leaves_out(below, below) == "scope"
    assert narrow.leaves_out(below, below, "seed", seed=True) == ""
    assert policy(frozenset({"sub.shop.test"})).leaves_out(below, below) == ""


def test_list_mode_leaves_out_known_urls_that_only_links_led_to() -> None:
    page = url("http://shop.test/a")
    judge = policy(scope={"follow": False})
    assert judge.leaves_out(page, page) == "scope"
    assert {judge.leaves_out(page, page, way) for way in ("sitemap", "redirect")} == {""}


def test_blocked_hosts_are_refused_seeds_too() -> None:
    judge = policy(scope={"block_hosts": ["shop.test", "*.ads.test"], "hosts": ["shop.test", "a.ads.test"]})
    assert reason(judge, "http://shop.test/", SEED) == "block-host"
    assert reason(judge, "http://a.ads.test/") == "block-host"


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8701/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "http://0.0.0.0/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "http://[2002:7f00:1::]/",
        "http://localhost/",
        "http://x.localhost/",
    ],
)
def test_private_addresses_are_refused_in_every_spelling(text: str) -> None:
    fetch = url(text)
    judge = policy(frozenset([fetch.host]))
    assert reason(judge, text) == "private"
    assert reason(judge, text, Facts(depth=0, is_seed=True, via="redirect")) == "private"


@pytest.mark.parametrize("text", ["http://8.8.8.8/", "http://[2606:4700::1111]/", "http://[::ffff:8.8.8.8]/"])
def test_public_addresses_are_not_private(text: str) -> None:
    assert reason(policy(frozenset([url(text).host])), text) == ""


def test_a_written_private_host_is_allowed_at_its_port_only() -> None:
    judge = policy(seeds={"urls": ["http://127.0.0.1:8700/"]})
    assert reason(judge, "http://127.0.0.1:8700/x") == ""
    assert reason(judge, "http://127.0.0.1:8701/x") == "private"
    assert judge.listed() == {"127.0.0.1:8700"}
    wide = policy(scope={"hosts": ["127.0.0.1", "[::1]:80"]})
    assert reason(wide, "http://127.0.0.1:9/") == ""
    assert reason(wide, "http://[::1]/") == ""
    assert reason(wide, "http://[::1]:81/") == "scope"
    assert wide.listed() == {"127.0.0.1", "[::1]:80", "shop.test:80"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://shop.test/a.css", "extension"),
        ("http://shop.test/a.CSS?v=1", "extension"),
        ("http://shop.test/a.css;v=1", "extension"),
        ("http://shop.test/a.css/b", ""),
        ("http://shop.test/x?file=a.css", ""),
        ("http://shop.test/css", ""),
        ("http://shop.test/page.html", ""),
    ],
)
def test_extensions_are_judged_on_the_last_segment(text: str, expected: str) -> None:
    assert reason(policy(), text) == expected


def test_a_url_may_be_as_long_as_the_limit() -> None:
    judge = policy(budgets={"max_url_length": 100})
    start = "http://shop.test/"
    assert reason(judge, start + "x" * (100 - len(start))) == ""
    assert reason(judge, start + "x" * (101 - len(start))) == "length"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a/a/a", ""),
        ("/a/a/a/a", "trap: path repeats"),
        ("/a/b/a/b/a/b/a", "trap: path repeats"),
        ("/a/b/c/d/e/f", ""),
        ("/a//////b", ""),
        ("/x?" + "/a" * 9, ""),
    ],
)
def test_a_segment_that_keeps_coming_back_is_a_trap(path: str, expected: str) -> None:
    assert reason(policy(), "http://shop.test" + path) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (Facts(depth=6), ""),
        (Facts(depth=7), "depth"),
        (Facts(depth=1, host_known=4), ""),
        (Facts(depth=1, host_known=5), "host-limit"),
        (Facts(depth=1, total_known=9), ""),
        (Facts(depth=1, total_known=10), "total-limit"),
        (Facts(depth=1, pattern_counts=(1, 2)), ""),
        (Facts(depth=1, pattern_counts=(9, 3)), "pattern-limit: /search*"),
        (Facts(depth=1, parameter_sets=99), ""),
        (Facts(depth=1, parameter_sets=100), "trap: parameters"),
    ],
)
def test_counts_decide_at_their_limit(facts: Facts, expected: str) -> None:
    budgets = {
        "max_pages_per_host": 5,
        "max_pages": 10,
        "patterns": [{"pattern": "/other", "max_pages": 1}, {"pattern": "/search*", "max_pages": 3}],
    }
    judge = policy(budgets=budgets)
    assert reason(judge, "http://shop.test/search?q=1", facts) == expected
    assert judge.budget_patterns(url("http://shop.test/search?q=1")) == (1,)


def test_many_parameter_sets_do_not_stop_the_path_itself() -> None:
    assert reason(policy(), "http://shop.test/search", Facts(depth=1, parameter_sets=500)) == ""


def test_a_limit_of_zero_is_no_limit() -> None:
    none = {"max_depth": 0, "max_pages": 0, "max_pages_per_host": 0, "max_path_repeats": 0, "max_parameter_sets": 0}
    judge = policy(budgets={**none, "patterns": [{"pattern": "/", "max_pages": 0}]})
    far = Facts(depth=99, host_known=10**6, total_known=10**7, pattern_counts=(10**6,), parameter_sets=10**6)
    assert reason(judge, "http://shop.test/" + "a/" * 50 + "?x=1", far) == ""


def test_the_static_part_knows_neither_counts_nor_depth() -> None:
    judge = policy(scope={"exclude": ["/no/"]})
    crowded = Facts(depth=99, host_known=10**6)
    assert judge.static(url("http://shop.test/yes"), url("http://shop.test/yes"), crowded) == ""
    assert judge.static(url("http://shop.test/no/"), url("http://shop.test/no/"), crowded) == "pattern: /no/"


def test_explaining_asks_every_rule_and_decides_alike() -> None:
    judge = policy(scope={"exclude": ["/no/"]}, priority={"patterns": [{"pattern": "/no/", "bonus": 20}]})
    subject = url("http://shop.test/no/a.css")
    told = judge.judge(subject, subject, Facts(depth=9), explain=True)
    short = judge.judge(subject, subject, Facts(depth=9))
    assert (told.allowed, told.reason, told.state) == (short.allowed, short.reason, short.state)
    failed = [step.detail for step in told.steps if not step.passed]
    assert failed == ["extension", "pattern: /no/", "depth"]
    assert ("priority: bonus", "+20") in [(step.rule, step.detail) for step in told.steps]


def test_priority_and_front_come_with_an_admission() -> None:
    judge = policy(priority={"patterns": [{"pattern": "/product/*", "bonus": 20}, {"pattern": "*", "bonus": 1}]})
    product, other = url("http://shop.test/product/1"), url("http://shop.test/other")
    favoured = judge.judge(product, product, Facts(depth=5))
    plain = judge.judge(other, other, Facts(depth=5))
    assert (favoured.priority, favoured.front) == (71, 0)
    assert (plain.priority, plain.front) == (51, 1)


WORDS = ("pattern:", "depth", "length", "host-limit", "total-limit", "pattern-limit:", "trap:", "scope", "private")
URLS = st.builds(
    lambda host, path: f"http://{host}/{path}",
    st.sampled_from(["shop.test", "a.shop.test", "127.0.0.1", "[::1]", "x.localhost", "xn--bcher-kva.test"]),
    st.text(max_size=40),
)
FACTS = st.builds(
    Facts,
    depth=st.integers(0, 50),
    is_seed=st.booleans(),
    host_known=st.integers(0, 10**7),
    total_known=st.integers(0, 10**7),
    pattern_counts=st.lists(st.integers(0, 100), max_size=3).map(tuple),
    parameter_sets=st.integers(0, 1000),
    via=st.sampled_from(["link", "seed", "sitemap", "redirect", "canonical"]),
    lastmod_age=st.none() | st.floats(),
    inlinks=st.integers(0, 10**6),
    changes=st.integers(-99, 99),
)


@given(URLS, FACTS)
def test_the_judge_always_answers_and_explains_the_same(text: str, facts: Facts) -> None:
    judge = policy(
        scope={"exclude": ["/a", "?b=", "re:c$"], "include": ["/", "re:d"], "subdomains": True},
        budgets={"patterns": [{"pattern": "/*x", "max_pages": 5}]},
    )
    fetch = parse(text)
    if not isinstance(fetch, Url):
        return
    key = key_form(fetch, Rules())
    verdict = judge.judge(fetch, key, facts)
    assert verdict.allowed or verdict.reason.startswith((*WORDS, "extension"))
    told = judge.judge(fetch, key, facts, explain=True)
    assert (told.allowed, told.reason) == (verdict.allowed, verdict.reason)
