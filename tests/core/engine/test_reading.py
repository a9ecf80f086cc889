"""Which of a page's references to one URL stands for all of them."""

from __future__ import annotations

from itertools import permutations

import pytest

from core.engine.reading import Body, read_body
from core.engine.rules import RulesInForce
from core.settings import CrawlSettings, Pages
from core.urls import Url

PAGE = Url("http", "shop.test", 80, "/")
FOLLOWED = '<a href="/x">followed</a>'
NOFOLLOW = '<a href="/x#top" rel="nofollow">not followed</a>'
SHOWN = '<img src="/x">'


def kinds(markup: str, *headers: tuple[str, str]) -> list[tuple[str, str, bool]]:
    rules = RulesInForce(CrawlSettings(pages=Pages(resources=True)))
    body = Body(PAGE, markup.encode(), "text/html", "utf-8", headers)
    return [(link.key.target, link.kind, link.nofollow) for link in read_body(rules, body).links]


@pytest.mark.parametrize("order", list(permutations((FOLLOWED, NOFOLLOW, SHOWN))))
def test_the_one_that_is_followed_wins_wherever_it_stands(order: tuple[str, ...]) -> None:
    assert kinds("".join(order)) == [("/x", "a", False)]


def test_the_first_stands_for_several_of_one_rank() -> None:
    assert kinds(NOFOLLOW + SHOWN) == [("/x", "a", True)]
    assert kinds(SHOWN + NOFOLLOW) == [("/x", "resource", False)]


def test_a_link_header_is_a_reference_like_another() -> None:
    assert kinds(NOFOLLOW, ("Link", "</x>; rel=next")) == [("/x", "next", False)]


def test_links_keep_the_order_of_the_page() -> None:
    found = kinds(f'<a href="/1">1</a>{NOFOLLOW}<a href="/2">2</a>{FOLLOWED}')
    assert [target for target, *_ in found] == ["/1", "/x", "/2"]
