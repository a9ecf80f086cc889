"""Chains: cookies between two hops, bounded in number and in time."""

from __future__ import annotations

from core.engine.chains import KEPT, MOST_CHAINS, Chains
from core.fetch.cookies import ChainCookies
from core.urls import Url

COOKIES = ChainCookies((("http://shop.test", (("a", "1"),)),))


def url(path: str) -> Url:
    return Url("http", "shop.test", 80, path)


def test_cookies_are_given_out_once_and_not_after_their_time() -> None:
    chains = Chains()
    chains.keep(url("/a"), COOKIES, now=0.0)
    assert chains.take(url("/a"), now=1.0) == COOKIES
    assert chains.take(url("/a"), now=1.0) == ChainCookies()
    chains.keep(url("/a"), COOKIES, now=0.0)
    assert chains.take(url("/a"), now=KEPT) == ChainCookies()


def test_the_chain_that_waits_longest_makes_room() -> None:
    chains = Chains()
    for number in range(MOST_CHAINS + 1):
        chains.keep(url(f"/{number}"), COOKIES, now=0.0)
    assert chains.take(url("/0"), now=1.0) == ChainCookies()
    assert chains.take(url(f"/{MOST_CHAINS}"), now=1.0) == COOKIES
