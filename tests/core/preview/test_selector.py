"""The selector of what a person points at: it finds that and nothing else, and does without what will not last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from core.parse.html import parse
from core.preview.selector import is_name, selector_of
from tests.core.preview.pages_to_point_at import LIST, MARKUP, PRODUCT

if TYPE_CHECKING:
    from turbohtml import Element

LASTING = [
    ("h1", "h1"),
    ("main > div", ".price"),
    ("main > p", '[data-testid="sku"]'),
    ("time", "time"),
    ("b", "#content b"),
    ("td:nth-of-type(2)", ".facts > tbody > tr:nth-of-type(1) > td:nth-of-type(2)"),
    ("main", "#content"),
    ("nav li + li", ".main-nav > ul > li:nth-of-type(2)"),
]


@pytest.mark.parametrize(("target", "expected"), LASTING)
def test_what_names_a_thing_comes_before_where_it_stands(target: str, expected: str) -> None:
    document = parse(PRODUCT)
    assert selector_of(document, document.select(target)[0]) == expected


@pytest.mark.parametrize("name", ["price", "product-title", "sku", "col-2", "a1"])
def test_names_that_people_give_are_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["css-1x8k2p9", "sc-bdVaJa", "item-48213", "a\\b", "", "9", "x" * 61, "Card_title__3kX9f", "jss42"]
)
def test_names_that_tools_make_are_none(name: str) -> None:
    assert not is_name(name)


def test_within_a_row_the_selector_is_the_row_s_own() -> None:
    document = parse(LIST)
    row = document.select(".card")[3]
    assert selector_of(row, row.select("span")[0]) == ".price"
    assert row.select(selector_of(row, row.select("em")[0])) == row.select("em")


def is_in_template(element: Element) -> bool:
    return any(getattr(each, "tag", "") == "template" for each in element.ancestors)


@settings(max_examples=200, deadline=None)
@given(MARKUP)
def test_the_selector_finds_that_element_and_no_other(markup: str) -> None:
    document = parse(markup)
    for element in document.iter_elements():
        selector = selector_of(document, element)
        assert document.select(selector) == [element] if selector else is_in_template(element)


@settings(max_examples=100, deadline=None)
@given(MARKUP)
def test_within_any_element_it_finds_the_same(markup: str) -> None:
    row = parse(f"<body><div>{markup}</div>").select("body > div")[0]
    for element in row.iter_elements():
        selector = selector_of(row, element)
        assert row.select(selector) == [element] if selector else is_in_template(element)
