"""The promise of the crawl file: killed ten times at random, nothing is lost and nothing doubled."""

from __future__ import annotations

import csv
import json
import random
import threading
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.demo import SiteOptions, SiteThread
from core.settings import Budgets, CrawlSettings, FieldRule, Politeness, RecordType, Seeds
from core.store.crawl_file import create
from tests.system.children import DEADLINE, command, finish, kill, start, status

if TYPE_CHECKING:
    from pathlib import Path

SHOP = SiteOptions(listings=25, per_listing=20, latency_ms=10)
PRODUCT = RecordType(
    name="product",
    match="/product/*",
    key="sku",
    fields={"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price", cast="number")},
)


def shop_settings(root: str) -> CrawlSettings:
    return CrawlSettings(
        name="Shop",
        seeds=Seeds(urls=(f"{root}/list/0",)),
        budgets=Budgets(max_depth=100),
        politeness=Politeness(delay=0.0, per_host=8, concurrency=8),
        records=(PRODUCT,),
    )


def wait_for_requests(site: SiteThread, count: int, child: object) -> bool:
    """Until the site has seen so many requests; False where the engine ended before."""
    pause = threading.Event()
    for _ in range(int(DEADLINE / 0.005)):
        if site.log.requests >= count:
            return True
        if child.poll() is not None:  # type: ignore[attr-defined] # a Popen
            return False
        pause.wait(0.005)  # a look copies the whole log
    raise AssertionError(f"only {site.log.requests} requests")


@pytest.mark.parametrize(("concurrency", "kills", "latency"), [(8, 10, 10.0), (1, 6, 2.0)])
def test_kills_lose_nothing_and_double_nothing(tmp_path: Path, concurrency: int, kills: int, latency: float) -> None:
    chance = random.Random(concurrency)
    path = tmp_path / "shop.crawl"
    with SiteThread(replace(SHOP, latency_ms=latency)) as site:
        create(path, shop_settings(site.root))
        hits = 0
        for _ in range(kills):
            child = start("run", path, "--concurrency", str(concurrency))
            alive = wait_for_requests(site, site.log.requests + chance.randint(10, 80), child)
            kill(child)
            hits += alive
        assert status(path)["state"] in {"crashed", "finished"}  # the last kill may come after the end
        code, _, err = finish(start("run", path, "--concurrency", str(concurrency)))
        assert code == 0, err
        log = site.log
    assert hits >= 0.8 * kills
    pages = {url: count for url, count in log.urls.items() if not url.endswith("/robots.txt")}
    assert len(pages) == 525
    assert sum(pages.values()) <= 525 + hits * concurrency
    assert log.count("/robots.txt") <= 1 + hits
    check_the_file(path, log.requests, {url: count for url, count in log.urls.items() if count > 1})


def check_the_file(path: Path, requests: int, repeats: dict[str, int]) -> None:
    found = status(path)
    assert (found["state"], found["pages"], found["records"], found["run"]) == ("finished", 525, 500, 1)
    assert found["record_actions"]["created"] == 500
    assert found["requests"] >= requests  # counted with the lease: one that was killed before it was sent counts too
    urls, records = exported(path, "urls"), exported(path, "records")
    assert Counter(row["state"] for row in urls) == {"done": 525}
    assert {state: count for state, count in found["urls"].items() if count} == {"done": 525}
    assert len({row["key"] for row in urls}) == 525
    assert len({row["record_id"] for row in records}) == len({row["sku"] for row in records}) == 500
    code, out, err = command("check", path, "--json")
    assert code == 0, err
    certificate = json.loads(out)
    assert certificate["ok"]
    assert (certificate["lost_links"], certificate["doubled_records"], certificate["counter_errors"]) == (0, 0, [])
    listed = Counter(address.removeprefix("http://") for address in certificate["possibly_repeated"])
    assert all(listed[url] >= count - 1 for url, count in repeats.items())


def exported(path: Path, table: str) -> list[dict[str, str]]:
    to = path.with_name(f"{table}.csv")
    code, _, err = command("export", path, "--table", table, "--format", "csv", "--output", to)
    assert code == 0, err
    with to.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
