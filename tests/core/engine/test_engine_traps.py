"""Spaces without end beside a finite shop: the crawl ends by itself with the shop whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.demo import SiteOptions, SiteThread
from core.settings import Budgets, CrawlSettings, Politeness, Seeds
from tests.core.engine.crawl import Crawl, fetch
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path


def settings_for(root: str, budgets: Budgets) -> CrawlSettings:
    quick = Politeness(delay=0.0, per_host=8, concurrency=8)
    return CrawlSettings(seeds=Seeds(urls=(root,)), budgets=budgets, politeness=quick, fetch=fetch())


def test_a_shop_with_traps_is_fetched_whole_before_the_traps_are_through(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=3, per_listing=8, trap_link=True, weight=0.5)) as site:
        budgets = Budgets(max_depth=8, max_pages_per_host=400, max_parameter_sets=20)
        crawl = Crawl(tmp_path, settings_for(f"{site.root}/list/0", budgets))
        ending = crawl.run()
        assert site.log.requests <= 401
    states = crawl.states()
    shop = [f"/list/{number}" for number in range(3)] + [f"/product/{number}" for number in range(24)]
    assert {states[path] for path in shop} == {"done"}
    assert ending.exit_status in {0, 3}
    reasons = {reason.partition(":")[0] for reason in crawl.refused().values()}
    assert reasons <= {"depth", "trap", "host-limit", "scope", "length", "robots", "extension"}
    assert reasons & {"depth", "trap", "host-limit"}


def test_each_generated_space_is_cut_with_its_reason(tmp_path: Path) -> None:
    """FRO-08."""

    def endless(asked: Asked) -> object:
        target = asked.target
        if target.startswith("/a/"):
            return page(f"{target}a/", title=target)
        if target.startswith("/search"):
            return page(f"{target}&q={len(target)}", title=target)
        if target.startswith("/month/"):
            return page(f"/month/{int(target.rpartition('/')[2]) + 1}", title=target)
        return page(*(f"/list?colour={number}" for number in range(60)), "/item", title=target)

    answers: dict[str, object] = {"/": page("/a/", "/search?q=1", "/month/1", "/list")}
    with ScriptedSite(answers) as site:

        class Everything(dict[str, object]):
            def get(self, key: str, default: object = None) -> object:
                return super().get(key, default if key == "/robots.txt" or "127.0.0.1" in key else endless)

        site.answers = Everything({**answers, "/robots.txt": Reply(status=404)})
        budgets = Budgets(max_depth=12, max_parameter_sets=30, max_url_length=120)
        crawl = Crawl(tmp_path, settings_for(f"{site.root}/", budgets))
        assert crawl.run().exit_status == 0
        assert len(site.asked) < 120
        assert site.count("/item") == 1
    reasons = set(crawl.refused().values())
    assert {"trap: path repeats", "trap: parameters", "depth"} <= reasons
