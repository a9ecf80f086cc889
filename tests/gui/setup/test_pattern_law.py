"""What the pattern editor shows is what the engine does: the same patterns, on the same forms of a URL."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from core.policy.policy import Policy
from core.policy.verdict import Facts
from core.settings import CrawlSettings, Normalise
from core.urls import Rules, Url, fetch_form, key_form, parse
from gui.setup.pattern_count import CountQuestion, count_known
from gui.setup.pattern_trial import Question, try_patterns
from tests.small_crawl import SITE, SmallCrawl, settings_of

SEGMENTS = st.sampled_from(["a", "A", "ab", "b", "calendar", "a%2Fb", "%7Eb", "*", "é", "index.html", ""])
PATHS = st.lists(SEGMENTS, max_size=3).map(lambda parts: "/" + "/".join(parts))
QUERIES = st.lists(st.sampled_from(["sort=x", "sort=price", "filter", "b=2", "utm_source=m", "sort="]), max_size=2)
URLS = st.builds(
    lambda host, path, query: f"http://{host}{path}{'?' + '&'.join(query) if query else ''}",
    st.sampled_from(["shop.test", "www.shop.test", "shop.test:8080"]),
    PATHS,
    QUERIES,
)
PATH_PARTS = st.lists(
    st.sampled_from(["/", "a", "ab", "b", "*", r"\*", "$", "calendar", "%7Eb", "~b", "é"]), max_size=4
)
PATTERNS = st.one_of(
    PATH_PARTS.map(lambda parts: "/" + "".join(parts)),
    st.builds(
        lambda path, query: f"{path}?{query}",
        PATH_PARTS.map(lambda parts: "/" + "".join(parts)) | st.just(""),
        st.sampled_from(["sort", "sort=", "sort=price", "filter", "b=2&sort", "*=x"]),
    ),
    st.builds("{}{}".format, st.sampled_from(["shop.test", "www.shop.test", "*.shop.test", "shop.test:8080"]), PATHS),
    st.sampled_from(["re:/a+b?$", "re:sort=(x|price)", r"re:^http://shop\.test/", "re:[A-Z]", "re:calendar"]),
)
NORMALISE = st.builds(
    Normalise, lower_path=st.booleans(), ignore_www=st.booleans(), trailing_slash=st.booleans(), tracking=st.booleans()
)


def settings_with(normalise: Normalise, key: str, patterns: list[str]) -> CrawlSettings:
    """Nothing but these patterns decides."""
    folded = {name: getattr(normalise, name) for name in Normalise.__struct_fields__}
    scope = {"hosts": ["shop.test", "www.shop.test"], "skip_extensions": [], key: patterns}
    budgets = {"max_depth": 0, "max_path_repeats": 0, "max_parameter_sets": 0}
    return settings_of(scope=scope, budgets=budgets, normalise=folded)


def shown_by_the_editor(patterns: list[str], url: str, normalise: Normalise) -> list[bool]:
    """For each pattern, whether the editor shows it to match; patterns that cannot be compiled are left out."""
    answer = try_patterns(Question(tuple(patterns), 0, (url,), normalise), now=lambda: 0.0)
    assert not answer.problems
    return [count == 1 for count in answer.counts]


def is_pattern(text: str) -> bool:
    return not try_patterns(Question((text,), 0, (), Normalise()), now=lambda: 0.0).problems


VALID = st.lists(PATTERNS.filter(is_pattern), min_size=1, max_size=4)


@examples(max_examples=300, deadline=None)
@given(VALID, URLS, NORMALISE)
def test_the_engine_judges_a_url_as_the_editor_shows_it(patterns: list[str], text: str, normalise: Normalise) -> None:
    url = parse(text)
    assert isinstance(url, Url)
    rules = Rules.of(normalise)
    fetch, key = fetch_form(url, rules), key_form(url, rules)
    matching = shown_by_the_editor(patterns, text, normalise)
    first = next((pattern for pattern, hit in zip(patterns, matching, strict=True) if hit), None)
    excluding = Policy(settings_with(normalise, "exclude", patterns))
    verdict = excluding.judge(fetch, key, Facts(depth=1))
    assert (verdict.allowed, excluding.excluded(key) is None) == (first is None, first is None)
    if first is not None:
        assert verdict.reason in {f"pattern: {text}" for text, hit in zip(patterns, matching, strict=True) if hit}
    including = Policy(settings_with(normalise, "include", patterns)).judge(fetch, key, Facts(depth=1))
    assert including.allowed == (first is not None)


@examples(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(VALID, st.lists(URLS, min_size=1, max_size=8), NORMALISE)
def test_rows_end_as_the_editor_showed_them(patterns: list[str], urls: list[str], normalise: Normalise) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl = SmallCrawl(Path(folder) / "a.crawl", settings_with(normalise, "exclude", []))
        (root,) = crawl.turn().work
        crawl.turn(crawl.page(root, *urls), granting=False)
        question = CountQuestion(crawl.path, tuple(patterns), True, normalise)
        counted = count_known(question, lambda: False, lambda _: None)
        crawl.change(settings_with(normalise, "exclude", patterns))
        crawl.crawl({})
        rows = "SELECT base || path, state = 5 FROM url JOIN origin ON origin.id = origin_id"
        found = dict(crawl.ask(rows))
        for text, excluded in found.items():
            hit = any(shown_by_the_editor(patterns, text, normalise))
            assert bool(excluded) == (hit and text != f"{SITE}/"), text  # the root was answered before
        taken = sum(found.values()) + any(shown_by_the_editor(patterns, f"{SITE}/", normalise))
        assert counted.together == taken
        assert counted.total == len(found)
        crawl.assert_sound()
