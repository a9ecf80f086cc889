"""Which addresses are public, in every spelling, and which names open the others."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.urls.addresses import is_listed, literal, restriction

PRIVATE = (
    "127.0.0.1 127.255.255.254 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3"
    " 100.64.0.1 224.0.0.1 240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 203.0.113.9 ::1 :: fe80::1 fe80::1%eth0"
    " fc00::1 fd12::1 ff02::1 2001:db8::1 fec0::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1"
    " 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001::1 100::1 4000::1 nonsense"
)
PUBLIC = "8.8.8.8 172.32.0.1 100.128.0.1 93.184.216.34 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"


@pytest.mark.parametrize("address", PRIVATE.split())
def test_addresses_off_the_public_internet_are_restricted(address: str) -> None:
    assert restriction(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses_are_not_restricted(address: str) -> None:
    assert restriction(address) is None


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_inside_an_ipv6_one_is_judged_like_itself(number: int) -> None:
    plain = restriction(str(IPv4Address(number)))
    low = f"{number >> 16:x}:{number & 0xFFFF:x}"
    for carrier in (f"::ffff:{low}", f"64:ff9b::{low}", f"2002:{low}::1"):
        assert restriction(carrier) == plain


@given(st.text(max_size=30))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    assert literal(text) is not None or restriction(text) == "unreadable"


def test_only_exactly_the_listed_host_and_port_are_open() -> None:
    listed = frozenset({"a.test", "b.test:8080", "127.0.0.1:8700", "[::1]", "fe80::1"})
    assert is_listed("a.test", 1, listed)
    assert is_listed("b.test", 8080, listed)
    assert is_listed("127.0.0.1", 8700, listed)
    assert is_listed("[::1]", 80, listed)
    assert is_listed("[fe80::1]", 80, listed)
    assert not is_listed("b.test", 80, listed)
    assert not is_listed("127.0.0.1", 22, listed)
    assert not is_listed("sub.a.test", 1, listed)
    assert not is_listed("[::2]", 80, listed)
