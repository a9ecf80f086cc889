"""A crawled shop whose responses are kept, made through the writer without a request: for rules that change later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.page import kept_response
from core.engine.records import found_records
from core.engine.rules import RulesInForce
from core.fetch.response import Fetched
from core.parse import parse_page
from core.settings import FieldRule, RecordType
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.store.results import PageResult, Turn

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
FIELDS = {"sku": FieldRule(css=".sku"), "name": FieldRule(css=".name")}
BEFORE = RecordType(name="product", match="/p/*", key="sku", fields=FIELDS)
AFTER = RecordType(
    name="product", match="/p/*", key="sku", fields={**FIELDS, "price": FieldRule(css=".price", cast="number")}
)


def body_of(number: int) -> bytes:
    return (
        f"<html><title>Item {number}</title><p class=sku>S{number}<p class=name>Name {number}"
        f"<p class=price>{number}.50</html>"
    ).encode()


def kept_shop(path: Path, pages: int) -> SmallCrawl:
    """A finished crawl of so many products."""
    crawl = SmallCrawl(path, shop_settings(BEFORE))
    rules = RulesInForce(crawl.settings)
    (home,) = crawl.turn().work
    turn = crawl.turn(crawl.page(home, *(f"/p/{number}" for number in range(pages))))
    while turn.work:
        turn = _answered(crawl, rules, turn)
    crawl.finish()
    return crawl


def shop_settings(kind: RecordType) -> CrawlSettings:
    """With this record type."""
    plain = {"max_pages_per_host": 0, "max_depth": 0}
    return settings_of(seeds={"urls": [f"{SITE}/"]}, budgets=plain, records=(kind,))


def _answered(crawl: SmallCrawl, rules: RulesInForce, turn: Turn) -> Turn:
    results: list[PageResult] = []
    for work in turn.work:
        body = body_of(int(work.url.target[3:]))
        page = parse_page(body, "text/html", "utf-8", rules.parsing)
        records = found_records(rules, rules.record_types(work.url), work.url, page)
        kept = kept_response(Fetched("ok", 200, body=body, headers=HEADERS))
        results.append(crawl.page(work, parsed={"records": records}, response=kept))
    return crawl.turn(*results)
