"""Pages that name a canonical, for the tests of aliases: a crawl of them, their answers, and what came of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.identity import fingerprint, record_id
from core.store.results import FoundRecord
from tests.small_crawl import SITE, SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from core.store.results import PageResult, Work

KEYLESS = {"name": "product", "match": "/", "fields": {"sku": {"css": ".sku"}}}
ALIASES = "SELECT a.path, b.path FROM page JOIN url a ON a.id = url_id JOIN url b ON b.id = alias_of ORDER BY 1"
RECORDS = "SELECT natural_key, data, path FROM record JOIN url ON url.id = url_id ORDER BY 1"


def started(path: Path, *pages: str, **sections: Any) -> tuple[SmallCrawl, dict[str, Work]]:
    """A root with links, leased all at once."""
    crawl = SmallCrawl(path, settings_of(politeness={"per_host": 99, "concurrency": 99}, **sections))
    (root,) = crawl.turn().work
    return crawl, {work.url.target: work for work in crawl.turn(crawl.page(root, *pages)).work}


def naming(crawl: SmallCrawl, work: Work, canonical: str, *records: FoundRecord, **more: Any) -> PageResult:
    text = canonical if ":" in canonical else SITE + canonical
    return crawl.page(work, parsed={"canonical": text, "records": records}, **more)


def by_url(path: str, data: str) -> FoundRecord:
    """What a page shows of a type without a key, as the extractor brings it."""
    key = SITE + path
    made = fingerprint({}, {}) if data == "{}" else data
    return FoundRecord(
        *("product", key, record_id("default", "shop.test", "product", key), "shop.test", data, made),
        by_url=True,
        by_host=True,
    )


def by_key(data: str) -> FoundRecord:
    made = record("1", data)
    return replace(made, fingerprint=fingerprint(json.loads(data), {}), by_host=True)


def in_turn(crawl: SmallCrawl, results: Iterable[PageResult]) -> dict[str, Work]:
    """Store results one by one; what was leased meanwhile."""
    leased = [work for result in results for work in crawl.turn(result).work]
    return {work.url.target: work for work in leased}


def again(crawl: SmallCrawl) -> None:
    """The run is over; the next one fetches everything."""
    crawl.crawl({})
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")


def answer_all(crawl: SmallCrawl, works: Iterable[Work]) -> None:
    """What is linked by nobody: `/missing` is, the rest is a page."""
    for work in works:
        crawl.turn(crawl.failure(work) if work.url.target == "/missing" else crawl.page(work))


def outcome(crawl: SmallCrawl) -> tuple[Any, ...]:
    useful = crawl.ask("SELECT path FROM page JOIN url ON id = url_id WHERE useful ORDER BY 1")
    conflicts = crawl.ask("SELECT natural_key, data FROM conflict ORDER BY 1, 2")
    return crawl.ask(ALIASES), useful, crawl.counter("useful"), crawl.ask(RECORDS), crawl.counter("records"), conflicts


def run_on(crawl: SmallCrawl) -> list[str]:
    """Until nothing is left, `/missing` missing: what was requested."""
    requested: list[str] = []
    turn = crawl.turn()
    while turn.work or not turn.idle:
        requested += [work.url.target for work in turn.work]
        answers = [crawl.failure(w) if w.url.target == "/missing" else crawl.page(w) for w in turn.work]
        turn = crawl.turn(*answers)
    return requested
