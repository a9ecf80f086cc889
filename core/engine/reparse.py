"""A re-parse: the rules of now over kept responses, with the extraction every fetched page has, without a request.

Where a response is kept no more, or cannot be read, the records of its page stay as they are, and it is said.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from core.engine.reading import Body, read_body
from core.engine.rules import RulesInForce
from core.engine.worker import OutOfTime, Worker
from core.fetch.content_type import content_type
from core.fetch.head import is_accepted
from core.store.opened_response import opened
from core.store.reparsed import Reread
from core.store.write.reparse import Reparse

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.store.reparsed import KeptAnswer, ReparseReport
    from core.store.results import Parsed

MOST = 100  # pages a transaction
LONGEST = 0.5  # seconds of reading a transaction


async def reparse(
    path: Path,
    *,
    dry_run: bool,
    progress: Callable[[int, int], None] | None = None,
    wanted: Callable[[], bool] = lambda: True,
    wall: Callable[[], float] = time.time,
) -> ReparseReport:
    """Bring the records in line with the rules, or only say what that would do; the caller holds the engine lock.

    Ends before its time, with what it did safe in the file, when `wanted` says no; the next call goes on there.
    """
    store, worker = Reparse(path, wall(), dry_run=dry_run), Worker()
    try:
        reading = Reading(store, worker)
        while wanted() and (pages := store.pages(MOST)):
            store.store(await reading.read(pages, wanted))
            if progress is not None:
                progress(store.report.done, store.report.pages)
            await asyncio.sleep(0)
        if store.report.done == store.report.pages:
            store.finish(wall())
        return store.report
    finally:
        await worker.close()
        store.close()


class Reading:
    """Reads kept answers by the newest rules of their crawl."""

    def __init__(self, store: Reparse, worker: Worker) -> None:
        self._store = store
        self._worker = worker
        self._rules = RulesInForce(_for_records(store.settings))

    async def read(self, pages: list[KeptAnswer], wanted: Callable[[], bool]) -> list[Reread]:
        """What the first of these pages hold: as many as can be read in a moment, one at least."""
        until = time.monotonic() + LONGEST
        read: list[Reread] = []
        for page in pages:
            if read and (time.monotonic() >= until or not wanted()):
                break
            read.append(await self._read(page))
        return read

    async def _read(self, page: KeptAnswer) -> Reread:
        if not self._rules.record_types(page.url):
            return Reread(page, ())
        response = self._store.response(page)
        if response is None:
            return Reread(page, None, missing=True)
        kept = opened(response.head, response.body)
        if kept is None:
            return Reread(page, None)
        kind, charset = content_type(kept.header_lines("content-type"))
        if not is_accepted(kind, self._rules.settings.fetch.content_types):
            return Reread(page, None)
        parsed = await self._parsed(Body(page.url, kept.body, kind, charset, kept.headers))
        if parsed is None or parsed.error or parsed.soft_block:
            return Reread(page, None)
        return Reread(page, parsed.records)

    async def _parsed(self, body: Body) -> Parsed | None:
        if not self._rules.unbounded(body.url):
            return read_body(self._rules, body)
        try:
            return await self._worker.read(self._rules, body)
        except OutOfTime:
            return None


def _for_records(settings: CrawlSettings) -> CrawlSettings:
    """The same rules, without what costs time and is no part of a record."""
    return msgspec.structs.replace(settings, pages=msgspec.structs.replace(settings.pages, near_duplicates=-1))
