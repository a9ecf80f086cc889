"""Queries in the charset of their page: what is written is what the standard's decoder reads back."""

from __future__ import annotations

import re

import pytest
import turbohtml.detect  # noqa: F401 - registers the standard's decoders
from hypothesis import given
from hypothesis import strategies as st

from core.urls.charset_tables import SINGLE_OCTET, TWO_OCTETS
from core.urls.charsets import encoder

NAMES = sorted({*SINGLE_OCTET, *TWO_OCTETS, "iso-2022-jp"})
# Written as a neighbour that reads back as another character; see the standard's encoders.
ONE_WAY = set("¥\u203e\u2212") | set("\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796")
ONE_WAY |= set("\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864")
BEYOND = st.characters(min_codepoint=0x80, max_codepoint=0x2FFFF, exclude_categories=["Cs"])


@given(st.sampled_from(NAMES), st.text(BEYOND, max_size=6))
def test_octets_read_back_as_the_text_they_were_written_for(name: str, text: str) -> None:
    plain = "".join(char for char in text if char not in ONE_WAY and not "\uff61" <= char <= "\uff9f")
    read = encoder(name)(plain).decode(f"whatwg-{name}")
    assert re.sub(r"%26%23(\d+)%3B", lambda found: chr(int(found.group(1))), read) == plain


@pytest.mark.parametrize(
    ("name", "text", "octets"),
    [
        ("windows-1251", "ж€", b"\xe6\x88"),
        ("windows-1252", "é\x81ж", b"\xe9\x81%26%231078%3B"),
        ("latin1", "é", b"\xe9"),
        ("koi8-u", "Ўґ", b"\xbe\xad"),
        ("x-user-defined", "\uf7ff", b"\xff"),
        ("gb2312", "漢€", b"\x9dh\x80"),
        ("gbk", "\ue5e5😀", b"%26%2358853%3B%26%23128512%3B"),
        ("gb18030", "€😀ḿ\ue7c7", b"\xa2\xe3\x949\xfc6\xa8\xbc\x815\xf47"),
        ("gb18030", "\ue5e5", b"%26%2358853%3B"),
        ("big5", "十═功¢", b"\xa4Q\xf9\xf9\xa5\\%26%23162%3B"),
        ("euc-kr", "한", b"\xc7\xd1"),
        ("euc-jp", "ｱ—①¡", b"\x8e\xb1%26%238212%3B\xad\xa1%26%23161%3B"),
        ("shift_jis", "表ｱ¥\u203e\u2212\x80", b"\x95\\\xb1\\~\x81|\x80"),
        ("shift_jis", "￢", b"\x81\xca"),
        ("iso-2022-jp", "あa", b"\x1b$B$\x22\x1b(Ba"),
        ("iso-2022-jp", "¥a~", b"\x1b(J\\a\x1b(B~"),
        ("iso-2022-jp", "ｱﾞ①", b"\x1b$B%\x22!+-!\x1b(B"),
        ("iso-2022-jp", "あ\x1bé", b"\x1b$B$\x22\x1b(B%26%2365533%3B%26%23233%3B"),
        ("utf-16le", "é", b"\xc3\xa9"),
        ("rot13", "é", b"\xc3\xa9"),
    ],
)
def test_octets_are_those_of_the_standard(name: str, text: str, octets: bytes) -> None:
    assert encoder(name)(text) == octets


@given(st.sampled_from([*NAMES, "utf-8", "replacement"]), st.text())
def test_any_text_is_encoded(name: str, text: str) -> None:
    encoder(name)(text.replace("\ud800", "")).decode("latin-1")
