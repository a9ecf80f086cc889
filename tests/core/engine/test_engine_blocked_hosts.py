"""A host that is blocked is asked for nothing: no page, no sitemap, no part of one, by no redirect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

NAMES = {"a.test": "127.0.0.1", "bad.test": "127.0.0.1"}


def index(*parts: str) -> Reply:
    found = "".join(f"<sitemap><loc>{part}</loc></sitemap>" for part in parts)
    return Reply(f"<sitemapindex>{found}</sitemapindex>".encode(), type="text/xml")


def robots(*sitemaps: str) -> Reply:
    return Reply("\n".join(f"Sitemap: {address}" for address in sitemaps).encode(), type="text/plain")


def settings(site: ScriptedSite, *blocked: str) -> CrawlSettings:
    seeds = Seeds(urls=(f"{site.at('a.test')}/",), sitemaps=("auto", f"{site.at('bad.test')}/listed.txt"))
    return quick(seeds=seeds, scope=Scope(block_hosts=blocked, hosts=("a.test",)), fetch=fetch(resolve=NAMES))


def test_no_source_of_a_blocked_host_is_asked_for_until_it_is_blocked_no_more(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        good, bad = site.at("a.test"), site.at("bad.test")
        site.answers |= {
            "a.test/robots.txt": robots(f"{bad}/named.txt", f"{good}/index.xml", f"{good}/moved.txt"),
            "/index.xml": index(f"{bad}/part.txt"),
            "/moved.txt": moved(f"{bad}/target.txt"),
            "/": page(f"{bad}/page"),
        }
        crawl = Crawl(tmp_path, settings(site, "bad.test"))
        assert crawl.run().exit_status == 0
        assert site.targets("bad.test") == []
        said = dict(crawl.rows("SELECT address, message FROM seed_source WHERE state = 'failed'"))
        blocked = "block-host: scope.block_hosts blocks bad.test."
        assert {said[f"{bad}/{name}.txt"] for name in ("listed", "named", "part")} == {blocked}
        assert said[f"{good}/moved.txt"] == "Its redirect was not followed: bad.test, block-host."

        crawl.set(settings(site))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets("bad.test")) == ["/listed.txt", "/named.txt", "/part.txt"]
