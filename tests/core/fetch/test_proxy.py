"""The analyst's proxy carries requests; its credentials stay with it, and the address policy holds."""

from __future__ import annotations

import asyncio

import pytest

from core.errors import BadInput
from core.fetch.proxy import Proxy, parse_proxy
from core.urls.url import Url
from tests.core.fetch.raw_server import Site, client, html, request, says

SHOP = frozenset({"shop.test"})


def test_a_proxy_is_read_with_its_password_as_a_reference() -> None:
    assert parse_proxy("") is None
    assert parse_proxy("http://proxy.test:3128") == Proxy("proxy.test", 3128)
    assert parse_proxy("http://ann:env:WORD@proxy.test:3128") == Proxy("proxy.test", 3128, "ann", "env:WORD")


@pytest.mark.parametrize("text", ["socks5://proxy.test:1080", "proxy.test:3128", "http://", "http://a:b@proxy.test:1"])
def test_what_is_no_http_proxy_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_proxy(text)


def test_plain_requests_go_to_the_proxy_in_absolute_form_over_one_connection() -> None:
    async def run() -> tuple[list[str], int]:
        async with Site(says(html(), then="keep")) as proxy:
            text = f"http://ann:env:WORD@127.0.0.1:{proxy.port}"
            async with client(listed=SHOP, environ={"WORD": "pass-word"}, proxy=text) as ours:
                for target in ("/a?x=%2F", "/b"):
                    fetched = await ours.fetch(request(Url("http", "shop.test", 80, target)))
                    assert fetched.outcome == "ok"
            return proxy.heads, proxy.connections

    heads, connections = asyncio.run(run())
    assert heads[0].startswith("GET http://shop.test/a?x=%2F HTTP/1.1\r\nHost: shop.test\r\n")
    assert "Proxy-Authorization: Basic YW5uOnBhc3Mtd29yZA==\r\n" in heads[0]
    assert connections == 1


def test_private_targets_are_blocked_before_the_proxy_hears_of_them() -> None:
    async def run() -> tuple[str, int]:
        async with Site(says(html())) as proxy, client(listed=SHOP, proxy=f"http://127.0.0.1:{proxy.port}") as ours:
            fetched = await ours.fetch(request(Url("http", "169.254.169.254", 80, "/")))
            return fetched.outcome, proxy.connections

    assert asyncio.run(run()) == ("error:blocked", 0)


@pytest.mark.parametrize("answer", [b"HTTP/1.1 407 No\r\n\r\n", b"garbage\r\n\r\n", b"", b"x" * 20_000])
def test_a_proxy_that_refuses_a_tunnel_is_a_connect_fault(answer: bytes) -> None:
    async def run() -> tuple[str, str]:
        async with Site(says(answer)) as proxy, client(listed=SHOP, proxy=f"http://127.0.0.1:{proxy.port}") as ours:
            fetched = await ours.fetch(request(Url("https", "shop.test", 443, "/")))
            return fetched.outcome, proxy.heads[0]

    outcome, head = asyncio.run(run())
    assert outcome == "error:connect"
    assert head.startswith("CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n")
