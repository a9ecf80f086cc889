"""Pages that cost a parser dear, and pages whose links are no links."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.system.torture.fault import HEAD, OK, Fault, Never, anchors, document, page

if TYPE_CHECKING:
    from tests.system.torture.site import Site
    from tests.system.torture.visit import Visit

DEAR = ("ok", "truncated", "error:parse", "error:too_large")
CHARSETS = (
    "hex",
    "zlib_codec",
    "undefined",
    "idna",
    "unicode_escape",
    "rot13",
    "utf-7",
    "../../etc/passwd",
    "x" * 5000,
)
BAD_URLS = (
    *("http://[::bad", "http://a:99999/", "http://a:port/", "http://", "//", "http://%zz/"),
    *("http://exa mple.invalid/", "http://.invalid./", "http://" + "a" * 300 + ".invalid/", "http://xn--a.invalid/"),
    *("http://1.2.3.4.5.invalid:0/", "http://\u2024\u2024.invalid/", "http://\u00ad.invalid"),
)
SPACED = (" \t/o\nk/\t8 ", "\\ok\\9", "http:/ok/10", "///ok/11")
HOMOGRAPHS = ("http://\u0440\u0430\u0443\u0440\u0430l.invalid/", "http://xn--80ak6aa92e.invalid/")
JAVASCRIPT = "<base href='javascript:alert(1)//'>"
SURROGATES = b"<title>s &#xD800;&#0;&#x110000;&#xDFFF;</title><a href='/ok/7?&#xD800;'>x</a>"
OVERLONG = b"<title>\xff\xfe\xc0\xaf\xed\xa0\x80 bad</title><a href='/ok/\xff\xfe'>x</a>"


async def _million_links(visit: Visit) -> None:
    await visit.send(HEAD + b"Connection: close\r\n\r\n<title>m</title>")
    for start in range(0, 1_000_000, 5000):
        await visit.send(b"".join(b"<a href=/trap/l/%d>" % number for number in range(start, start + 5000)))


def _adoption(_: Site) -> bytes:
    opened = "".join(f"<b {n}>" for n in range(4000)) + "".join(f"<i {n}>" for n in range(4000))
    return (opened + "x</b>" * 4000).encode()


def _attributes(_: Site) -> bytes:
    return b"<p " + b" ".join(b"a%d=1" % number for number in range(100_000)) + b">"


def _big_title(_: Site) -> bytes:
    return document("T" * (4 << 20), "x", "<meta name=description content='" + "D" * (1 << 20) + "'>")


def _long_links(_: Site) -> bytes:
    return document("u", anchors(*("/trap/long/" + "u" * length for length in (1_000_000, 70_000, 3000))))


def _query(_: Site) -> bytes:
    return document("q", anchors("/trap/q?" + "&".join(f"p{number}={number}" for number in range(10_000))))


def _charset(label: str) -> Fault:
    name = "charset-" + label[:14].replace("/", "_").replace(".", "_")
    body = document("cs", "plain <a href=/ok/5>x</a>")
    return _content(name, f"charset={label[:20]}", body, content_type="text/html; charset=" + label)


def _content(name: str, does: str, body: object, accept: tuple[str, ...] = OK, **more: object) -> Fault:
    return page(name, "content", does, body, accept, **more)  # type: ignore[arg-type] # bytes, or made of the site


FAULTS = (
    _content("deep-div-1m", "a million nested div", lambda _: b"<title>d</title>" + b"<div>" * 1_000_000, DEAR),
    _content(
        "deep-formatting", "unclosed formatting", lambda _: b"<title>f</title>" + b"<b><i><a href=x>" * 5000, DEAR
    ),
    _content("deep-adoption", "4,000 misnested b and i", _adoption, DEAR),
    _content("option-flood", "40,000 options", lambda _: b"<select>" + b"<option>x</option>" * 40_000, DEAR),
    _content("many-attributes", "100,000 attributes of one element", _attributes, DEAR),
    Fault(
        *("million-links", "content", "a million links on a page", (*DEAR, "bounded"), _million_links),
        trap="/trap/l/",
        most_trapped=20_000,
    ),
    _content("url-1mb", "links of 1 MB, 70 KB, 3 KB", _long_links, never=(Never("a", "/trap/long/", 9000),)),
    _content("query-10k", "a link of 10,000 parameters", _query),
    _content("invalid-utf8", "invalid and overlong UTF-8", OVERLONG),
    _content("utf16-lie", "UTF-16 said to be UTF-8", document("sixteen", anchors("/ok/4")).decode().encode("utf-16")),
    *(_charset(label) for label in CHARSETS),
    _content("ctype-png-as-html", "a picture as a page", b"\x89PNG\r\n\x1a\n" + random.Random(3).randbytes(50_000)),
    _content("ctype-garbage", "a type of 100 KB", b"x", content_type='text/html; charset="' + ";" * 100_000),
    _content("lt-flood", "5 MB of <", lambda _: b"<" * (5 << 20), DEAR),
    _content("entity-flood", "bogus entities", lambda _: b"<title>e</title>" + b"&amp;&#xFFFFFFFFFF;" * 300_000, DEAR),
    _content("surrogates", "lone surrogates and NUL as entities", SURROGATES),
    _content("huge-title", "a title of 4 MB", _big_title, DEAR),
    _content("base-javascript", "a base that is a script", document("b", anchors("x"), JAVASCRIPT)),
    _content(
        "base-cross-host",
        "a base at the second host",
        lambda site: document("b", anchors("/catch/base"), f"<base href='{site.url('b')}'>"),
    ),
    _content("ws-in-url", "tabs, newlines and backslashes in links", document("w", anchors(*SPACED))),
    _content("bad-urls", "links that are no URLs", document("bu", anchors(*BAD_URLS))),
    _content("idn-homograph", "names that look like others", document("idn", anchors(*HOMOGRAPHS))),
)
