"""Bodies come out whole, bounded, and the same however the wire cut them."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.decoding import Decoder, Deflate, Gzip, decoder_for
from core.fetch.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT = b"<p>hello</p>" * 50


def raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


def fed(decoder: Decoder, pieces: Iterable[bytes]) -> tuple[bytes, bool] | str:
    try:
        for piece in pieces:
            decoder.feed(piece)
    except Fault as fault:
        return fault.kind
    return decoder.body(), decoder.complete()


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


ENCODED = st.one_of(
    st.binary(max_size=200).map(lambda data: ("gzip", gzip.compress(data))),
    st.binary(max_size=200).map(lambda data: ("gzip", gzip.compress(data)[:-3])),
    st.lists(st.binary(max_size=50), max_size=4).map(lambda parts: ("gzip", b"".join(map(gzip.compress, parts)))),
    st.tuples(st.binary(max_size=50), st.binary(max_size=20)).map(lambda two: ("gzip", gzip.compress(two[0]) + two[1])),
    st.binary(max_size=200).map(lambda data: ("deflate", zlib.compress(data))),
    st.binary(max_size=200).map(lambda data: ("deflate", raw_deflate(data))),
    st.tuples(st.sampled_from(["gzip", "deflate", "", "identity"]), st.binary(max_size=80)),
)


@given(ENCODED, st.lists(st.integers(0, 500), max_size=8), st.integers(1, 300))
def test_cutting_the_stream_elsewhere_changes_nothing(
    encoded: tuple[str, bytes], places: list[int], limit: int
) -> None:
    encoding, data = encoded
    assert fed(decoder_for(encoding, limit), cut(data, places)) == fed(decoder_for(encoding, limit), [data])


@given(st.binary(max_size=500))
def test_decoding_undoes_encoding(data: bytes) -> None:
    for encoding, encoded in (
        ("gzip", gzip.compress(data)),
        ("x-gzip", gzip.compress(data)),
        ("deflate", zlib.compress(data)),
        ("deflate", raw_deflate(data)),
        ("identity", data),
        ("", data),
    ):
        assert fed(decoder_for(encoding, 500), [encoded]) == (data, True)


@given(st.binary(min_size=1, max_size=200), st.data())
def test_http_12_a_stream_cut_anywhere_is_told_from_a_whole_one(data: bytes, draw: st.DataObject) -> None:
    for encoding, encoded in (("gzip", gzip.compress(data)), ("deflate", zlib.compress(data))):
        place = draw.draw(st.integers(1, len(encoded) - 1))
        result = fed(decoder_for(encoding, 1000), [encoded[:place]])
        assert result[1] is False


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_http_14_a_bomb_stops_at_the_limit_on_decoded_bytes(encoding: str) -> None:
    bomb = (gzip.compress if encoding == "gzip" else zlib.compress)(bytes(50_000_000))
    decoder = decoder_for(encoding, 100_000)
    with pytest.raises(Fault) as caught:
        decoder.feed(bomb)
    assert caught.value.kind == "too_large"
    assert decoder.body() == bytes(100_000)


def test_a_flood_of_tiny_pieces_costs_about_its_own_size() -> None:
    decoder = decoder_for("", 1_000_000)
    tracemalloc.start()
    for number in range(200_000):
        decoder.feed(b"%02d" % (number % 100))
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(decoder.body()) == 400_000
    assert size < 1_500_000


def test_a_body_of_exactly_the_limit_is_taken() -> None:
    assert fed(Gzip(len(TEXT)), [gzip.compress(TEXT)]) == (TEXT, True)
    assert fed(Gzip(len(TEXT) - 1), [gzip.compress(TEXT)]) == "too_large"


def test_sixty_four_members_are_read_and_one_more_is_refused() -> None:
    member = gzip.compress(b"x")
    assert fed(Gzip(1000), [member * 64]) == (b"x" * 64, True)
    assert fed(Gzip(1000), [member * 65]) == "decode"


def test_bytes_behind_the_last_member_are_ignored_whatever_they_hold() -> None:
    assert fed(Gzip(1000), [gzip.compress(b"x") + b"\0\0garbage" + gzip.compress(b"y")]) == (b"x", True)
    assert fed(Gzip(1000), [gzip.compress(b"x"), b"\x1f"]) == (b"x", True)
    assert fed(Deflate(1000), [zlib.compress(b"x") + b"garbage"]) == (b"x", True)


def test_a_member_cut_short_behind_a_whole_one_is_noticed() -> None:
    assert fed(Gzip(1000), [gzip.compress(b"x") + gzip.compress(b"y")[:9]]) == (b"x", False)


def test_an_empty_body_is_whole_in_every_encoding() -> None:
    for encoding in ("gzip", "deflate", ""):
        assert fed(decoder_for(encoding, 10), []) == (b"", True)


@pytest.mark.parametrize("encoding", ["gzip, gzip", "gzip,deflate", "br", "zstd", "GZIP, identity, x-gzip", "a," * 200])
def test_chains_and_encodings_that_were_not_asked_for_are_refused(encoding: str) -> None:
    with pytest.raises(Fault) as caught:
        decoder_for(encoding, 10)
    assert caught.value.kind == "decode"


def test_names_that_are_no_encoding_are_read_past() -> None:
    assert fed(decoder_for("utf-8", 10), [b"x"]) == (b"x", True)
    assert fed(decoder_for("identity, gzip", 10), [gzip.compress(b"x")]) == (b"x", True)


def test_damage_and_plain_text_under_a_gzip_label_are_decode_faults() -> None:
    broken = bytearray(gzip.compress(TEXT))
    broken[15] ^= 0xFF
    assert fed(Gzip(1000), [bytes(broken)]) == "decode"
    assert fed(Gzip(1000), [b"<p>plain"]) == "decode"
