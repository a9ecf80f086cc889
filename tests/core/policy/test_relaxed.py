"""Which refusals a change of settings may take back: never fewer than it does."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.policy import Policy
from core.policy.relaxed import WORDS, relaxed
from core.policy.verdict import Facts
from core.settings import CrawlSettings
from core.urls import Rules, Url, key_form, parse

LIMITS = st.sampled_from([0, 1, 2, 3])
TEXTS = ("/a", "/b*", "?x", "shop.test/a")
HOSTS = ("shop.test", "other.test", "127.0.0.1")


def some(choices: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(choices), max_size=2, unique=True)


def settings_of(**sections: Any) -> CrawlSettings:
    return msgspec.convert({"seeds": {"urls": ["http://shop.test/"]}, **sections}, CrawlSettings)


SETTINGS = st.builds(
    lambda **parts: settings_of(
        scope={name: parts[name] for name in ("hosts", "include", "exclude", "block_hosts", "subdomains", "follow")}
        | {"skip_extensions": parts["extensions"]},
        budgets={name: parts[name] for name in ("max_depth", "max_pages", "max_pages_per_host", "max_path_repeats")}
        | {"max_parameter_sets": parts["sets"], "max_url_length": parts["length"], "patterns": parts["patterns"]},
        normalise={"trailing_slash": parts["slash"]},
    ),
    hosts=some(HOSTS),
    include=some(TEXTS),
    exclude=some(TEXTS),
    block_hosts=some(HOSTS),
    extensions=some(("html", "css")),
    subdomains=st.booleans(),
    follow=st.booleans(),
    max_depth=LIMITS,
    max_pages=LIMITS,
    max_pages_per_host=LIMITS,
    max_path_repeats=LIMITS,
    sets=LIMITS,
    length=st.sampled_from([20, 24, 30]),
    patterns=st.lists(st.fixed_dictionaries({"pattern": st.sampled_from(TEXTS), "max_pages": LIMITS}), max_size=3),
    slash=st.booleans(),
)
URLS = st.builds(
    lambda host, path: f"http://{host}{path}",
    st.sampled_from([*HOSTS, "www.shop.test"]),
    st.sampled_from(["/", "/a", "/a/a/a", "/b.html", "/b?x=1", "/a?x=1&y=2", "/b/c.css"]),
)


@given(SETTINGS, SETTINGS, URLS, st.integers(0, 4), st.integers(0, 4), st.booleans())
def test_a_refusal_that_a_change_takes_back_is_named(
    before: CrawlSettings, after: CrawlSettings, text: str, depth: int, known: int, seed: bool
) -> None:
    url = parse(text)
    assert isinstance(url, Url)

    def reason_in(settings: CrawlSettings) -> str:
        counts = (known,) * len(settings.budgets.patterns)
        facts = Facts(depth, seed, known, known, counts, known, "seed" if seed else "link")
        return Policy(settings).judge(url, key_form(url, Rules.of(settings.normalise)), facts).reason

    then, now = reason_in(before), reason_in(after)
    if then and not now:
        assert then.partition(":")[0] in relaxed(before, after)


@given(SETTINGS, SETTINGS, SETTINGS)
def test_two_steps_name_all_that_one_does(one: CrawlSettings, two: CrawlSettings, three: CrawlSettings) -> None:
    assert relaxed(one, three) <= relaxed(one, two) | relaxed(two, three)


@given(SETTINGS)
def test_the_same_settings_take_nothing_back(settings: CrawlSettings) -> None:
    other = msgspec.structs.replace(settings, name="other", fetch=msgspec.structs.replace(settings.fetch, timeout=7.0))
    assert relaxed(settings, other) == frozenset()


STRICT: dict[str, dict[str, Any]] = {
    "scope": {"exclude": ["/a"], "block_hosts": ["b.test"], "follow": False},
    "budgets": {"max_pages": 5, "patterns": [{"pattern": "/s", "max_pages": 3}]},
    "politeness": {"nofollow": True},
}


@pytest.mark.parametrize(
    ("section", "changes", "words"),
    [
        ("scope", {"exclude": []}, {"pattern"}),
        ("scope", {"exclude": ["/a", "/b"]}, set()),
        ("scope", {"include": ["/a"]}, set()),
        ("scope", {"block_hosts": []}, {"block-host"}),
        ("scope", {"follow": True}, {"scope"}),
        ("scope", {"hosts": ["shop.test", "10.0.0.1"]}, {"scope", "private"}),
        ("scope", {"skip_extensions": []}, {"extension"}),
        ("budgets", {"max_depth": 7}, {"depth"}),
        ("budgets", {"max_depth": 0, "max_pages": 0}, {"depth", "total-limit"}),
        ("budgets", {"max_depth": 5, "max_pages": 4}, set()),
        ("budgets", {"max_url_length": 4000}, {"length"}),
        ("budgets", {"max_pages_per_host": 0}, {"host-limit"}),
        ("budgets", {"patterns": [{"pattern": "/s", "max_pages": 4}]}, {"pattern-limit"}),
        ("budgets", {"patterns": []}, {"pattern-limit"}),
        ("budgets", {"patterns": [{"pattern": "/s", "max_pages": 2}]}, set()),
        ("budgets", {"max_path_repeats": 4}, {"trap"}),
        ("budgets", {"max_parameter_sets": 0}, {"trap"}),
        ("politeness", {"nofollow": False}, {"robots"}),
        ("normalise", {"trailing_slash": True}, set(WORDS)),
        ("normalise", {"canonical": False}, set()),
        ("seeds", {"urls": ["http://shop.test/", "http://new.test/"]}, {"scope", "private"}),
        ("seeds", {"files": ["more.txt"]}, {"scope", "private"}),
    ],
)
def test_each_rule_that_is_less_strict_is_named(section: str, changes: dict[str, Any], words: set[str]) -> None:
    base = {"seeds": {"urls": ["http://shop.test/"]}, **STRICT}
    after = {**base, section: {**base.get(section, {}), **changes}}
    assert relaxed(settings_of(**base), settings_of(**after)) == words


def test_facts_have_the_order_that_the_law_relies_on() -> None:
    names = [field.name for field in dataclasses.fields(Facts)][:7]
    wanted = ["depth", "is_seed", "host_known", "total_known", "pattern_counts", "parameter_sets", "via"]
    assert names == wanted
