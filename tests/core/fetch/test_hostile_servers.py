"""Every trick a server plays ends as a recorded outcome, in time and within bounds."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.fetch.connection import Connection
from core.urls.url import Url
from tests.core.fetch.raw_server import Site, client, hop, html, request, says

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
GZIP = HEAD + b"Content-Encoding: gzip\r\n"


async def drips(piece: bytes, before: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(before)
    while not writer.is_closing():
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        (b"", b""),
        (HEAD, b"X-Drip: 1\r\n"),
        (HEAD + b"Content-Length: 1000000\r\n\r\n", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
    ids=["silence", "slow head", "slow body", "continue for ever", "slow chunks"],
)
def test_slow_drips_end_at_the_total_deadline(before: bytes, piece: bytes) -> None:
    async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: int) -> None:
        await drips(piece, before, writer)

    started = time.monotonic()
    fetched = hop(handle, timeout=0.15, max_body=1_000_000)
    assert fetched.outcome == "error:timeout"
    assert fetched.body == b""
    assert fetched.reached
    assert time.monotonic() - started < 2


def test_a_flood_of_interim_answers_ends_before_the_deadline() -> None:
    assert hop(says(b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000, then="hang")).outcome == "error:protocol"


def test_http_12_a_gzip_body_cut_short_is_truncated_and_never_ok() -> None:
    whole = gzip.compress(b"<p>hello</p>" + bytes(range(256)) * 9)
    fetched = hop(says(GZIP + b"\r\n" + whole[:-9]))
    assert fetched.outcome == "truncated"
    assert fetched.status == 200
    assert fetched.body.startswith(b"<p>hello")
    assert fetched.accepted


@pytest.mark.parametrize(
    "answer",
    [
        HEAD + b"Content-Length: 50\r\n\r\nhalf",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        GZIP + b"Content-Length: 10\r\n\r\n" + gzip.compress(b"hello", mtime=0)[:10],
    ],
)
def test_a_body_shorter_than_its_framing_is_truncated(answer: bytes) -> None:
    assert hop(says(answer)).outcome == "truncated"


def test_a_reset_within_the_body_is_truncated_with_what_came() -> None:
    async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: int) -> None:
        writer.write(HEAD + b"Content-Length: 50\r\n\r\nhalf")
        await writer.drain()
        sock = writer.get_extra_info("socket")
        await asyncio.sleep(0.02)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    fetched = hop(handle)
    assert (fetched.outcome, fetched.body) == ("truncated", b"half")


def test_http_14_a_bomb_costs_its_limit_and_no_more() -> None:
    bomb = gzip.compress(bytes(100_000_000))
    fetched = hop(says(GZIP + b"Content-Length: %d\r\n\r\n" % len(bomb), bomb), max_body=200_000)
    assert (fetched.outcome, fetched.body) == ("error:too_large", b"")
    assert fetched.status == 200
    assert fetched.error


def test_an_endless_body_ends_at_the_limit() -> None:
    async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: int) -> None:
        writer.write(HEAD + b"\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 65536)
            await writer.drain()

    fetched = hop(handle, max_body=200_000)
    assert fetched.outcome == "error:too_large"
    assert fetched.wire_bytes < 2_000_000


def test_an_endless_stream_of_empty_gzip_blocks_ends() -> None:
    async def handle(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: int) -> None:
        writer.write(GZIP + b"\r\n" + gzip.compress(b"")[:10])
        while not writer.is_closing():
            writer.write(b"\x00\x00\x00\xff\xff" * 10_000)
            await writer.drain()

    assert hop(handle).outcome == "error:too_large"


def test_limits_hold_for_error_pages_too() -> None:
    bomb = gzip.compress(bytes(10_000_000))
    fetched = hop(says(html(bomb, b"Content-Encoding: gzip", status=b"500 Oops")))
    assert (fetched.outcome, fetched.status) == ("error:too_large", 500)


def test_the_body_of_a_redirect_is_neither_awaited_nor_read() -> None:
    answer = b"HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Encoding: gzip\r\nContent-Length: 9999999\r\n\r\n"
    fetched = hop(says(answer, b"no gzip", then="hang"))
    assert (fetched.outcome, fetched.location, fetched.body) == ("redirect", "/new", b"")


def test_an_unwanted_type_is_decided_at_the_head() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99999999\r\n\r\n"
    fetched = hop(says(answer, then="hang"))
    assert (fetched.outcome, fetched.accepted, fetched.body) == ("ok", False, b"")
    assert fetched.content_type == "video/mp4"


@pytest.mark.parametrize(
    "garbage", [b"SSH-2.0-OpenSSH\r\n", b"\x16\x03\x01\x00\x05hello", b"\0" * 99, b"HTTP/9 x\r\n\r\n"]
)
def test_what_is_no_http_is_a_protocol_fault(garbage: bytes) -> None:
    fetched = hop(says(garbage))
    assert fetched.outcome == "error:protocol"
    assert fetched.status is None


def test_a_connection_closed_without_an_answer_is_a_disconnect() -> None:
    assert hop(says()).outcome == "error:disconnect"
    assert hop(says(b"HTTP/1.1 200 OK\r\nConte")).outcome == "error:disconnect"


def test_a_closed_port_is_a_connect_fault_that_never_reached_anyone() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = Url("http", "127.0.0.1", held.getsockname()[1], "/")
        fetched = asyncio.run(client().fetch(request(url)))
    assert fetched.outcome == "error:connect"
    assert not fetched.reached
    assert fetched.error


def test_a_content_type_of_a_hundred_kilobytes_is_clipped_however_it_arrives() -> None:
    head = HEAD.replace(b"text/html", b'text/html; charset="' + b";" * 100_000) + b"Content-Length: 2\r\n\r\nok"
    began = time.monotonic()
    fetched = hop(says(*(head[start : start + 1400] for start in range(0, len(head), 1400))))
    assert time.monotonic() - began < 1.0
    assert (fetched.outcome, fetched.content_type, fetched.body) == ("ok", "text/html", b"ok")


@pytest.mark.parametrize("location", [b"http://[::1", b"http://example.test:99999/", b"ftp://x/y", b"///other.test/y"])
def test_http_03_a_strange_location_is_handed_on_as_text(location: bytes) -> None:
    fetched = hop(says(html(b"", b"Location: " + location, status=b"302 Found")))
    assert (fetched.outcome, fetched.location) == ("redirect", location.decode())


@pytest.mark.parametrize("lines", [(), (b"Location: ",)])
def test_http_03_a_redirect_to_nowhere_is_a_redirect_fault_with_its_status(lines: tuple[bytes, ...]) -> None:
    fetched = hop(says(html(b"x", *lines, status=b"302 Found")))
    assert (fetched.outcome, fetched.status) == ("error:redirect", 302)
    assert fetched.error


def test_http_01_a_location_in_raw_utf_8_arrives_as_text() -> None:
    assert hop(says(html(b"", "Location: /café".encode(), status=b"302 Found"))).location == "/café"


def test_http_10_a_304_is_an_answer_only_to_a_conditional_request() -> None:
    answer = says(b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n')
    assert hop(answer, etag='"a"').outcome == "not_modified"
    assert hop(answer).outcome == "error:protocol"


def test_http_15_retry_after_is_read_with_the_status() -> None:
    fetched = hop(says(html(b"", b"Retry-After: 120", status=b"429 Slow down")))
    assert (fetched.outcome, fetched.status, fetched.retry_after) == ("ok", 429, 120)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=4), st.sampled_from([b"", HEAD, GZIP + b"\r\n", HEAD + b"\r\n"]))
def test_no_bytes_from_a_server_let_an_exception_out(pieces: list[bytes], start: bytes) -> None:
    fetched = hop(says(start, *pieces), timeout=2.0)
    assert fetched.outcome in {
        "ok",
        "truncated",
        "error:protocol",
        "error:disconnect",
        "error:decode",
        "error:too_large",
    }


def test_a_surprise_of_our_own_is_one_page_s_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def surprise(*_: object) -> None:
        raise AssertionError("boom")

    monkeypatch.setattr(Connection, "ask", surprise)
    fetched = hop(says(html()))
    assert fetched.outcome == "error:protocol"
    assert "AssertionError" in (fetched.error or "")


def test_a_private_target_is_blocked_before_a_connection() -> None:
    async def run() -> tuple[str, str | None, int]:
        async with Site(says(html())) as site, client(listed=frozenset({"127.0.0.1:1"})) as ours:
            fetched = await ours.fetch(request(site.url()))
            return fetched.outcome, fetched.error, site.connections

    outcome, error, connections = asyncio.run(run())
    assert (outcome, connections) == ("error:blocked", 0)
    assert (error or "").startswith("private:")


def test_one_slow_host_does_not_hold_up_another() -> None:
    async def run() -> float:
        async with Site(says(then="hang")) as slow, Site(says(html(), then="keep")) as quick, client() as ours:
            waiting = asyncio.create_task(ours.fetch(request(slow.url(), timeout=1.0)))
            started = time.monotonic()
            for _ in range(20):
                await ours.fetch(request(quick.url()))
            took = time.monotonic() - started
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            return took

    assert asyncio.run(run()) < 0.9
