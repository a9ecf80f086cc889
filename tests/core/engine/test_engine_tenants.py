"""Two tenants in one file: the same site, and never a row of the other touched."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from core.settings import Budgets, CrawlSettings, FieldRule, Notify, PatternBudget, RecordType, Recrawl, Scope, Seeds
from tests.core.engine.crawl import Crawl, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

ITEM = RecordType(name="item", match="/item/", fields={"title": FieldRule(css="title")})
OF_PAGES = ("page", "capture", "page_version")
HOSTS = "(SELECT id FROM host WHERE tenant = ?1)"
URLS = "(SELECT id FROM url WHERE host_id IN (SELECT id FROM host WHERE tenant = ?1))"
RECORDS = "(SELECT id FROM record WHERE tenant = ?1)"
MINE = {
    "url": f"host_id IN {HOSTS}",
    "origin": f"host_id IN {HOSTS}",
    "host": "tenant = ?1",
    "seed": "tenant = ?1",
    "seed_source": f"host_id IN {HOSTS}",
    "mention": f"url_id IN {URLS}",
    "link": f"source IN {URLS}",
    "refused": f"found_on IN {URLS}",
    "record": "tenant = ?1",
    "record_version": f"record_id IN {RECORDS}",
    "conflict": f"url_id IN {URLS}",
    "absence": f"url_id IN {URLS} OR record_id IN {RECORDS}",
    **dict.fromkeys(OF_PAGES, f"url_id IN {URLS}"),
}


def site_of_items() -> dict[str, object]:
    items = {f"/item/{number}": page("/", "/item/1", title=f"Item {number}") for number in range(1, 6)}
    sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/item/5</loc></url></urlset>'
    return {
        "/": page("/item/1", "/item/2", "/item/3", "/copy", "/item/4", "/private", "http://elsewhere.test/"),
        "/copy": items["/item/1"],
        "/private": page(title="Private"),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /private\n", type="text/plain"),
        "/sitemap.xml": Reply(sitemap.encode(), type="application/xml"),
        **items,
    }


def settings_of(site: ScriptedSite, tenant: str, **sections: object) -> CrawlSettings:
    seeds = Seeds(urls=(f"{site.root}/", "not a seed line"), sitemaps=(f"{site.root}/sitemap.xml",))
    chosen = {"records": (ITEM,), "recrawl": Recrawl(gone_after=1), "seeds": seeds, **sections}
    return replace(quick(**chosen), tenant=tenant)


def rows_of(crawl: Crawl, tenant: str) -> dict[str, list[tuple[object, ...]]]:
    every = {table: " ".join(("SELECT * FROM", table, "WHERE", which)) for table, which in MINE.items()}
    return {table: crawl.rows(sql, tenant) for table, sql in every.items()}


def kept(crawl: Crawl, tenant: str) -> list[tuple[object, ...]]:
    """What a crawl of the tenant found, without numbers and times."""
    return crawl.rows(
        "SELECT path, url.state, status, useful, duplicate_of IS NOT NULL, (SELECT count(*) FROM record WHERE url_id = "
        "url.id) FROM url LEFT JOIN page ON page.url_id = url.id JOIN host ON host.id = host_id WHERE tenant = ? "
        "ORDER BY path",
        tenant,
    )


def test_the_same_site_for_two_tenants_is_two_crawls_that_never_touch(tmp_path: Path) -> None:
    with ScriptedSite(site_of_items()) as site:
        crawl = Crawl(tmp_path, settings_of(site, "a"))
        assert crawl.run().exit_status == 0
        of_a = rows_of(crawl, "a")
        assert all(of_a[table] for table in ("url", "page", "record", "seed", "seed_source", "link", "mention"))
        crawl.set(settings_of(site, "b"))
        assert crawl.run().exit_status == 0
        assert rows_of(crawl, "a") == of_a
        assert kept(crawl, "a") == kept(crawl, "b")
        assert crawl.rows("SELECT count(*), count(DISTINCT id) FROM record") == [(10, 10)]
        of_b = rows_of(crawl, "b")
        del site.answers["/item/4"]
        site.answers["/item/2"] = page(title="Other")
        crawl.set(settings_of(site, "a"))
        assert crawl.run(recrawl="all").exit_status == 0
        assert rows_of(crawl, "b") == of_b
        assert crawl.rows("SELECT tenant FROM record WHERE gone IS NOT NULL") == [("a",)]
        assert crawl.rows("SELECT tenant, data FROM record WHERE version = 2") == [("a", '{"title":"Other"}')]
        of_a = rows_of(crawl, "a")
        crawl.set(settings_of(site, "b"))
        assert crawl.run(recrawl="all").exit_status == 0
        assert rows_of(crawl, "a") == of_a
        assert kept(crawl, "a") == kept(crawl, "b")


@pytest.mark.parametrize("stopped_at", ["/", "/item/1"])
def test_a_tenant_cut_off_in_the_middle_goes_on_where_it_was(tmp_path: Path, stopped_at: str) -> None:
    slow = politeness(delay=0.1, per_host=1, concurrency=1)
    with ScriptedSite(site_of_items()) as site:
        whole = Crawl(tmp_path, settings_of(site, "a", politeness=slow), "whole.crawl")
        whole.run()
        site.asked.clear()
        crawl = Crawl(tmp_path, settings_of(site, "a", politeness=slow))

        def stop() -> None:
            site.wait_for(lambda: stopped_at in site.targets())
            crawl.stop()

        crawl.run(during=stop)
        assert "pending" in crawl.states().values()
        of_a = rows_of(crawl, "a")
        crawl.set(settings_of(site, "b", politeness=slow))
        assert crawl.run().exit_status == 0
        assert rows_of(crawl, "a") == of_a
        of_b = rows_of(crawl, "b")
        crawl.set(settings_of(site, "a", politeness=slow))
        assert crawl.run().exit_status == 0
        assert rows_of(crawl, "b") == of_b
    assert kept(crawl, "a") == kept(crawl, "b") == kept(whole, "a")


def test_each_tenant_has_its_own_count_of_a_pattern_and_its_own_sweep(tmp_path: Path) -> None:
    limited = Budgets(patterns=(PatternBudget(pattern="/item/", max_pages=3),))
    with ScriptedSite(site_of_items()) as site:
        crawl = Crawl(tmp_path, settings_of(site, "a", budgets=limited))
        crawl.run()
        crawl.set(settings_of(site, "b", budgets=limited))
        crawl.run()
        assert kept(crawl, "a") == kept(crawl, "b")
        of_b = rows_of(crawl, "b")
        crawl.set(settings_of(site, "a"))
        assert crawl.run().exit_status == 0
        assert rows_of(crawl, "b") == of_b
        assert len(rows_of(crawl, "a")["record"]) == 5


def test_a_host_is_asked_no_faster_for_two_tenants(tmp_path: Path) -> None:
    site_wide = politeness(delay=0.6)
    alone = Scope(hosts=("127.0.0.1",))
    with ScriptedSite({"/": page(title="One")}) as site:
        seeds = Seeds(urls=(f"{site.root}/",))
        crawl = Crawl(tmp_path, settings_of(site, "a", politeness=site_wide, seeds=seeds, scope=alone))
        crawl.run()
        crawl.set(settings_of(site, "b", politeness=site_wide, seeds=seeds, scope=alone))
        crawl.run()
        assert site.targets() == ["/robots.txt", "/", "/robots.txt", "/"]
    starts = [at for (at,) in crawl.rows("SELECT at FROM capture UNION SELECT robots_fetched FROM origin ORDER BY 1")]
    assert min(after - before for before, after in pairwise(starts)) > 0.5


def test_another_tenant_counts_from_the_next_start(tmp_path: Path) -> None:
    with ScriptedSite(site_of_items()) as site:
        crawl = Crawl(tmp_path, settings_of(site, "a", politeness=politeness(delay=0.05)))

        def change() -> None:
            site.wait_for(lambda: "/item/1" in site.targets())
            crawl.set(settings_of(site, "b"))

        assert crawl.run(during=change).exit_status == 0
        assert crawl.rows("SELECT DISTINCT tenant FROM host UNION SELECT DISTINCT tenant FROM record") == [("a",)]
        assert "The tenant is b from the next start on; until then it stays a." in crawl.log("settings")
        crawl.run()
        assert kept(crawl, "a") == kept(crawl, "b")


def test_what_changed_for_one_tenant_is_not_told_to_another(tmp_path: Path) -> None:
    told_a, told_b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    with ScriptedSite(site_of_items()) as site:
        crawl = Crawl(tmp_path, settings_of(site, "a", notify=Notify(file=str(told_a))))
        crawl.run()
        waits = "INSERT INTO notice(record_id, version, event) SELECT id, version, 'created' FROM record"
        crawl.change(waits)
        crawl.set(settings_of(site, "b", notify=Notify(file=str(told_b))))
        crawl.run()
        crawl.set(settings_of(site, "a", notify=Notify(file=str(told_a))))
        crawl.run(recrawl="all")
    ids = {
        tenant: {number for (number,) in crawl.rows("SELECT id FROM record WHERE tenant = ?", tenant)}
        for tenant in "ab"
    }
    for tenant, told, times in (("a", told_a, 2), ("b", told_b, 1)):
        lines = told.read_text().splitlines()
        assert len(lines) == 5 * times
        assert all(any(number in line for number in ids[tenant]) for line in lines)
