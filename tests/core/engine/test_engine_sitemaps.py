"""Sitemaps on their way into the frontier: given or named in robots.txt, indexes, gzip, bounds, scope."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import core.fetch.retry
from core.settings import Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

XML = "application/xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*addresses: str) -> bytes:
    rows = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    return f'<?xml version="1.0"?><urlset {SPACE}>{rows}</urlset>'.encode()


def index(*addresses: str) -> bytes:
    rows = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f'<?xml version="1.0"?><sitemapindex {SPACE}>{rows}</sitemapindex>'.encode()


def given(site: ScriptedSite, *paths: str) -> CrawlSettings:
    return quick(seeds=Seeds(sitemaps=tuple(site.root + path for path in paths)))


def test_gzip_is_decided_by_the_first_bytes(tmp_path: Path) -> None:
    """SMP-18."""
    with ScriptedSite() as site:
        zipped = gzip.compress(urlset(f"{site.root}/b"))
        site.answers |= {
            "/a.xml.gz": Reply(urlset(f"{site.root}/a"), type="application/gzip"),
            "/b.xml": Reply(zipped, type=XML),
            "/c.xml.gz": Reply(
                gzip.compress(gzip.compress(urlset(f"{site.root}/c"))), headers=(("Content-Encoding", "gzip"),)
            ),
            "/list.txt.gz": Reply(gzip.compress(f"{site.root}/d\n".encode()), type="application/gzip"),
            **{f"/{name}": page(title=name) for name in "abcd"},
        }
        crawl = Crawl(tmp_path, given(site, "/a.xml.gz", "/b.xml", "/c.xml.gz", "/list.txt.gz"))
        assert crawl.run().exit_status == 0
        assert set(crawl.states().items()) == {(f"/{name}", "done") for name in "abcd"}


def test_an_index_that_names_itself_ends(tmp_path: Path) -> None:
    """SMP-19."""
    with ScriptedSite() as site:
        root = site.root
        site.answers |= {
            "/a.xml": Reply(index(f"{root}/a.xml", f"{root}/b.xml"), type=XML),
            "/b.xml": Reply(index(f"{root}/a.xml", f"{root}/c.xml"), type=XML),
            "/c.xml": Reply(urlset(f"{root}/x"), type=XML),
            "/x": page(),
        }
        crawl = Crawl(tmp_path, given(site, "/a.xml"))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == ["/a.xml", "/b.xml", "/c.xml", "/robots.txt", "/x"]


def test_lines_of_robots_txt_lead_to_sitemaps_with_their_query(tmp_path: Path) -> None:
    """SMP-20, SMP-21."""
    with ScriptedSite() as site:
        robots = (
            f" sitemap:/s1.xml  \nSITEMAP: {site.root}/s1.xml\nUser-agent: other\nDisallow: /\n"
            f"Sitemap: {site.root}/s.xml?from=1&to=2"
        )
        site.answers |= {
            "/robots.txt": Reply(robots.encode(), type="text/plain"),
            "/s1.xml": Reply(urlset(f"{site.root}/one"), type=XML),
            "/s.xml?from=1&to=2": Reply(urlset(f"{site.root}/two"), type="text/plain"),
            "/": page(),
            "/one": page(title="1"),
            "/two": page(title="2"),
        }
        crawl = Crawl(tmp_path, quick(seeds=Seeds(urls=(f"{site.root}/",), sitemaps=("auto",))))
        assert crawl.run().exit_status == 0
        assert site.count("/s1.xml") == site.count("/s.xml?from=1&to=2") == 1
    assert crawl.states() == {"/": "done", "/one": "done", "/two": "done"}


@pytest.mark.parametrize("obeyed", [True, False])
def test_auto_asks_the_robots_txt_of_hosts_that_only_the_scope_names(tmp_path: Path, obeyed: bool) -> None:
    with ScriptedSite() as site:
        host = f"127.0.0.1:{site.port}"
        site.answers |= {
            "/robots.txt": Reply(f"User-agent: *\nDisallow: /no\nSitemap: {site.root}/s.xml\n".encode()),
            "/s.xml": Reply(urlset(f"{site.root}/one"), type=XML),
            "/one": page(title="1"),
        }
        seeds = Seeds(sitemaps=("auto",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(hosts=(host,)), politeness=politeness(robots=obeyed)))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/s.xml", "/one"]
    assert crawl.states() == {"/one": "done"}


def test_auto_without_any_robots_txt_ends_early_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.fetch.retry, "FIRST_DELAY", 0.02)
    with ScriptedSite({"/robots.txt": Reply(status=503)}) as site:
        host = f"127.0.0.1:{site.port}"
        paces = politeness(retry_after_max=0.05)
        settings = quick(
            seeds=Seeds(sitemaps=("auto",)), scope=Scope(hosts=(host,)), fetch=fetch(retries=1), politeness=paces
        )
        crawl = Crawl(tmp_path, settings)
        ending = crawl.run()
        assert site.targets() == ["/robots.txt"] * 2
    assert ending.exit_status == 3
    assert ending.reason == f"unreachable: the robots.txt of {site.root} cannot be had, so its sitemaps are not known"


def test_auto_reads_robots_txt_for_sitemaps_where_its_rules_are_not_obeyed(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {
            "/robots.txt": Reply(f"User-agent: *\nDisallow: /\nSitemap: {site.root}/s.xml\n".encode()),
            "/s.xml": Reply(urlset(f"{site.root}/one"), type=XML),
            "/": page(),
            "/one": page(title="1"),
        }
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=("auto",))
        crawl = Crawl(tmp_path, quick(seeds=seeds, politeness=politeness(robots=False)))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done", "/one": "done"}


def test_a_sitemap_does_not_widen_the_scope(tmp_path: Path) -> None:
    """SMP-22."""
    with ScriptedSite() as site:
        site.answers |= {"/s.xml": Reply(urlset("http://other.test/x", f"{site.root}/y"), type=XML), "/y": page()}
        crawl = Crawl(tmp_path, given(site, "/s.xml"))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/y": "done"}
    assert crawl.refused() == {"http://other.test/x": "scope"}


def test_a_sitemap_that_inflates_without_end_stops_at_the_bound_and_keeps_what_it_found(tmp_path: Path) -> None:
    """SMP-23."""
    with ScriptedSite() as site:
        bomb = urlset(f"{site.root}/x").replace(b"</urlset>", b"<!--" + b" " * 80_000_000)
        site.answers |= {"/s.xml.gz": Reply(gzip.compress(bomb, 1), type="application/gzip"), "/x": page()}
        crawl = Crawl(tmp_path, given(site, "/s.xml.gz"))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/x": "done"}
    ((message,),) = crawl.rows("SELECT message FROM seed_source")
    assert message


def test_a_large_sitemap_comes_in_pieces_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.sources.PIECE", 100)
    with ScriptedSite() as site:
        addresses = [f"{site.root}/p/{number}" for number in range(250)]
        site.answers["/s.xml"] = Reply(urlset(*addresses), type=XML)
        crawl = Crawl(tmp_path, given(site, "/s.xml"))
        crawl.change("UPDATE setting SET json = json_set(json, '$.budgets.max_pages', 240)")
        crawl.run()
    assert crawl.rows("SELECT state, found FROM seed_source") == [("done", 250)]
    assert crawl.status().urls["refused"] == 10


def test_a_missing_sitemap_is_told_and_ends_nothing(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=(f"{site.root}/none.xml",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        assert crawl.run().exit_status == 0
    assert crawl.rows("SELECT state, message FROM seed_source") == [("failed", "answered 404")]


def test_a_sitemap_of_refused_entities_alone_counts_as_failed(tmp_path: Path) -> None:
    """An empty one without a fault does not."""
    with ScriptedSite() as site:
        bomb = '<!DOCTYPE x [<!ENTITY a "http://a.test/">]><urlset><url><loc>&a;</loc></url></urlset>'
        site.answers |= {"/bomb.xml": Reply(bomb.encode(), type=XML), "/empty.xml": Reply(urlset(), type=XML)}
        sitemaps = tuple(f"{site.root}/{name}.xml" for name in ("bomb", "empty"))
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=sitemaps)))
        crawl.run()
    assert crawl.rows("SELECT state FROM seed_source ORDER BY id") == [("failed",), ("done",)]
