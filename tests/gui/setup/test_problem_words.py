"""Problems are said with the window's own names."""

from __future__ import annotations

import pytest

from core.errors import Problem
from core.settings import CrawlSettings, FieldRule, RecordType
from gui.setup.problem_words import in_words, message_words, place_words

SETTINGS = CrawlSettings(records=(RecordType(name="product", match="/p/", fields={"price": FieldRule(css=".p")}),))


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("records[0].fields.price.css", "Record type “product”, field “price”"),
        ('records[0].fields."net price".css', "Record type “product”, field “net price”"),
        ("records[0].key", "Record type “product”, Natural key"),
        ("records[7].match", "Record type 8, On pages"),
        ("seeds.urls[0]", "Seed 1"),
        ("seeds", "Seeds"),
        ("scope.exclude[2]", "Exclude, pattern 3"),
        ("scope.hosts[1]", "Hosts"),
        ("budgets.max_pages", "Pages"),
        ("fetch.resolve.shop.example", "All settings, fetch.resolve.shop.example"),
    ],
)
def test_a_place_is_named_as_the_window_names_it(key: str, words: str) -> None:
    assert place_words(key, SETTINGS) == words


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("More than politeness.concurrency, which bounds all.", "More than “At once in all”, which bounds all."),
        ("Expected `str` of length >= 1", "Something must be written here."),
        ("Expected `int` >= 0", "It is at least 0."),
        ("This is fine.", "This is fine."),
    ],
)
def test_a_message_holds_no_key_and_no_type(message: str, words: str) -> None:
    assert message_words(message) == words


def test_place_and_message_are_one_sentence() -> None:
    assert in_words(Problem("seeds.urls[1]", "Wrong."), SETTINGS) == "Seed 2: Wrong."
