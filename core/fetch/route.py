"""Whether this machine knows a way to the world outside itself. Nothing is sent."""

from __future__ import annotations

import errno
import socket
from ipaddress import ip_address

from core.urls.addresses import literal

FAR = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))  # documentation addresses (RFC 5737, 3849)
RESERVED = ("localhost", "test", "example", "invalid", "onion")  # RFC 6761, 7686: no network resolves them
NO_WAY = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})


def leads_out(host: str) -> bool | None:
    """Whether the system has a route to this host, as far as it can tell without asking anybody.

    None for a host whose failure says nothing about the network: this machine itself, and names that exist nowhere.
    """
    written = literal(host)
    if written is None:
        nowhere = host.rstrip(".").rpartition(".")[2] in RESERVED
        return None if nowhere else any(_has_route(*place) for place in FAR)
    if ip_address(written).is_loopback:
        return None
    return _has_route(written, socket.AF_INET6 if ":" in written else socket.AF_INET)


def _has_route(address: str, family: socket.AddressFamily) -> bool:
    """A datagram socket is only bound by `connect`: the kernel looks up the route, and no packet leaves."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
    except OSError as error:
        return error.errno not in NO_WAY
    return True
