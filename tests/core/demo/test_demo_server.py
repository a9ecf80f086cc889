"""The server on a real socket: faults as a client sees them, keep-alive, hosts, control paths, and the exact log."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import re
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from core.demo import SampleSite, SiteOptions, SiteThread
from core.errors import BadInput

Get = Callable[..., Any]


async def _until(met: Callable[[], bool]) -> None:
    while not met():  # noqa: ASYNC110 (no sleep: it lets the server run, and the caller bounds the time)
        await asyncio.sleep(0)


def test_traversal_of_a_small_shop_finds_its_pages_once_each(get: Get) -> None:
    with SiteThread(SiteOptions(listings=5, per_listing=4)) as site:
        seen: set[str] = set()
        waiting = [f"{site.root}/list/0"]
        while waiting:
            url = waiting.pop()
            if url not in seen:
                seen.add(url)
                waiting += [urljoin(url, link) for link in re.findall(r'href="([^"]+)"', get(url).body.decode())]
        assert len(seen) == 25
        log = site.log
        assert set(log.urls.values()) == {1}
        assert (log.requests, log.repeated, log.peak, log.statuses) == (25, 0, 1, {200: 25})


@pytest.mark.parametrize("kind", ["500", "503", "429"])
def test_error_status_recovers_and_says_when_to_come_back(get: Get, kind: str) -> None:
    with SiteThread(SiteOptions(fail_times=2, retry_after=7)) as site:
        replies = [get(f"{site.root}/fault/{kind}") for _ in range(3)]
        assert [reply.status for reply in replies] == [int(kind), int(kind), 200]
        assert replies[0].headers.get("retry-after") == (None if kind == "500" else "7")


def test_reset_and_truncated_bodies_reach_the_client_as_such(get: Get) -> None:
    with SiteThread(SiteOptions()) as site:
        with pytest.raises(ConnectionResetError):
            get(f"{site.root}/fault/reset")
        with pytest.raises(http.client.IncompleteRead) as caught:
            get(f"{site.root}/fault/truncate")
        assert len(caught.value.partial) > 100
        assert get(f"{site.root}/product/1").status == 200
        assert site.live == 0


def test_dripped_body_is_whole_in_the_end(get: Get) -> None:
    with SiteThread(SiteOptions(drip_s=0.05)) as site:
        reply = get(f"{site.root}/fault/drip")
        assert len(reply.body) == int(reply.headers["content-length"])


def test_hanging_request_ends_without_an_answer(get: Get) -> None:
    with SiteThread(SiteOptions(timeout_s=0.05)) as site:
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            get(f"{site.root}/fault/hang")
        assert site.log.statuses == {0: 1}


def test_peak_counts_the_requests_open_at_once(get: Get) -> None:
    with SiteThread(SiteOptions(latency_ms=300)) as site, ThreadPoolExecutor(5) as pool:
        list(pool.map(get, [f"{site.root}/product/{n}" for n in range(5)]))
        log = site.log
        host = urlsplit(site.root).netloc
        assert (log.peak, log.hosts[host].peak, log.requests) == (5, 5, 5)
        assert len(log.times[host]) == 5
        assert list(log.times[host]) == sorted(log.times[host])


def test_conditional_request_is_answered_by_round(get: Get) -> None:
    with SiteThread(SiteOptions(change_rate=1)) as site:
        url = f"{site.root}/product/1"
        first = get(url)
        again = get(url, If_None_Match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert "content-length" not in again.headers
        site.control(round=1)
        assert get(url, If_None_Match=first.headers["etag"]).status == 200


def test_keep_alive_pipelining_and_head_answer_in_order() -> None:
    with SiteThread(SiteOptions(latency_ms=5)) as site:
        host = urlsplit(site.root)
        with socket.create_connection((host.hostname or "", host.port or 0), 10) as client:
            line = "{} HTTP/1.1\r\nHost: x\r\n\r\n"
            asked = "".join(map(line.format, ("HEAD /product/1", "GET /gone/1")))
            client.sendall(f"{asked}GET /product/2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            got = b"".join(iter(lambda: client.recv(65536), b""))
    statuses = re.findall(rb"HTTP/1.1 (\d+)", got)
    assert statuses == [b"200", b"410", b"200"]
    assert got.count(b"SKU-0000001") == 0
    assert got.count(b"SKU-0000002") == 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"NONSENSE\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n", b"405"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
    ],
)
def test_what_is_no_request_is_refused(sent: bytes, status: bytes) -> None:
    with SiteThread(SiteOptions()) as site:
        host = urlsplit(site.root)
        with socket.create_connection((host.hostname or "", host.port or 0), 10) as client:
            client.sendall(sent)
            assert client.recv(100).split()[1] == status
        assert site.log.requests == 0


def test_gzip_is_sent_to_those_who_take_it(get: Get) -> None:
    with SiteThread(SiteOptions(gzip=True, weight=20)) as site:
        plain, packed = get(f"{site.root}/list/0"), get(f"{site.root}/list/0", Accept_Encoding="gzip")
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body


def test_control_paths_steer_and_are_not_logged(get: Get) -> None:
    with SiteThread(SiteOptions(error_rate=1, error_kinds=("500",), fail_times=1, latency_ms=1)) as site:
        assert get(f"{site.root}/list/0").status == 500
        assert get(f"{site.root}/list/0").status == 200
        assert json.loads(get(f"{site.root}/__count").body)["requests"] == 2
        log = json.loads(get(f"{site.root}/__log").body)
        assert log["urls"] == {urlsplit(site.root).netloc + "/list/0": 2}
        assert "urls" not in json.loads(get(f"{site.root}/__log?summary=1").body)
        assert json.loads(get(f"{site.root}/__ctl?round=1&latency_ms=0").body) == {"round": 1, "latency_ms": 0.0}
        assert site.options.round == 1
        assert get(f"{site.root}/__ctl?round=soon").status == 400
        assert get(f"{site.root}/__ctl?hosts=9").status == 400
        assert get(f"{site.root}/__nothing").status == 404
        assert json.loads(get(f"{site.root}/__expect").body)["pages"] == 525
        get(f"{site.root}/__reset")
        assert site.log.requests == 0
        assert get(f"{site.root}/list/0").status == 500


def test_hosts_are_ports_of_one_address(get: Get) -> None:
    with SiteThread(SiteOptions(hosts=3, web_pages=30)) as site:
        assert len(set(site.roots)) == 3
        for root in site.roots[1:]:
            assert b"explained" in get(f"{root}/").body
        assert (
            f"{site.roots[1]}/p/"
            in get(f"{site.roots[2]}/p/0").body.decode() + get(f"{site.roots[2]}/p/1").body.decode()
        )
        assert set(site.log.hosts) == {urlsplit(root).netloc for root in site.roots[1:]}


def test_hosts_are_names_to_a_proxied_client() -> None:
    with SiteThread(SiteOptions(hosts=2, host_mode="names", front="web", web_pages=30)) as site:
        host = urlsplit(site.root)
        client = http.client.HTTPConnection(host.hostname or "", host.port, timeout=10)
        client.request("GET", f"{site.roots[1]}/p/0")
        body = client.getresponse().read()
        client.close()
        assert b"W1-0" in body
        assert site.log.urls == {f"h1.test:{host.port}/p/0": 1}


def test_hosts_are_addresses_where_the_system_has_them(get: Get) -> None:
    try:
        with socket.socket() as probe:
            probe.bind(("127.77.0.2", 0))
    except OSError:
        pytest.skip("this system has one loopback address")
    with SiteThread(SiteOptions(hosts=2, host_mode="addresses", web_pages=30)) as site:
        assert urlsplit(site.roots[1]).hostname == "127.77.0.2"
        assert b"W1-0" in get(f"{site.roots[1]}/").body


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.1", "example.test", "::", ""])  # noqa: S104 (it must be refused)
def test_only_loopback_addresses_are_listened_on(host: str) -> None:
    with pytest.raises(BadInput, match="loopback"):
        SampleSite(SiteOptions(), host)


def test_a_port_in_use_is_an_error_of_the_caller() -> None:
    with SiteThread(SiteOptions()) as site, pytest.raises(OSError, match="in use"):
        SiteThread(SiteOptions(), port=urlsplit(site.root).port or 0).__enter__()


def test_client_that_goes_away_ends_its_request() -> None:
    async def scene() -> tuple[int, dict[int, int]]:
        site = SampleSite(SiteOptions(latency_ms=60_000))
        await site.start()
        host = urlsplit(site.root)
        _, writer = await asyncio.open_connection(host.hostname, host.port)
        writer.write(b"GET /list/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(5):
            await _until(lambda: site.log.live == 1)
            writer.close()
            await _until(lambda: site.log.live == 0)
        await site.close()
        return site.log.live, site.log.snapshot().statuses

    assert asyncio.run(scene()) == (0, {0: 1})


def test_closing_drops_open_connections() -> None:
    async def scene() -> bytes:
        site = SampleSite(SiteOptions(latency_ms=60_000))
        await site.start()
        host = urlsplit(site.root)
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        writer.write(b"GET /list/0 HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(5):
            await _until(lambda: site.log.live == 1)
            await site.close()
            try:
                return await reader.read()
            except ConnectionResetError:
                return b""
            finally:
                writer.close()

    assert asyncio.run(scene()) == b""
