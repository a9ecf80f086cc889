"""A finished crawl of a small shop whose pages are kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import zstandard

from core.settings import FieldRule, RecordType
from core.store.results import Response
from tests.core.preview.pages_to_point_at import LIST, PRODUCT
from tests.small_crawl import SmallCrawl, record, settings_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = json.dumps({"status": 200, "headers": [["Content-Type", "text/html; charset=utf-8"]]}).encode()
PAGES = 6
KIND = RecordType(
    name="product",
    match="/p/*",
    key="sku",
    fields={
        "sku": FieldRule(jsonld="Product.sku"),
        "price": FieldRule(css=".price", cast="money"),
        "date": FieldRule(css="time", cast="date"),
    },
)


def product(number: int) -> str:
    """Page 1 has no key, 2 and 3 share one, of 4 the file has another."""
    sku = {1: '"x": 1', 2: '"sku": "S3"'}.get(number, f'"sku": "S{number}"')
    return PRODUCT.replace('"sku": "00123"', sku)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The crawl file: six products, a list, all kept."""
    crawl = SmallCrawl(tmp_path / "kept.crawl", settings_of(records=(KIND,)))
    (home,) = crawl.turn().work
    turn = crawl.turn(crawl.page(home, *(f"/p/{n}" for n in range(PAGES)), "/list"))
    for work in turn.work:
        is_list = work.url.target == "/list"
        body = LIST if is_list else product(int(work.url.target[3:]))
        key = "OLD" if work.url.target == "/p/4" else None
        records = (record(key, "{}"),) if key else ()
        kept = Response(work.id.to_bytes(16, "big"), HEAD, zstandard.compress(body.encode()))
        crawl.turn(crawl.page(work, parsed={"records": records}, response=kept))
    crawl.finish()
    return crawl.path
