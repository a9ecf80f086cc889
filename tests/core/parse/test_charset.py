"""Encodings: what a browser would take, from whichever place says so."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.parse.charset import decode, prescan
from core.parse.encoding_labels import encoding_of


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("UTF8", "utf-8"),
        (" Latin1\n", "windows-1252"),
        ("iso-8859-1", "windows-1252"),
        ("gb2312", "gbk"),
        ("sjis", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        ("iso_8859-9:1989", "windows-1254"),
        ("utf-16", "utf-16le"),
        ("utf8mb4x", None),
        ("idna", None),
        ("zlib", None),
        ("x" * 100_000, None),
        ("utf-8\0", None),
    ],
)
def test_label(label: str, encoding: str | None) -> None:
    assert encoding_of(label) == encoding


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        (b"<meta charset=koi8-r>", "koi8-r"),
        (b"<META CharSet = 'koi8-r' >", "koi8-r"),
        (b'<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>', "koi8-r"),
        (b'<meta http-equiv="content-type" content=\'text/html; charset="koi8-r"\'/>', "koi8-r"),
        (b"<meta charset=utf-16be>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=koi8-r charset=gbk>", "koi8-r"),
        (b"<!-- <meta charset=gbk> --><meta charset=koi8-r>", "koi8-r"),
        (b"<p title='<meta charset=gbk>'><meta charset=koi8-r>", "koi8-r"),
        (b"<metadata charset=gbk>", None),
        (b'<meta content="charset=koi8-r">', None),
        (b"x" * 1100 + b"<meta charset=koi8-r>", None),
        (b'<meta charset=koi8-r"><p>"', None),
        (b'<meta http-equiv="Content-Type<meta charset="koi8-r">', None),
        (b'<meta content="charset=gbk" http-equiv="x<meta charset="><meta charset=koi8-r>', "koi8-r"),
        (b'<meta charset="koi8-r', None),
        (b"<meta charset=koi8-r", None),
        (b"<meta/charset=koi8-r/>", None),
        (b"<meta/charset='koi8-r'/>", "koi8-r"),
        (b"<!--><meta charset=koi8-r>", "koi8-r"),
        (b"<!---><meta charset=koi8-r>", "koi8-r"),
        (b"<!-- -- ><meta charset=gbk>--><meta charset=koi8-r>", "koi8-r"),
        (b"</p title='><meta charset=gbk>'><meta charset=koi8-r>", "koi8-r"),
        (b"</ title='><meta charset=koi8-r>", "koi8-r"),
        (b"<?php '><meta charset=koi8-r>", "koi8-r"),
        (b"<a/b'c title=<meta charset=gbk><meta charset=koi8-r>", "koi8-r"),
        (b"<meta http-equiv=content-type content='charset=\"koi8-r'>", None),
        (b"<meta http-equiv=content-type content='charset charset = koi8-r; x'>", "koi8-r"),
        (b'<?xml version="1.0" encoding="koi8-r"?><p>', "koi8-r"),
        (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=gbk>', "gbk"),
        ("<?xml".encode("utf-16-le"), "utf-16le"),
        ("<?xml".encode("utf-16-be"), "utf-16be"),
    ],
)
def test_prescan(head: bytes, encoding: str | None) -> None:
    assert prescan(head) == encoding


def test_byte_order_mark_beats_everything_and_is_taken_off() -> None:
    assert decode(codecs.BOM_UTF8 + b"<meta charset=gbk>", "koi8-r") == ("<meta charset=gbk>", "utf-8")
    assert decode(codecs.BOM_UTF16_LE + "ж".encode("utf-16-le"), "utf-8") == ("ж", "utf-16le")
    assert decode(codecs.BOM_UTF16_BE + "ж".encode("utf-16-be"), None) == ("ж", "utf-16be")


def test_header_beats_meta() -> None:
    assert decode(b"<meta charset=utf-8>\xc1", "koi8-r") == ("<meta charset=utf-8>а", "koi8-r")


def test_undeclared_utf8_is_seen_even_where_a_character_is_cut() -> None:
    assert decode("Привет".encode(), None) == ("Привет", "utf-8")
    text, encoding = decode("Привет".encode()[:-1], None)
    assert (text[:5], encoding) == ("Приве", "utf-8")


def test_undeclared_legacy_text_is_detected() -> None:
    text = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5
    assert decode(("<p>" + "x" * 100_000 + text).encode("cp1251"), None)[1] == "windows-1251"
    assert decode(b"caf\xe9", None) == ("café", "windows-1252")


def test_xml_declaration_beats_meta_in_xml_and_yields_to_it_in_html() -> None:
    body = b'<?xml version="1.0" encoding="koi8-r"?><meta charset="gbk"/><p>\xc1</p>'
    assert decode(body, None, xml=True)[1] == "koi8-r"
    assert decode(body, None)[1] == "gbk"


@pytest.mark.parametrize(
    ("before", "encoding"),
    [
        (b"<p>" + b"x" * 3000, "koi8-r"),
        (b"<!--" + b"x" * 3000 + b"-->", "koi8-r"),
        (b"<script>" + b"x" * 3000 + b"'<meta charset=gbk>'</script>", "koi8-r"),
        (b"<style>" + b"x" * 3000, "utf-8"),
        (b"x" * 70_000, "utf-8"),
    ],
)
def test_a_late_declaration_counts_where_the_parser_would_meet_it(before: bytes, encoding: str) -> None:
    assert decode(before + b"<meta charset=koi8-r>" + "Привет".encode(), None)[1] == encoding


LABELS = st.none() | st.text(max_size=12) | st.sampled_from(["utf-8", "gbk", "big5", "iso-2022-jp", "utf-16", "euc-kr"])


@given(st.binary(max_size=200), LABELS, st.booleans(), st.booleans())
def test_any_bytes_and_any_label_give_text(body: bytes, label: str | None, markup: bool, xml: bool) -> None:
    text, encoding = decode(body, label, markup=markup, xml=xml)
    text.encode()
    assert encoding_of(encoding) == encoding


@given(st.binary(max_size=1024))
def test_prescan_is_total(head: bytes) -> None:
    assert prescan(head) is None or encoding_of(prescan(head) or "") is not None
