"""Pages that want to see credentials, cookies and addresses that are none of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.fault import anchors, document, moved, page, raw

if TYPE_CHECKING:
    from tests.system.torture.site import Site

COOKIE = "A-SECRET-COOKIE"
TOKEN = "Bearer A-SECRET-TOKEN"  # noqa: S105 - made up
USER = "ZXZpbDpwdw=="  # evil:pw
UNAUTHORISED = b'HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm="evil"\r\nContent-Length: 0\r\n\r\n'
FOREIGN = (f"evil={COOKIE}; Domain=127.0.0.2", "evil2=1; Domain=com", f"evil3={COOKIE}; Domain=.0.0.1")


def _user_info(site: Site) -> bytes:
    return document("ui", anchors(site.url("a", "/ok/16").replace("http://", "http://evil:pw@")))


def _cookie(site: Site) -> bytes:
    return document("c", anchors(site.url("b", "/catch/cookie"), "/ok/17"))


def _token(site: Site) -> bytes:
    return document("r", anchors("/fault/referer-token?token=TOPSECRET", site.url("b", "/catch/referer")))


FAULTS = (
    moved(
        *("redirect-cross-host", "to the second host"),
        lambda site: site.url("b", "/catch/cross-host").encode(),
        ("ok", "error:blocked"),
        "credentials",
    ),
    page("userinfo-link", "credentials", "a link with a password in it", _user_info, no_value=USER),
    page(
        *("set-cookie", "credentials", "a cookie, and a link to the second host", _cookie),
        headers=(("Set-Cookie", f"sid={COOKIE}; Path=/"),),
    ),
    page(
        *("cookie-foreign-domain", "credentials", "cookies for other domains", document("c", "x")),
        headers=tuple(("Set-Cookie", cookie) for cookie in FOREIGN),
    ),
    page(
        *("cookie-flood", "credentials", "2,000 cookies", document("c", "x")),
        ("ok", "error:protocol", "error:too_large"),
        headers=tuple(("Set-Cookie", f"c{nth}={'v' * 20}; Path=/fault") for nth in range(2000)),
    ),
    page("referer-token", "credentials", "a token in the URL, and a link to the second host", _token),
    raw("401-basic", "credentials", "a 401 that asks for a password", UNAUTHORISED, ("ok",)),
    moved(
        *("downgrade", "from https to http", lambda site: site.url("a", "/catch/downgrade").encode()),
        *(("ok", "error:blocked", "error:tls"), "credentials"),
        listener="tls-good",
    ),
)
