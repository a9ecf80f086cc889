"""Advice is proved by pairs, and one counter-example forbids it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.advice import DROP, FEWEST_PAIRS, SWITCHES, Advice, Answer, advise, with_rule, without_rule
from core.settings import Normalise
from core.urls import Rules, Url, key_form, parse

PLAIN = Normalise(sort_parameters=False)
SPELLINGS = {
    "sort_parameters": ("http://a.test/{0}?x=1&y=2", "http://a.test/{0}?y=2&x=1"),
    "trailing_slash": ("http://a.test/{0}", "http://a.test/{0}/"),
    "ignore_www": ("http://a.test/{0}", "http://www.a.test/{0}"),
    "index_pages": ("http://a.test/{0}/", "http://a.test/{0}/index.html"),
    "lower_path": ("http://a.test/p{0}", "http://a.test/P{0}"),
    "ignore_scheme": ("http://a.test/{0}", "https://a.test/{0}"),
}


def url(text: str) -> Url:
    made = parse(text)
    assert isinstance(made, Url)
    return made


def answer(text: str, content: str = "", *, leads_to: str = "") -> Answer:
    return Answer(url(text), content.encode() if content else None, leads_to, missing=not content and not leads_to)


def twice(first: str, second: str, pages: int = FEWEST_PAIRS) -> list[Answer]:
    """So many pages, each with the same content under two spellings."""
    return [answer(spelling.format(page), f"body {page}") for page in range(pages) for spelling in (first, second)]


def proposed(answers: list[Answer], normalise: Normalise = PLAIN) -> list[str]:
    return [advice.setting for advice in advise(answers, normalise) if advice.is_proposed]


@pytest.mark.parametrize("rule", SWITCHES)
def test_a_difference_that_never_changes_the_content_is_proposed_as_its_rule(rule: str) -> None:
    (advice,) = advise(twice(*SPELLINGS[rule]), PLAIN)
    assert advice.setting == f"{rule} = true"
    assert advice.is_proposed
    assert (advice.compared, advice.same, advice.contents) == (FEWEST_PAIRS, FEWEST_PAIRS, FEWEST_PAIRS)
    assert advice.alike[0] == tuple(spelling.format(0) for spelling in SPELLINGS[rule])


@pytest.mark.parametrize("rule", SWITCHES)
def test_one_counter_example_forbids_it_and_is_shown(rule: str) -> None:
    first, second = SPELLINGS[rule]
    others = [answer(first.format("z"), "one"), answer(second.format("z"), "two")]
    found = advise(twice(first, second, 100) + others, PLAIN)
    (advice,) = (advice for advice in found if advice.rule == rule)
    assert not any(advice.is_proposed for advice in found)
    assert (advice.compared, advice.same) == (101, 100)
    assert advice.unlike == ((first.format("z"), second.format("z")),)


def test_a_rule_in_force_needs_no_advice() -> None:
    for rule in SWITCHES:
        assert advise(twice(*SPELLINGS[rule]), with_rule(PLAIN, rule)) == ()


def test_too_few_pairs_prove_nothing() -> None:
    assert proposed(twice(*SPELLINGS["trailing_slash"], FEWEST_PAIRS - 1)) == []


def test_one_page_that_answers_everything_proves_nothing() -> None:
    answers = [answer(f"http://a.test/item?id={number}", "Nothing here") for number in range(100)]
    (advice,) = advise(answers, PLAIN)
    assert (advice.compared, advice.same, advice.contents) == (99, 99, 1)
    assert not advice.is_proposed


def test_a_parameter_that_changes_nothing_is_proposed_and_one_that_does_is_not() -> None:
    answers = [
        answer(f"http://a.test/list?page={page}&from={origin}", f"page {page}")
        for page in range(6)
        for origin in ("menu", "home", "foot")
    ]
    assert proposed(answers) == ['drop_parameters = ["from"]']
    against = {advice.parameter: advice.same for advice in advise(answers, PLAIN)}
    assert against["page"] == 0


def test_a_page_with_the_parameter_is_compared_with_the_page_without_it() -> None:
    answers = twice("http://a.test/{0}", "http://a.test/{0}?a%5B%5D=1")
    assert proposed(answers) == ['drop_parameters = ["a[]"]']
    assert proposed(answers, Normalise(keep_parameters=("a[]",))) == []


def test_a_redirect_to_the_other_spelling_is_the_sites_own_word() -> None:
    answers = []
    for page in range(FEWEST_PAIRS):
        answers += [answer(f"http://a.test/{page}", leads_to=f"http://a.test/{page}/")]
        answers += [answer(f"http://a.test/{page}/", f"body {page}")]
    assert proposed(answers) == ["trailing_slash = true"]


def test_a_missing_page_beside_one_that_is_there_speaks_against_the_rule() -> None:
    answers = [answer("http://a.test/x"), answer("http://a.test/x/", "here")]
    (advice,) = advise(answers, PLAIN)
    assert (advice.compared, advice.same) == (1, 0)
    assert advise([answer("http://a.test/x"), answer("http://a.test/x/")], PLAIN) == ()


def test_the_section_with_one_more_rule_keeps_the_others() -> None:
    dropped = with_rule(with_rule(Normalise(drop_parameters=("a",)), DROP, "b"), "lower_path")
    assert dropped == Normalise(drop_parameters=("a", "b"), lower_path=True)
    assert without_rule(without_rule(dropped, DROP, "b"), "lower_path") == Normalise(drop_parameters=("a",))


PATHS = st.sampled_from(
    ["/a", "/a/", "/A", "/a/index.html", "/b", "/b/", "/a?x=1", "/a?x=2", "/a?x=1&y=1", "/a?y=1&x=1"]
)
ANSWERS = st.lists(
    st.builds(
        lambda scheme, host, path, content: answer(f"{scheme}://{host}{path}", content),
        *(st.sampled_from(["http", "https"]), st.sampled_from(["a.test", "www.a.test"]), PATHS),
        st.sampled_from(["", "one", "two"]),
    ),
    unique_by=lambda made: key_form(made.url, Rules.of(PLAIN)).text,
    max_size=40,
)


@given(ANSWERS)
def test_advice_never_contradicts_a_counter_example(answers: list[Answer]) -> None:
    for advice in advise(answers, PLAIN):
        assert bool(_counter_examples(advice, answers)) == (advice.same < advice.compared)
        assert advice.same <= advice.compared
        assert bool(advice.unlike) == (advice.same < advice.compared)


def _counter_examples(advice: Advice, answers: list[Answer]) -> list[tuple[str, str]]:
    wider = Rules.of(with_rule(PLAIN, advice.rule, advice.parameter))
    return [
        (one.url.text, other.url.text)
        for one, other in combinations(answers, 2)
        if key_form(one.url, wider) == key_form(other.url, wider) and one.content != other.content
    ]
