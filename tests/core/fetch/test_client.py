"""The client keeps connections, cookies and settings as promised."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import TYPE_CHECKING

import pytest

from core.errors import BadInput, SecretMissing
from core.settings import Auth, CrawlSettings, Fetch, Header
from tests.core.fetch.raw_server import LOOPBACK, Site, client, hop, html, request, says

if TYPE_CHECKING:
    from core.fetch.client import Client
    from core.fetch.response import Fetched


async def hops(ours: Client, site: Site, count: int) -> list[Fetched]:
    return [await ours.fetch(request(site.url())) for _ in range(count)]


def test_a_whole_answer_is_told_in_full() -> None:
    lines = (b'ETag: "a"', b"Last-Modified: Mon, 30 Nov 2026 12:00:00 GMT", b"Set-Cookie: s=1; Path=/")
    fetched = hop(says(html(b"<p>hi", *lines)))
    assert (fetched.outcome, fetched.status, fetched.body, fetched.accepted) == ("ok", 200, b"<p>hi", True)
    assert (fetched.etag, fetched.last_modified) == ('"a"', "Mon, 30 Nov 2026 12:00:00 GMT")
    assert fetched.wire_bytes == len(html(b"<p>hi", *lines))
    assert fetched.set_cookies == (("s", "1"),)
    assert ("Set-Cookie", "[redacted]") in fetched.headers
    assert fetched.seconds > 0
    assert fetched.error is None


def test_one_connection_serves_many_requests() -> None:
    async def run() -> int:
        async with Site(says(html(), then="keep")) as site, client() as ours:
            assert {each.outcome for each in await hops(ours, site, 5)} == {"ok"}
            return site.connections

    assert asyncio.run(run()) == 1


def test_a_short_redirect_body_that_comes_late_still_leaves_the_connection_of_use() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 5\r\n\r\n"

    async def run() -> int:
        async with Site(says(moved, b"mo", b"ved", then="keep")) as site, client() as ours:
            for _ in range(3):
                assert (await ours.fetch(request(site.url()))).outcome == "redirect"
                await asyncio.sleep(0.02)
            return site.connections

    assert asyncio.run(run()) == 1


def test_an_idle_connection_that_the_server_closed_is_replaced_without_a_fault() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        if nth == 1:
            writer.write(html())
        else:
            writer.close()

    async def run() -> tuple[list[tuple[str, bool]], int, int]:
        async with Site(handle) as site, client() as ours:
            answers = [(each.outcome, each.again) for each in await hops(ours, site, 3)]
            return answers, site.connections, len(site.heads)

    assert asyncio.run(run()) == ([("ok", False), ("ok", True), ("ok", True)], 3, 5)


def test_a_fresh_connection_that_is_closed_is_not_tried_again() -> None:
    async def run() -> tuple[str, int]:
        async with Site(says()) as site, client() as ours:
            return (await ours.fetch(request(site.url()))).outcome, site.connections

    assert asyncio.run(run()) == ("error:disconnect", 1)


def test_a_reset_may_answer_the_request_itself_so_that_it_is_not_sent_once_more() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        if nth == 1:
            writer.write(html())
            return
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def run() -> tuple[list[str], int]:
        async with Site(handle) as site, client() as ours:
            return [each.outcome for each in await hops(ours, site, 2)], len(site.heads)

    assert asyncio.run(run()) == (["ok", "error:disconnect"], 2)


def test_a_client_that_is_closed_sends_nothing_once_more() -> None:
    asked = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        if nth == 1:
            writer.write(html())
            return
        asked.set()
        await reader.read()

    async def run() -> tuple[str, int]:
        async with Site(handle) as site, client() as ours:
            await ours.fetch(request(site.url()))
            under_way = asyncio.create_task(ours.fetch(request(site.url())))
            await asked.wait()
            await ours.close()
            return (await under_way).outcome, len(site.heads)

    assert asyncio.run(run()) == ("error:disconnect", 2)


def test_a_kept_connection_that_dies_within_its_answer_is_not_asked_again() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        writer.write(html() if nth == 1 else b"HTTP/1.1 2")
        if nth > 1:
            writer.close()

    async def run() -> tuple[list[str], int]:
        async with Site(handle) as site, client() as ours:
            return [each.outcome for each in await hops(ours, site, 2)], site.connections

    assert asyncio.run(run()) == (["ok", "error:disconnect"], 1)


def test_bytes_that_nobody_asked_for_never_become_the_next_answer() -> None:
    planted = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nevil"

    async def run() -> list[bytes]:
        async with Site(says(html(b"good") + planted, then="keep")) as site, client() as ours:
            return [each.body for each in await hops(ours, site, 2)]

    assert asyncio.run(run()) == [b"good", b"good"]


def test_a_request_given_up_closes_its_connection() -> None:
    gone = asyncio.Event()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nth: int) -> None:
        await reader.read()
        gone.set()

    async def run() -> None:
        async with Site(handle) as site, client() as ours:
            waiting = asyncio.create_task(ours.fetch(request(site.url())))
            await site.asked.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await asyncio.wait_for(gone.wait(), 2)

    asyncio.run(run())


def test_closing_ends_what_is_under_way() -> None:
    async def run() -> str:
        async with Site(says(then="hang")) as site:
            ours = client()
            waiting = asyncio.create_task(ours.fetch(request(site.url())))
            await site.asked.wait()
            await ours.close()
            return (await asyncio.wait_for(waiting, 2)).outcome

    assert asyncio.run(run()) == "error:disconnect"


@pytest.mark.parametrize("accepts", [True, False])
def test_cookies_are_kept_per_origin_only_where_the_crawl_accepts_them(accepts: bool) -> None:
    async def run() -> tuple[list[bool], bool]:
        answer = says(html(b"", b"Set-Cookie: s=1"), then="keep")
        async with Site(answer) as site, Site(answer) as other, client(accept_cookies=accepts) as ours:
            await hops(ours, site, 2)
            await ours.fetch(request(other.url()))
            return ["Cookie: s=1" in head for head in site.heads], "Cookie" in other.heads[0]

    assert asyncio.run(run()) == ([False, accepts], False)


def test_credentials_reach_their_origin_and_not_the_port_beside_it() -> None:
    async def run() -> tuple[str, str]:
        async with Site(says(html(b"", b"X-Echo: top-secret"))) as site, Site(says(html())) as other:
            header = Header(origin=site.url().origin, name="X-Api-Key", value="env:KEY")
            async with client(environ={"KEY": "top-secret"}, headers=(header,)) as ours:
                fetched = await ours.fetch(request(site.url()))
                assert ("X-Echo", "[redacted]") in fetched.headers
                await ours.fetch(request(other.url()))
            return site.heads[0], other.heads[0]

    here, there = asyncio.run(run())
    assert "X-Api-Key: top-secret" in here
    assert "X-Api-Key" not in there


def test_a_missing_secret_blocks_its_origin_and_is_told_before_the_start() -> None:
    async def run() -> tuple[str, int]:
        async with Site(says(html())) as site:
            auth = Auth(origin=site.url().origin, user="ann", password="env:NOWHERE")
            async with client(auth=(auth,)) as ours:
                with pytest.raises(SecretMissing, match="NOWHERE"):
                    ours.check_secrets()
                return (await ours.fetch(request(site.url()))).outcome, site.connections

    assert asyncio.run(run()) == ("error:blocked", 0)


def test_changed_settings_are_in_force_with_the_next_request() -> None:
    async def run() -> tuple[list[str], int, str]:
        async with Site(says(html(), then="keep")) as site, client(user_agent="One") as ours:
            await ours.fetch(request(site.url()))
            ours.update(CrawlSettings(fetch=Fetch(user_agent="Two")), LOOPBACK)
            await ours.fetch(request(site.url()))
            ours.update(CrawlSettings(fetch=Fetch(user_agent="Two")), frozenset())
            blocked = (await ours.fetch(request(site.url()))).outcome
            agents = [line for head in site.heads for line in head.split("\r\n") if line.startswith("User-Agent")]
            return agents, site.connections, blocked

    assert asyncio.run(run()) == (["User-Agent: One", "User-Agent: Two"], 2, "error:blocked")


def test_a_name_goes_out_as_host_and_is_connected_to_its_checked_address() -> None:
    async def run() -> str:
        async with Site(says(html())) as site, client(listed=frozenset({"shop.test"})) as ours:
            fetched = await ours.fetch(request(site.url(host="shop.test")))
            assert fetched.outcome == "ok"
            return site.heads[0]

    assert "\r\nHost: shop.test:" in asyncio.run(run())


def test_a_proxy_with_a_written_password_is_refused() -> None:
    with pytest.raises(BadInput, match="password"):
        client(proxy="http://ann:hunter2@proxy.test:3128")
