"""Rules without a time limit: read in a process of its own, which is killed where they find no end."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

import core.engine.worker
from core.engine.reading import Body, read_body
from core.engine.rules import RulesInForce
from core.engine.worker import OutOfTime, Worker
from core.settings import CrawlSettings, FieldRule, RecordType
from core.urls import Url
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = "count(//*[count(preceding::*) > 1 and count(following::*) > 2])"


def kind(name: str, match: str, xpath: str) -> RecordType:
    return RecordType(name=name, match=match, fields={"t": FieldRule(xpath=xpath)})


def rules(xpath: str) -> RulesInForce:
    return RulesInForce(CrawlSettings(records=(kind("page", "/", xpath),)))


def body(content: bytes) -> Body:
    return Body(Url("http", "a.test", 80, "/x"), content, "text/html", "utf-8", (("Link", "</l>; rel=next"),))


def test_the_process_reads_what_the_engine_would_read() -> None:
    async def both() -> None:
        worker = Worker()
        try:
            for text in ("//title/text()", "//a/@href"):  # other rules reach the same process
                ours = rules(text)
                assert await worker.read(ours, body(page("/a", title="T"))) == read_body(
                    ours, body(page("/a", title="T"))
                )
        finally:
            await worker.close()

    asyncio.run(both())


def test_a_page_without_end_is_killed_and_the_next_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.engine.worker, "START", 2.0)

    async def after_a_kill() -> None:
        worker = Worker(limit=0.3)
        try:
            started = time.monotonic()
            with pytest.raises(OutOfTime):
                await worker.read(rules(ENDLESS), body(b"<p>x</p>" * 3000))
            assert time.monotonic() - started < 5
            parsed = await worker.read(rules("//title/text()"), body(page(title="T")))
            assert parsed.title == "T"
        finally:
            await worker.close()

    asyncio.run(after_a_kill())


def test_an_endless_rule_costs_its_page_alone_and_no_other_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.engine.worker, "START", 1.0)
    monkeypatch.setattr(core.engine.worker.Worker.__init__, "__defaults__", (0.3,))
    answers: dict[str, object] = {"/": page("/x/evil", "/x/good", "/a"), "/x/evil": page("/b") + b"<p>x</p>" * 3000}
    answers |= {"/x/good": page("/c", title="Good")} | {f"/{name}": page(title=name) for name in "abc"}
    with ScriptedSite(answers) as site:
        settings = quick(f"{site.root}/", records=(kind("x", "/x/", ENDLESS),))
        crawl = Crawl(tmp_path, settings)
        assert crawl.run().exit_status == 0
        asked = {one.target: one.at for one in site.asked}
    rows = crawl.urls()
    assert rows["/x/evil"].outcome == "error:parse"
    assert {row.state for row in rows.values()} == {"done"}
    assert crawl.rows("SELECT count(*) FROM record JOIN url ON url.id = url_id WHERE path = '/x/good'") == [(1,)]
    assert asked["/a"] - asked["/x/evil"] < 1.0  # the page without end takes 1.3 seconds
