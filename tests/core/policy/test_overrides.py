"""An override of robots.txt is for exactly the hosts it is written for, in any spelling of their names."""

from __future__ import annotations

import pytest

from core.policy.overrides import RobotsOverrides
from core.settings import CrawlSettings, Normalise, Politeness, RobotsOverride
from core.urls import Url


def written(*hosts: str, robots: bool = True, ignore_www: bool = False) -> RobotsOverrides:
    items = tuple(RobotsOverride(host=host, reason="our own") for host in hosts)
    politeness = Politeness(robots=robots, robots_override=items)
    return RobotsOverrides(CrawlSettings(politeness=politeness, normalise=Normalise(ignore_www=ignore_www)))


@pytest.mark.parametrize(
    ("host", "name", "port"),
    [
        ("shop.test", "shop.test", 80),
        ("shop.test", "shop.test", 8080),
        ("Shop.TEST", "shop.test", 80),
        ("shop.test:8080", "shop.test", 8080),
        ("bücher.test", "xn--bcher-kva.test", 80),
        ("*.shop.test", "staging.shop.test", 80),
        ("[::0001]", "[::1]", 80),
    ],
)
def test_a_written_host_has_its_reason(host: str, name: str, port: int) -> None:
    overrides = written("other.test", host)
    item = overrides.of(Url("http", name, port, "/"))
    assert item is not None
    assert (item.host, item.reason) == (host, "our own")
    assert not overrides.obeys(Url("http", name, port, "/"))


@pytest.mark.parametrize(
    ("host", "name", "port"),
    [
        ("shop.test", "www.shop.test", 80),
        ("shop.test", "shop.test.evil.example", 80),
        ("shop.test:8080", "shop.test", 80),
        ("*.shop.test", "shop.test", 80),
    ],
)
def test_every_other_host_is_obeyed(host: str, name: str, port: int) -> None:
    assert written(host).obeys(Url("http", name, port, "/"))


def test_a_host_with_and_without_www_is_one_where_the_crawl_says_so() -> None:
    for host in ("shop.test", "www.shop.test"):
        overrides = written(host, ignore_www=True)
        assert not overrides.obeys(Url("http", "shop.test", 80, "/"))
        assert not overrides.obeys(Url("http", "www.shop.test", 80, "/"))


def test_nobody_is_obeyed_where_robots_is_off() -> None:
    assert not written(robots=False).obeys(Url("http", "shop.test", 80, "/"))
