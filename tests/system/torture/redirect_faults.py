"""Redirects that lead round in circles, nowhere, out of scope, or out of the web."""

from __future__ import annotations

from tests.system.torture.fault import BROKEN, HEAD, Never, moved, raw

R = ("error:redirect", "error:blocked")
ELSEWHERE = ("error:blocked", "error:redirect", "error:url", "error:protocol")
REACHED = ("ok", "error:blocked")
TWO = b"HTTP/1.1 302 F\r\nLocation: /ok/15\r\nLocation: /secret/two\r\nContent-Length: 0\r\n\r\n"
NONE = b"HTTP/1.1 302 F\r\nContent-Length: 0\r\n\r\n"

FAULTS = (
    # The page it leads to exists no more than the way back: the circle is in the next one.
    moved("redirect-ping", "to a page that is not there", b"/fault/redirect-pong", (*R, "ok"), most_requests=21),
    moved("redirect-circle", "to itself by way of another", b"/circle", R, most_requests=21),
    moved("redirect-endless", "a chain without end", b"/trap/r/1", R, trap="/trap/r/", most_trapped=84),
    moved("redirect-empty", "an empty Location", b"", (*R, "error:protocol", "ok"), most_requests=21),
    moved(
        *("redirect-nohost", "a URL without a host", b"http:///secret/nohost"),
        (*R, "error:url", "error:connect", "error:dns"),
        never=(Never("a", "/secret/nohost"),),
    ),
    moved(
        *("redirect-1mb", "a Location of 1 MB", b"/trap/long/" + b"L" * 1_000_000),
        (*R, "error:url", "error:protocol", "error:too_large"),
        never=(Never("a", "/trap/long/", 9000),),
    ),
    moved("redirect-utf8", "raw UTF-8 and a space", "/ok/14?q=caf\u00e9 \u2603".encode(), ("ok", "error:url")),
    moved(
        *("redirect-disallowed", "to what robots.txt forbids", b"/secret/by-redirect", R),
        never=(Never("a", "/secret/by-redirect"),),
    ),
    moved(
        *("redirect-schemerel", "to the second host without a scheme"),
        lambda site: site.url("b", "/catch/schemerel")[5:].encode(),
        REACHED,
    ),
    raw(
        *("redirect-two-locations", "redirect", "two Locations", TWO, ("ok", *R, *BROKEN)),
        never=(Never("a", "/secret/two"),),
    ),
    raw("redirect-none", "redirect", "no Location", NONE, ("ok", *R)),
    raw(
        *("refresh-header", "redirect", "a Refresh header to the private service"),
        lambda site: (
            HEAD + f"Refresh: 0; url={site.url('internal', '/refresh')}\r\nContent-Length: 2\r\n\r\nhi".encode()
        ),
        ("ok",),
        never=(Never("internal", "/refresh"),),
    ),
    moved("redirect-file", "to file:", b"file:///etc/passwd", ELSEWHERE, "ssrf"),
    moved(
        *("redirect-ftp", "to ftp:", lambda site: site.url("internal", "/ftp").replace("http", "ftp", 1).encode()),
        *(ELSEWHERE, "ssrf"),
        never=(Never("internal", "/ftp"),),
    ),
    moved("redirect-data", "to data:", b"data:text/html,<title>pwn</title>", ELSEWHERE, "ssrf"),
    moved("redirect-javascript", "to javascript:", b"javascript:alert(1)", ELSEWHERE, "ssrf"),
    moved(
        *("redirect-gopher", "to gopher:", lambda site: f"gopher://127.0.0.1:{site.port('internal')}/_".encode()),
        *(ELSEWHERE, "ssrf"),
    ),
    moved("redirect-about", "to about:", b"about:blank", ELSEWHERE, "ssrf"),
)
