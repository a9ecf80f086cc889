"""Texts made for spreadsheets, rich text, logs and file names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.system.torture.fault import BROKEN, OK, Fault, Never, document, page

if TYPE_CHECKING:
    from tests.system.torture.site import Site

FORMULAS = "<h1>+cmd|' /C calc'!A0</h1><h2>@SUM(1)</h2><h2>-1+1</h2><h2>&#9;=1</h2><h2>&#13;=1</h2><h2>\uff1d1+1</h2>"
FORGED = (
    "<title>ok&#10;2026-01-01 CRITICAL forged&#27;[2J&#27;]0;pwn&#7;</title>"
    "<a href='/ok/12?%0d%0aERROR:%20forged%1b[31m'>x</a>"
)
NAMES = (
    *(
        "../../../../tmp/pwn.txt",
        "..\\..\\pwn.exe",
        "/etc/cron.d/pwn",
        "C:\\Windows\\pwn.dll",
        "CON",
        "a" * 400 + ".txt",
    ),
    *("x\0.txt", ".bashrc", "pwn.desktop", "a/../b", "%2e%2e%2fpwn"),
)


def _rich_text(site: Site) -> bytes:
    picture = f"&lt;img src=&quot;{site.url('internal', '/pixel')}&quot;&gt;&lt;b&gt;BOLD&lt;/b&gt;"
    link = "&lt;a href=&quot;file:///etc/passwd&quot;&gt;x&lt;/a&gt;"
    return f"<title>{picture}{link}</title><h1>&lt;h1&gt;big&lt;/h1&gt;</h1>".encode()


def _download(number: int, name: str) -> Fault:
    disposition = f"attachment; filename=\"{name}\"; filename*=UTF-8''..%2F..%2Fpwn"
    return page(
        *(f"download-name-{number}", "output", "a file name that leads elsewhere", b"data", (*OK, *BROKEN)),
        content_type="application/octet-stream",
        headers=(("Content-Disposition", disposition),),
    )


FAULTS = (
    page(
        *("csv-formula", "output", "texts that are formulas"),
        document('=HYPERLINK("http://127.0.0.1/","x")', FORMULAS, "<meta name=description content='@SUM(1+1)*cmd|x'>"),
    ),
    page("csv-quotes", "output", "quotes and line ends in the title", b'<title>a","b\r\nc;d\te\xef\xbb\xbf</title>'),
    page(*("qt-richtext", "output", "a title that is rich text", _rich_text), never=(Never("internal", "/pixel"),)),
    page("log-inject", "output", "line ends and escapes in title and URL", FORGED.encode()),
    *(_download(number, name) for number, name in enumerate(NAMES)),
)
