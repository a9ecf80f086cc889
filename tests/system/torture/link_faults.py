"""Servers that are only linked: certificates that do not hold, HTTP/2 that was not wanted, ports that say nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.system.torture.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.torture.site import Site


def _linked(
    name: str, category: str, does: str, href: Callable[[Site], str], accept: tuple[str, ...], *, slow: bool = False
) -> Fault:
    """`error:blocked` too: its robots.txt cannot be had, for the same reason."""
    return Fault(name, category, does, (*accept, "error:blocked"), listener=None, href=href, slow=slow)


def _tls(name: str, does: str, accept: tuple[str, ...] = ("error:tls",)) -> Fault:
    return _linked(name, "tls", does, lambda site: site.url(name, "/ok/1"), accept)


def _h2(name: str, does: str, *more: str, slow: bool = False) -> Fault:
    accept = ("error:protocol", "error:tls", "ok", *more)
    return _linked(name, "http2", does, lambda site: site.url(name, "/ok/1"), accept, slow=slow)


FAULTS = (
    _tls("tls-self", "a certificate that nobody signed"),
    _tls("tls-expired", "a certificate of the past"),
    _tls("tls-wronghost", "a certificate for another name"),
    _tls("tls-good", "a certificate of the analyst's file", ("ok",)),
    _linked(
        *("tls-hang", "tls", "takes the connection and never shakes hands"),
        lambda site: site.url("hang", "/").replace("http:", "https:"),
        ("error:timeout", "error:connect", "error:tls"),
        slow=True,
    ),
    _h2("h2-goaway", "speaks HTTP/2 and goes"),
    _h2("h2-lie", "agrees on HTTP/2 and speaks HTTP/1.1"),
    _h2("h2-silent", "agrees on HTTP/2 and is silent", "error:timeout", slow=True),
    _linked("connect-refused", "network", "a closed port", lambda site: site.closed + "/", ("error:connect",)),
    _linked(
        *("silent-accept", "network", "takes the connection and never reads"),
        lambda site: site.url("hang", "/"),
        ("error:timeout",),
        slow=True,
    ),
    *(
        (
            _linked(
                "connect-hang", "network", "a full queue", lambda site: site.full + "/", ("error:timeout",), slow=True
            ),
        )
        if sys.platform == "linux"  # others refuse, or take in more than the queue's length
        else ()
    ),
)
