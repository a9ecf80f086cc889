"""A site that answers badly in every way: each page gets an outcome, and the engine ends by itself."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from core.settings import Budgets, FieldRule, RecordType
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
EVIL = RecordType(
    name="evil",
    match="/",
    key="id",
    fields={"id": FieldRule(regex=r"<title>(.*?)</title>"), "slow": FieldRule(regex=r"(a+)+$")},
)


def hostile() -> dict[str, Reply]:
    """Path to answer."""
    raw = {
        "garbage": b"\x00\xff\xfe nonsense\r\n\r\n",
        "nothing": b"",
        "half-head": b"HTTP/1.1 200 O",
        "no-status": b"HTTP/1.1\r\n\r\n",
        "status-999": b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n",
        "negative": OK + b"Content-Length: -5\r\n\r\nhello",
        "two-lengths": OK + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello",
        "short": OK + b"Content-Length: 500\r\n\r\nhello",
        "bad-chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n",
        "many-headers": OK + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n",
        "long-header": OK + b"X: " + b"y" * 2_000_000 + b"\r\n\r\n",
        "semicolons": b"HTTP/1.1 200 OK\r\nContent-Type: text/html" + b";" * 50_000 + b"\r\nContent-Length: 1\r\n\r\nx",
        "bad-gzip": OK + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
        "chain": OK + b"Content-Encoding: gzip, gzip, gzip\r\nContent-Length: 0\r\n\r\n",
        "unknown-coding": OK + b"Content-Encoding: rot13\r\nContent-Length: 1\r\n\r\nx",
        "continues": b"HTTP/1.1 100 Continue\r\n\r\n" * 2000,
        "upgrade": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        "location-nul": b"HTTP/1.1 302 F\r\nLocation: /\x00\x01\r\nContent-Length: 0\r\n\r\n",
        "retry-after": b"HTTP/1.1 503 B\r\nRetry-After: -9e999\r\nContent-Length: 0\r\n\r\n",
    }
    body = {
        "bomb": Reply(gzip.compress(b"0" * 30_000_000), headers=(("Content-Encoding", "gzip"),)),
        "deep": Reply(b"<div>" * 100_000),
        "many-tags": Reply(b"<b>" * 600_000),
        "attributes": Reply(b"<p " + b" ".join(b"a%d=1" % number for number in range(50_000)) + b">"),
        "options": Reply(b"<select>" + b"<option>x" * 100_000),
        "charset": Reply(page(title="C"), type="text/html; charset=no-such-thing\x7f"),
        "utf-16": Reply(b"\xff\xfe<\x00a\x00"),
        "nul": Reply(b"<title>a\x00b\xed\xa0\x80</title>" + b"\x00" * 1000),
        "title": Reply(b"<title>" + b"t" * 4_000_000),
        "backtrack": Reply(b"<title>b</title>" + b"a" * 50_000 + b"!"),
        "bad-links": Reply(
            b'<base href="http://[::1"><a href="http://[x">1</a><a href="//">2</a><a href="http://a:99999/">3</a>'
            b'<a href="/good">4</a><a href="\x00javascript:x">5</a><a href="%zz">6</a>'
            b'<meta http-equiv=refresh content=";;;">'
        ),
        "many-links": Reply(b"".join(b'<a href="/l/%d">x</a>' % number for number in range(20_000))),
        "long-link": Reply(b'<a href="/' + b"x" * 100_000 + b'">x</a>'),
    }
    return {f"/{name}": Reply(raw=answer) for name, answer in raw.items()} | {f"/{n}": r for n, r in body.items()}


def test_no_answer_stops_the_engine_and_each_has_an_outcome(tmp_path: Path) -> None:
    answers = hostile()
    with ScriptedSite({**answers, "/": page(*answers, "/good"), "/good": page(title="Good")}) as site:
        settings = quick(
            f"{site.root}/",
            budgets=Budgets(max_body_bytes=5_000_000, max_depth=1),
            fetch=fetch(timeout=5.0),
            politeness=politeness(retry_after_max=0.2, adaptive=False),
            records=(EVIL,),
        )
        crawl = Crawl(tmp_path, settings)
        assert crawl.run().exit_status == 0
    rows = {path: row for path, row in crawl.urls().items() if path in answers}
    assert set(rows) == set(answers)
    assert {row.state for row in rows.values()} <= {"done", "failed"}
    known = {"ok", "truncated", "redirect"} | {
        f"error:{kind}" for kind in "timeout connect disconnect protocol redirect decode too_large url parse".split()
    }
    assert {row.outcome for row in rows.values()} <= known
    assert crawl.states()["/good"] == "done"
    unforeseen = crawl.rows("SELECT error FROM page WHERE error LIKE '%unforeseen%'")
    assert unforeseen == []
    assert rows["/bomb"].outcome == "error:too_large"
    assert rows["/many-tags"].outcome == "error:parse"
    assert {rows[path].state for path in ("/garbage", "/nothing", "/short", "/bad-gzip")} == {"failed"}
    ((links,),) = crawl.rows("SELECT links FROM capture JOIN url ON url.id = url_id WHERE path = '/many-links'")
    assert links == 5000
    ((longest,),) = crawl.rows("SELECT max(length(title)) FROM page")
    assert longest <= 2048
