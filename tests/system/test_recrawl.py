"""A shop crawled three times while it changes, each run killed in the middle: the file says what the site says."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from core.demo import SiteOptions, SiteThread
from core.demo.change import version_of
from core.settings import Budgets, CrawlSettings, FieldRule, Politeness, RecordType, Seeds
from core.store.crawl_file import create
from tests.system.children import command, finish, kill, start, status
from tests.system.test_kill import wait_for_requests

if TYPE_CHECKING:
    from pathlib import Path

SHOP = SiteOptions(listings=10, per_listing=20, latency_ms=2, change_rate=0.1)
PAGES, PRODUCTS = 210, 200
CONCURRENCY = 8
MOST_BYTES = 500  # a page that did not change, with the heads of request and answer
PRODUCT = RecordType(
    name="product",
    match="/product/*",
    key="sku",
    fields={"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price", cast="number")},
)


def ask(path: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def crawl_with_a_kill(path: Path, site: SiteThread, chance: random.Random, *how: str) -> None:
    """Killed once in the middle, then to the end."""
    child = start(*how, path, "--concurrency", str(CONCURRENCY))
    assert wait_for_requests(site, site.log.requests + chance.randint(20, 150), child)
    kill(child)
    code, _, err = finish(start("run", path, "--concurrency", str(CONCURRENCY)))
    assert code == 0, err


def changed_in(site: SiteThread, turn: int) -> set[int]:
    """The products that the site says it changed."""
    return {number for number in range(PRODUCTS) if version_of(site.options, 0, f"/product/{number}") == turn}


def test_three_runs_tell_what_the_site_changed_and_a_fourth_costs_next_to_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "shop.crawl", random.Random(9)
    with SiteThread(SHOP) as site:
        create(
            path,
            CrawlSettings(
                seeds=Seeds(urls=(f"{site.root}/list/0",)),
                budgets=Budgets(max_depth=100),
                politeness=Politeness(delay=0.0, per_host=CONCURRENCY, concurrency=CONCURRENCY),
                records=(PRODUCT,),
            ),
        )
        crawl_with_a_kill(path, site, chance, "run")
        assert status(path)["record_actions"] == {"created": PRODUCTS, "unchanged": 0, "updated": 0, "conflicts": 0}
        ids = ask(path, "SELECT id, natural_key, url_id FROM record ORDER BY id")
        updates = 0
        for turn in (1, 2):
            site.control(round=turn)
            crawl_with_a_kill(path, site, chance, "recrawl", "--all")
            changed = len(changed_in(site, turn))
            updates += changed
            found = status(path)
            assert changed > 0
            assert (found["run"], found["state"], found["pages"]) == (turn + 1, "finished", PAGES)
            assert found["record_actions"] == {
                "created": 0,
                "unchanged": PRODUCTS - changed,
                "updated": changed,
                "conflicts": 0,
            }
            code, out, _ = command("diff", path, "--json")
            assert json.loads(out)["records"] == {
                "new": 0,
                "changed": changed,
                "unchanged": PRODUCTS - changed,
                "gone": 0,
            }
        before = status(path)
        code, _, err = command("recrawl", path, "--all")
        assert code == 0, err
        after = status(path)
    assert after["not_modified"] - before["not_modified"] == PAGES
    assert (after["bytes"] - before["bytes"]) / PAGES < MOST_BYTES
    assert after["record_actions"]["unchanged"] == PRODUCTS
    assert ask(path, "SELECT id, natural_key, url_id FROM record ORDER BY id") == ids
    assert ask(path, "SELECT count(*), count(DISTINCT record_id || ':' || version) FROM record_version") == [
        (PRODUCTS + updates, PRODUCTS + updates)
    ]
    assert ask(path, "SELECT count(*) FROM record_version WHERE valid_to IS NULL") == [(PRODUCTS,)]
    assert ask(path, "SELECT count(*) FROM absence") == [(0,)]
    code, out, err = command("check", path, "--json")
    assert code == 0, err
    assert json.loads(out)["ok"]
