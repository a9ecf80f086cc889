"""URLs tried against a robots.txt: the engine's own decisions, each with the line that made it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.policy.robots import Robots
from core.settings import Normalise
from core.urls import Rules, Url, fetch_form, parse
from gui.robots.trial import Answer, Decision, Question, try_urls

TEXT = """User-agent: *
Disallow: /

User-agent: Fronteira
Disallow: /private/
Allow: /private/open
Crawl-delay: 2
Sitemap: https://shop.test/sitemap.xml
"""


def tried(lines: str, *, text: str = TEXT, name: str = "Fronteira", origin: str = "") -> Answer:
    return try_urls(Question(text, name, lines, origin, Normalise()))


def test_each_line_is_decided_by_its_rule() -> None:
    found = tried("https://shop.test/private/1\n\n/private/open/2\nhttps://shop.test/p")
    assert found.decisions == (
        Decision("https://shop.test/private/1", False, "Disallow: /private/", 5),
        Decision("/private/open/2", True, "Allow: /private/open", 6),
        Decision("https://shop.test/p", True),
    )
    assert found.lines() == {5: (False, 1), 6: (True, 1)}
    assert (found.crawl_delay, found.sitemaps) == (2.0, ("https://shop.test/sitemap.xml",))


def test_another_name_has_other_rules() -> None:
    assert tried("/p", name="Other").decisions == (Decision("/p", False, "Disallow: /", 2),)


def test_paths_are_of_the_origin_and_urls_of_others_are_not_judged() -> None:
    paths, other = tried("/private/1\nhttps://other.test/private/1", origin="https://shop.test").decisions
    assert (paths.url, paths.allowed) == ("https://shop.test/private/1", False)
    assert "https://other.test decides" in other.problem


def test_a_line_that_is_no_url_is_told() -> None:
    (decision,) = tried("shop.test/x").decisions
    assert "did you mean" in decision.problem


def test_more_lines_than_can_be_shown_are_counted() -> None:
    found = tried("\n".join(f"/{number}" for number in range(1003)))
    assert (len(found.decisions), found.left_out) == (1000, 3)


@given(st.text(max_size=200), st.text("/ab*$?%2Fé", max_size=30))
def test_the_tester_decides_as_the_engine_does(text: str, path: str) -> None:
    address = f"https://shop.test/{path}"
    url = parse(address)
    assert isinstance(url, Url)
    expected = Robots.parse(text, "Fronteira").verdict(fetch_form(url, Rules()).target)
    (found,) = tried(address, text=text).decisions
    assert (found.allowed, found.rule, found.line) == (expected.allowed, expected.rule, expected.line)
