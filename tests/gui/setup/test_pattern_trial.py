from __future__ import annotations

from core.settings import Normalise
from gui.setup.pattern_trial import Answer, Question, kind_of, try_patterns

URLS = ("https://n.example/calendar/2031/04", "https://n.example/a?sort=x", "https://n.example/b")


def answer(*patterns: str, current: int = 0, urls: tuple[str, ...] = URLS) -> Answer:
    return try_patterns(Question(patterns, current, urls, Normalise()), now=lambda: 0.0)


def test_matches_are_counted_by_pattern() -> None:
    assert answer("/calendar/", "/*?sort=", "n.example", "/none/").counts == (1, 1, 3, 0)


def test_the_matching_part_of_the_current_pattern_is_known() -> None:
    hits = answer("/none/", "/calendar/", current=1).hits
    start, end = hits[0].span or (0, 0)
    assert hits[0].url[start:end] == "/calendar/"
    assert [hit.span for hit in hits[1:]] == [None, None]


def test_matches_come_first() -> None:
    hits = answer("/b").hits
    assert [(hit.url, hit.span is not None) for hit in hits[:2]] == [(URLS[2], True), (URLS[0], False)]


def test_a_wrong_pattern_has_its_sentence_and_the_others_still_count() -> None:
    got = answer("re:(", "/calendar/")
    assert got.counts == (None, 1)
    assert "not valid" in got.problems[0]


def test_an_empty_row_is_no_problem_yet() -> None:
    assert answer("", "/b").problems == {}


def test_patterns_see_the_form_that_is_compared() -> None:
    got = answer("/a/", urls=("http://x.example/a/%7eb?utm_source=mail",))
    assert got.hits[0].url == "http://x.example/a/~b"


def test_a_pattern_that_takes_too_long_is_not_counted_to_the_end() -> None:
    clock = iter(range(1000))
    got = try_patterns(Question(("/a",), 0, URLS, Normalise()), now=lambda: float(next(clock)))
    assert got.counts == (None,)


def test_kinds_have_names() -> None:
    assert [kind_of(text) for text in ("/a", "?b", "re:x", "shop.example", "")] == [
        "Path",
        "Parameter",
        "Expression",
        "Host",
        "",
    ]
