"""Host names as parsed names: the one place where a written host becomes what is compared, resolved and connected to.

A host is lower-case ASCII (UTS 46, non-transitional), an IPv4 address in dotted decimal whatever its spelling, or an
IPv6 address in brackets. So address checks that follow see one spelling only. Names that DNS cannot hold are no hosts;
a name that is ASCII already is taken at its word, broken punycode included (URL standard since 2026: there are such
hosts, and a browser goes to them).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
# A last label that starts with a digit may be a number in disguise (0x7f.1), which only the full parser decides.
PLAIN_HOST = rf"(?:(?:[a-z0-9_-]{{1,63}}+\.)*+[a-z_][a-z0-9_-]{{0,62}}+|{IPV4})"
LONGEST_NAME = 253  # RFC 1035 section 2.3.4, without the length octets

_PLAIN = re.compile(PLAIN_HOST)
_ADDRESS = re.compile(IPV4)
_LABELS = re.compile(r"[a-z0-9_-]{1,63}+(?:\.[a-z0-9_-]{1,63}+)*+\.?+")


def ascii_host(host: str) -> str | None:
    """The parsed form of a written host (WHATWG URL, host parser), or None where it is no host that can exist."""
    plain = host.lower() if host.isascii() else host
    if is_plain(plain):
        return plain
    from ada_url import URL  # only unusual hosts need it, and its import costs a start

    try:
        parsed = str(URL(f"http://{host}/").hostname)
    except ValueError:
        return None
    return parsed if parsed.startswith("[") or _fits_dns(parsed) else None


def is_plain(host: str) -> bool:
    """Whether the host is already what parsing would make of it, told without parsing."""
    return len(host) <= LONGEST_NAME and _PLAIN.fullmatch(host) is not None


def registrable(host: str) -> str:
    """The name somebody registered: public suffix and one label more; addresses and bare names return themselves.

    The list (publicsuffix.org, private section included) comes with the installation and is read at first use.
    """
    name = host.removesuffix(".")
    if "." not in name or name.startswith("[") or _ADDRESS.fullmatch(name):
        return name
    return str(_suffixes().privatesuffix(name) or name)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # a third of a megabyte of rules that most processes never need

    return PublicSuffixList()


def _fits_dns(host: str) -> bool:
    # The URL standard also lets quotes and braces pass; no name server does, and they would act elsewhere.
    return len(host.removesuffix(".")) <= LONGEST_NAME and _LABELS.fullmatch(host) is not None
