"""A page reader that runs out of memory, or is killed from outside, costs its page alone."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

import core.engine.worker
from core.engine.worker import Worker
from core.settings import FieldRule, RecordType
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from pathlib import Path

    from core.settings import CrawlSettings

GREEDY = f"string-length(concat({', '.join(['/'] * 300)}))"  # of 4 MB: more than a gigabyte
FRUGAL = (
    "import sys, core.killable, core.engine.worker as worker\n"
    "core.killable.MEMORY = 700 * 1024 ** 2\n"
    "worker.serve(sys.stdin.buffer, sys.stdout.buffer)"
)


def settings(root: str, xpath: str) -> CrawlSettings:
    kind = RecordType(name="x", match="/x/", fields={"t": FieldRule(xpath=xpath)})
    return quick(f"{root}/", records=(kind,))


@pytest.mark.skipif(os.name != "posix", reason="the system bounds a process's memory on POSIX alone")
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS knows no such bound")
def test_out_of_memory_is_an_unreadable_page_and_the_crawl_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.engine.worker, "PROGRAM", ("-c", FRUGAL))
    large = page("/b", title="Large") + b"<p>" + b"x" * 4_000_000
    answers: dict[str, object] = {"/": page("/x/large", "/x/small", "/a"), "/x/large": large}
    answers |= {"/x/small": page("/c", title="Small")} | {f"/{name}": page(title=name) for name in "abc"}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, settings(site.root, GREEDY))
        assert crawl.run().exit_status == 0
    rows = crawl.urls()
    assert rows["/x/large"].outcome == "error:parse"
    assert {row.state for row in rows.values()} == {"done"}
    assert crawl.rows("SELECT path FROM record JOIN url ON url.id = url_id") == [("/x/small",)]


def test_a_reader_that_is_killed_from_outside_costs_its_page_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Process] = []
    start = Worker._start

    async def noted(self: Worker) -> Process:
        started.append(await start(self))
        if len(started) == 1:  # the first one, with its first page under way
            os.kill(started[0].pid, signal.SIGKILL)
        return started[-1]

    monkeypatch.setattr(Worker, "_start", noted)
    answers: dict[str, object] = {"/": page("/x/1", "/x/2"), "/x/1": page(title="1"), "/x/2": page(title="2")}
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, settings(site.root, "//title/text()"))
        assert crawl.run().exit_status == 0
    assert [row.outcome for path, row in crawl.urls().items() if path.startswith("/x/")].count("error:parse") == 1
    assert crawl.rows("SELECT count(*) FROM record") == [(1,)]
    assert len(started) == 2
