"""Texts that no database, table or log was made for are stored all the same: clipped, without an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import FieldRule, RecordType, Seeds
from tests.core.engine.crawl import Crawl, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

LONG = "T" * (3 << 20)
LONGEST_CELL = 2048  # characters; records and bodies are what the analyst asked for, and have bounds of their own
ADDRESSES = {
    ("page", "canonical"),
    ("page", "redirect_to"),
    ("refused", "url"),
    ("url", "path"),
}  # a part of one is another
LONGER_ONES = {("record", "data"), ("setting", "json"), ("meta", "value"), ("robots_version", "body")}
ODD = "s &#xD800;&#0;&#x110000;&#xDFFF; \x00 \x1b[2J \u202e"
FIELDS = {
    "text": FieldRule(css="p"),
    "number": FieldRule(css=".n", cast="number"),
    "money": FieldRule(css=".n", cast="money"),
    "date": FieldRule(css=".d", cast="date"),
}


def hostile() -> dict[str, object]:
    odd = f"<title>{ODD}</title><a href='/ok?&#xD800;' rel='{ODD}'>{ODD}</a><p>{ODD}</p>".encode()
    head = f"<meta name=description content='{LONG}'><link rel=canonical href='/{LONG[:9000]}'>"
    big = "9" * 40
    return {
        "/odd": odd + b"<title>\xff\xfe\xc0\xaf\xed\xa0\x80</title><a href='/ok/\xff\xfe'>\xed\xa0\x80</a>",
        "/title": f"<title>{LONG}</title>{head}",
        "/link": f"<a href='/ok' rel='{LONG}'>{LONG}</a><a href='/{LONG}'>x</a>",
        "/numbers": f"<p class=n>{big}</p><p class=d>{big}-01-01</p><p class=n>1e{big}</p>",
        "/head": Reply(page(), headers=(("ETag", '"' + "e" * 30_000 + '"'), ("X-Long", "x" * 30_000))),
        "/type": Reply(page(), type="text/html; charset=" + "c" * 30_000),
        "/moved": Reply(b"", 302, (("Location", "/" + "l" * 15_000),)),
        "/length": Reply(
            raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999999999999\r\n\r\nx"
        ),
        "/retry": Reply(b"", 503, (("Retry-After", "9" * 60),)),
    }


def test_every_text_is_stored_and_clipped(tmp_path: Path) -> None:
    kind = RecordType(name="thing", match="/", fields=FIELDS)
    with ScriptedSite(hostile()) as site:
        modified = "".join(
            f"<url><loc>{site.root}/ok</loc><lastmod>{date}</lastmod></url>" for date in ("9" * 30, "99999-01-01")
        )
        site.answers |= {"/": page(*site.answers), "/ok": page(), "/map.xml": f"<urlset>{modified}</urlset>"}
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/map.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, records=(kind,), politeness=politeness(retry_after_max=0.1)))
        assert crawl.run().exit_status == 0
    states = crawl.states()
    assert {states[path] for path in ("/odd", "/title", "/link", "/numbers", "/head", "/type")} == {"done"}
    assert crawl.rows("SELECT error FROM page WHERE error LIKE '%unforeseen%'") == []
    too_long = {
        (table, column): longest
        for (table,) in crawl.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        for _, column, *_ in crawl.rows(f"PRAGMA table_info({table})")
        for ((longest,),) in [crawl.rows(f'SELECT max(length("{column}")) FROM "{table}"')]  # noqa: S608 - our own names
        if (longest or 0) > LONGEST_CELL and (table, column) not in LONGER_ONES | ADDRESSES
    }
    assert too_long == {}
