"""Answers are understood from their bytes alone, however they are cut, and no bytes break the reader."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.exchange import LONGEST_HEAD, Exchange
from core.fetch.request import FetchRequest
from core.urls.url import Url

if TYPE_CHECKING:
    from collections.abc import Callable

URL = Url("http", "a.test", 80, "/")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
PART = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [
            b"HTTP/1.1 ",
            b"200 OK\r\n",
            b"302 Found\r\n",
            b"100 Continue\r\n\r\n",
            b"Content-Length: 5\r\n",
            b"Content-Length: 99999999999999999999\r\n",
            b"Content-Type: text/html\r\n",
            b"Content-Encoding: gzip\r\n",
            b"Transfer-Encoding: chunked\r\n",
            b"Location: /x\r\n",
            b"Upgrade: h2c\r\nConnection: upgrade\r\n",
            b"\r\n",
            b"5\r\nhello\r\n",
            b"0\r\n\r\n",
            gzip.compress(b"hello"),
        ]
    ),
)


def exchange(max_body: int = 1000, accept: tuple[str, ...] = ("text/html",)) -> Exchange:
    return Exchange(FetchRequest(URL, max_body, 1.0, accept=accept))


def fed(*pieces: bytes, ends: bool = False) -> Exchange:
    made = exchange()
    for piece in pieces:
        made.feed(piece)
    if ends:
        made.end()
    return made


def outcome(made: Exchange) -> tuple[object, ...]:
    kind = made.fault.kind if made.fault else None
    return (made.status, made.done, kind, made.body(), made.whole, made.content_type)


@given(st.lists(PART, max_size=12), st.booleans())
def test_no_bytes_raise_and_every_ended_connection_is_an_answer_or_a_fault(pieces: list[bytes], start: bool) -> None:
    made = fed(*([b"HTTP/1.1 200 OK\r\n"] if start else []), *pieces, ends=True)
    assert made.done
    assert made.whole or made.fault is not None or not made.wanted


@given(
    st.sampled_from(
        [
            CHUNKED + b"\r\n",
            CHUNKED + b"Trailer: x\r\n\r\n",
            HEAD + b"Content-Length: 5\r\n\r\nhello",
            HEAD + b"\r\nhello",
            b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + HEAD + b"Content-Length: 5\r\n\r\nhello",
            HEAD.replace(b"\r\n", b"\n") + b"Content-Length: 5\n\nhello",
        ]
    ),
    st.lists(st.integers(1, 120), max_size=6),
)
def test_cutting_an_answer_elsewhere_changes_nothing(answer: bytes, places: list[int]) -> None:
    edges = sorted({0, len(answer), *(place for place in places if place < len(answer))})
    pieces = [answer[start:end] for start, end in pairwise(edges)]
    made = fed(*pieces, ends=True)
    assert outcome(made) == (200, True, None, b"hello", True, "text/html")


@pytest.mark.parametrize(
    ("answer", "reusable"),
    [
        (HEAD + b"Content-Length: 0\r\n\r\n", True),
        (CHUNKED + b"\r\n", True),
        (b"HTTP/1.1 204 No Content\r\n\r\n", True),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 700\r\n\r\n", True),
        (HEAD + b"Connection: close\r\nContent-Length: 0\r\n\r\n", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", False),
        (HEAD + b"Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n", False),
        (HEAD + b"Content-Length: 0\r\n\r\n\r\ngarbage", False),
    ],
)
def test_a_connection_is_kept_only_where_the_answer_ended_cleanly(answer: bytes, reusable: bool) -> None:
    made = fed(answer)
    assert made.whole
    assert made.fault is None
    assert made.reusable is reusable


@pytest.mark.parametrize(
    "answer",
    [
        HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        HEAD + b"Content-Length: -5\r\n\r\nhello",
        HEAD + b"Content-Length: 5x\r\n\r\nhello",
        HEAD + b"X: a\0b\r\n\r\n",
        HEAD + b"X y: z\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nnothing\r\n",
        b"<html>no head at all</html>",
        b"HTTP/1.1 099 Odd\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
    ],
)
def test_doubtful_framing_and_garbage_are_protocol_faults(answer: bytes) -> None:
    made = fed(answer)
    assert made.fault is not None
    assert made.fault.kind == "protocol"
    assert made.body() == b""


@pytest.mark.parametrize(
    "endless",
    [
        HEAD + b"X: " + b"y" * 2 * LONGEST_HEAD,
        HEAD + b"X: y\r\n" * LONGEST_HEAD,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000,
        CHUNKED + b"X: y\r\n" * LONGEST_HEAD,
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;" + b"x" * 2 * LONGEST_HEAD,
    ],
)
def test_endless_heads_interim_answers_trailers_and_chunk_extensions_end(endless: bytes) -> None:
    made = exchange()
    for start in range(0, len(endless), 4096):
        made.feed(endless[start : start + 4096])
        if made.fault is not None:
            break
    assert made.fault is not None
    assert made.fault.kind == "protocol"
    assert made.wire_bytes <= 2 * LONGEST_HEAD


def test_redirects_and_unwanted_types_are_done_at_the_head_and_keep_no_body() -> None:
    moved = fed(
        b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n", b"<p>old"
    )
    image = fed(HEAD.replace(b"text/html", b"image/png") + b"Content-Length: 9\r\n\r\n", b"PNG")
    for made in (moved, image):
        assert made.done
        assert made.draining
        assert made.body() == b""
        made.feed(b"x" * 9)
        assert made.whole


def test_a_long_unwanted_body_is_not_read_over() -> None:
    assert not fed(HEAD.replace(b"html", b"csv") + b"Content-Length: 999999\r\n\r\n").draining


def test_an_announced_size_beyond_the_limit_ends_at_the_head() -> None:
    made = fed(HEAD + b"Content-Length: 1001\r\n\r\n")
    assert made.fault is not None
    assert made.fault.kind == "too_large"


@pytest.mark.parametrize("encode", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_body_that_may_be_cut_is_whole_at_the_limit_and_costs_its_connection(
    encode: Callable[[bytes], bytes],
) -> None:
    body = encode(b"x" * 5000)
    encoding = b"" if encode is bytes else b"Content-Encoding: gzip\r\n"
    made = Exchange(FetchRequest(URL, 1000, 1.0, cut=True))
    made.feed(HEAD + encoding + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert (made.whole, made.fault, made.body(), made.reusable) == (True, None, b"x" * 1000, False)


def test_an_unasked_encoding_ends_at_the_head() -> None:
    made = fed(HEAD + b"Content-Encoding: gzip, gzip\r\nContent-Length: 1\r\n\r\n")
    assert made.fault is not None
    assert made.fault.kind == "decode"
