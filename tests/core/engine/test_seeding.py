"""Which robots.txt files are asked for sitemaps where only the scope names a host."""

from __future__ import annotations

import pytest

from core.engine.seeding import places_to_ask
from core.settings import CrawlSettings, Scope, Seeds
from core.urls import Rules

AUTO = ("auto",)


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("Shop.test", "https://shop.test/"),
        ("shop.test:443", "https://shop.test/"),
        ("shop.test:8080", "http://shop.test:8080/"),
        ("127.0.0.1", "http://127.0.0.1/"),
        ("localhost", "http://localhost/"),
    ],
)
def test_a_host_of_the_scope_is_asked_at_its_likely_scheme(host: str, place: str) -> None:
    settings = CrawlSettings(seeds=Seeds(sitemaps=AUTO), scope=Scope(hosts=(host, "*.wild.test")))
    assert [found.fetch.text for found in places_to_ask(settings, Rules())] == [place]


def test_a_host_with_a_seed_is_asked_as_its_seed_is_fetched() -> None:
    seeds = Seeds(urls=("http://shop.test/",), sitemaps=AUTO)
    settings = CrawlSettings(seeds=seeds, scope=Scope(hosts=("shop.test", "other.test")))
    assert [found.fetch.text for found in places_to_ask(settings, Rules())] == ["https://other.test/"]


def test_nothing_is_asked_where_robots_txt_is_no_source() -> None:
    settings = CrawlSettings(seeds=Seeds(urls=("http://a.test/",)), scope=Scope(hosts=("shop.test",)))
    assert places_to_ask(settings, Rules()) == []
