"""Links to the private service in every spelling, to schemes that are none of ours, and to what changes things."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from tests.system.torture.fault import Never, anchors, document, page

if TYPE_CHECKING:
    from tests.system.torture.site import Site


def _spellings(site: Site) -> bytes:
    address, port = site.host("internal"), site.port("internal")
    number = int(ipaddress.ip_address(address))
    first, _, _, last = (int(part) for part in address.split("."))
    hosts = (
        *(address, str(number), hex(number), f"0{first:o}.0.0.{last}", f"{first}.{last}", f"[::ffff:{address}]"),
        *(f"0x7f.0.0.0x{last:x}", f"{address}.", f"\uff11\uff12\uff17.0.0.{last}"),
    )
    return document("v", anchors(*(f"http://{host}:{port}/v{nth}" for nth, host in enumerate(hosts))))


def _embedded(site: Site) -> bytes:
    root = site.url("internal")
    body = (
        f"<a href='{root}/a'>x</a><img src='{root}/i'><script src='{root}/s'></script>"
        f"<iframe src='{root}/f'></iframe><form action='{root}/post' method=post></form>"
    )
    return document("s", body, f"<link rel=stylesheet href='{root}/css'><link rel=canonical href='{root}/can'>")


def _schemes(site: Site) -> bytes:
    place = f"{site.host('internal')}:{site.port('internal')}"
    return document(
        "sch",
        anchors(
            *("file:///etc/passwd", "file://localhost/etc/hostname", "FILE:///etc/passwd", f"ftp://{place}/ftp"),
            *(f"gopher://{place}/_x", "data:text/html,<a href=/secret/data>x</a>", "javascript:alert(1)"),
            *("java&#115;cript:alert(1)", "vbscript:x", "mailto:a@b.invalid", "tel:+1", "blob:x", "about:blank"),
            *("view-source:http://127.0.0.1/", f"ws://{place}/ws", "\\\\127.0.0.1\\share\\x", "jar:http://x.invalid!/"),
            "dict://127.0.0.1:11/",
        ),
    )


def _internal(*paths: str) -> tuple[Never, ...]:
    return tuple(Never("internal", path) for path in paths)


LOGOUT = (
    "<a href='/danger/logout'>x</a><a href='/danger/delete?id=1'>x</a>"
    "<form action='/danger/post' method=post><input type=submit></form>"
)

FAULTS = (
    page("schemes", "ssrf", "links with every other scheme", _schemes, never=_internal("/ws", "/ftp")),
    page("ssrf-variants", "ssrf", "the private address in nine spellings", _spellings, never=_internal("/v")),
    page(
        *("ssrf-link", "ssrf", "the private service linked and embedded", _embedded),
        never=_internal("/a", "/i", "/s", "/f", "/post", "/css", "/can"),
    ),
    page(
        *("logout-links", "ssrf", "links and a form that change things", document("l", LOGOUT)),
        no_method=("POST", "PUT", "DELETE"),
    ),
)
