"""Which addresses a crawl may reach: the public internet, and what the analyst named (RFC 6890).

Pure. The list is our own rather than the standard library's, whose answers change between Python versions. Addresses
that carry an IPv4 address inside (mapped, NAT64, 6to4) are judged by both.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_V4 = tuple(
    (ip_network(block), word)
    for block, word in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_V6 = tuple(
    (ip_network(block), word)
    for block, word in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("64:ff9b:1::/48", "private"),
        ("100::/64", "discard"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "reserved"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
    )
)
# Where an IPv4 address lies inside an IPv6 one: the block and how far right it is shifted.
_CARRIERS = (
    (ip_network("::ffff:0:0/96"), 0),
    (ip_network("::/96"), 0),
    (ip_network("64:ff9b::/96"), 0),
    (ip_network("2002::/16"), 80),
)
_GLOBAL = ip_network("2000::/3")


def literal(host: str) -> str | None:
    """The address that a URL's host is, without brackets, or None where it is a name."""
    bare = host[1:-1] if host.startswith("[") else host
    return bare if _parsed(bare) is not None else None


@lru_cache(maxsize=4096)
def restriction(address: str) -> str | None:
    """One word for why an address is not on the public internet, or None where it is; what is no address never is."""
    parsed = _parsed(address)
    if parsed is None:
        return "unreadable"
    if isinstance(parsed, IPv4Address):
        return next((word for block, word in _V4 if parsed in block), None)
    return _restriction_v6(parsed)


def is_listed(host: str, port: int, listed: frozenset[str]) -> bool:
    """Whether exactly this host, or this host with this port, was named by the analyst. Brackets do not matter."""
    bare = host[1:-1] if host.startswith("[") else host
    return any(name in listed or f"{name}:{port}" in listed for name in (bare, f"[{bare}]"))


def _restriction_v6(address: IPv6Address) -> str | None:
    found = next((word for block, word in _V6 if address in block), None)
    if found is not None:
        return found
    for block, shift in _CARRIERS:
        if address in block:
            return restriction(str(IPv4Address(int(address) >> shift & 0xFFFF_FFFF)))
    return None if address in _GLOBAL else "reserved"


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None
