"""Sitemaps on their way into the frontier: given or named in robots.txt, indexes, gzip, bounds, scope."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

import core.fetch.retry
import core.seeds.sitemap
from core.settings import Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

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


def test_a_line_of_robots_txt_that_names_no_sitemap_is_told(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        site.answers["/robots.txt"] = Reply(b"Sitemap: ftp://shop.test/s.xml\nSitemap: http://[/\n", type="text/plain")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(urls=(f"{site.root}/",), sitemaps=("auto",))))
        assert crawl.run().exit_status == 0
    (message,) = crawl.log("robots")
    assert "The sitemap “ftp://shop.test/s.xml” in robots.txt was left out. " in message
    assert "The sitemap “http://[/” in robots.txt was left out. " in message


def test_auto_that_is_added_later_finds_what_a_robots_txt_named_that_is_known(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {
            "/robots.txt": Reply(f"Sitemap: {site.root}/s.xml\nSitemap: ftp://shop.test/\n".encode()),
            "/s.xml": Reply(urlset(f"{site.root}/one"), type=XML),
            "/": page(),
            "/one": page(title="1"),
        }
        without, with_auto = (
            quick(seeds=Seeds(urls=(f"{site.root}/",), sitemaps=sitemaps)) for sitemaps in ((), ("auto",))
        )
        crawl = Crawl(tmp_path, without)
        crawl.run()
        assert crawl.states() == {"/": "done"}
        crawl.set(with_auto)
        assert crawl.run().exit_status == 0
        crawl.run()
        assert site.targets() == ["/robots.txt", "/", "/s.xml", "/one"]
    assert crawl.states() == {"/": "done", "/one": "done"}


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


# -- what a hostile sitemap may not do ---------------------------------------------------------------------------------

SPELLINGS = (
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "user:pw@127.0.0.1",
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_private_address_is_not_reached_by_what_a_sitemap_or_robots_txt_names(tmp_path: Path, spelling: str) -> None:
    """Only what the analyst wrote may be private, whatever its spelling."""
    with ScriptedSite() as internal, ScriptedSite() as site:
        secret = f"http://{spelling}:{internal.port}/secret.xml"
        site.answers |= {
            "/robots.txt": Reply(f"Sitemap: {secret}\nSitemap: /redirected.xml".encode(), type="text/plain"),
            "/redirected.xml": moved(secret),
            "/i.xml": Reply(index(secret), type=XML),
            "/s.xml": Reply(urlset(secret, f"{site.root}/y"), type=XML),
            "/y": page(title="y"),
        }
        settings = quick(seeds=Seeds(sitemaps=("auto", f"{site.root}/i.xml", f"{site.root}/s.xml")))
        crawl = Crawl(tmp_path, settings)
        crawl.run()
        assert internal.asked == []
        assert {"/robots.txt", "/redirected.xml", "/i.xml", "/s.xml", "/y"} == set(site.targets())
    assert crawl.states() == {"/y": "done"}
    assert set(crawl.refused().values()) <= {"scope", "private"}
    assert len(crawl.refused()) == 1


def test_a_document_type_is_never_fetched_for_and_costs_only_the_entries_that_need_it(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        root = site.root
        sitemap = f"""<?xml version="1.0"?><?xml-stylesheet href="{root}/style.xsl" type="text/xsl"?>
            <!DOCTYPE urlset SYSTEM "{root}/sitemap.dtd" [
            <!ENTITY file SYSTEM "file:///etc/hostname"> <!ENTITY web SYSTEM "{root}/entity">
            <!ENTITY % all SYSTEM "{root}/all.dtd"> %all; <!ENTITY lol "lol"> <!ENTITY lol2 "&lol;&lol;&lol;">]>
            <urlset xmlns:xi="http://www.w3.org/2001/XInclude" {SPACE}
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x {root}/sitemap.xsd">
            <xi:include href="{root}/included.xml"/>
            <url><loc>{root}/&file;</loc></url> <url><loc>{root}/&web;</loc></url> <url><loc>{root}/&lol2;</loc></url>
            <url><loc>{root}/a?x=1&amp;y=2</loc></url> <url><loc>{root}/b</loc></url></urlset>"""
        site.answers |= {"/s.xml": Reply(sitemap.encode(), type=XML), "/b": page(title="b"), "/a?x=1&y=2": page()}
        crawl = Crawl(tmp_path, given(site, "/s.xml"))
        assert crawl.run().exit_status == 0
        assert set(site.targets()) == {"/robots.txt", "/s.xml", "/a?x=1&y=2", "/b"}
    assert crawl.states() == {"/a?x=1&y=2": "done", "/b": "done"}
    ((state, message),) = crawl.rows("SELECT state, message FROM seed_source")
    assert state == "done"
    assert "document type declaration was ignored" in message


def test_indexes_are_read_down_to_the_third_level_and_what_is_left_is_told(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        for level in range(6):
            site.answers[f"/{level}.xml"] = Reply(index(f"{site.root}/{level + 1}.xml"), type=XML)
        crawl = Crawl(tmp_path, given(site, "/0.xml"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/0.xml", "/1.xml", "/2.xml", "/3.xml"]
    (*_, (deepest,)) = crawl.rows("SELECT message FROM seed_source ORDER BY id")
    assert deepest == "Left out, because the source goes on too long: 1 further part."
    assert deepest in crawl.log("sitemap")[-1]


def test_each_sitemap_is_read_once_however_often_it_is_named(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        root = site.root
        part = f"{root}/part.xml"
        site.answers |= {
            "/robots.txt": Reply(f"Sitemap: {root}/i.xml\nSitemap: {part}".encode(), type="text/plain"),
            "/i.xml": Reply(index(part, part, f"{root}/j.xml", f"{part}#top"), type=XML),
            "/j.xml": Reply(index(part, f"{root}/i.xml"), type=XML),
            "/part.xml": Reply(urlset(f"{root}/a"), type=XML),
            "/a": page(),
        }
        crawl = Crawl(tmp_path, quick(seeds=Seeds(sitemaps=("auto", f"{root}/i.xml", f"{root}/i.xml", part))))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == ["/a", "/i.xml", "/j.xml", "/part.xml", "/robots.txt"]
    assert crawl.states() == {"/a": "done"}


def test_a_sitemap_that_the_transfer_inflates_is_read_up_to_the_bound(tmp_path: Path) -> None:
    """50 MB after any decoding (HARDENING 24), told as such."""
    with ScriptedSite() as site:
        bomb = gzip.compress(urlset(f"{site.root}/x").replace(b"</urlset>", b"<!--" + b" " * 80_000_000), 1)
        site.answers |= {"/s.xml": Reply(bomb, type=XML, headers=(("Content-Encoding", "gzip"),)), "/x": page()}
        crawl = Crawl(tmp_path, given(site, "/s.xml"))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/x": "done"}
    ((message,),) = crawl.rows("SELECT message FROM seed_source")
    assert message.startswith("Only the first 52,428,800 bytes were read.")


def test_a_sitemap_of_too_many_urls_gives_the_first_fifty_thousand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert core.seeds.sitemap.MOST_URLS == 50_000
    monkeypatch.setattr(core.seeds.sitemap, "MOST_URLS", 50)
    with ScriptedSite() as site:
        site.answers |= {
            "/s.xml": Reply(urlset(*(f"{site.root}/{number}" for number in range(60))), type=XML),
            "/s.txt": Reply("\n".join(f"{site.root}/{number}" for number in range(100, 160)).encode()),
        }
        crawl = Crawl(tmp_path, given(site, "/s.xml", "/s.txt"))
        crawl.run()
    assert len(crawl.states()) == 100
    messages = [message for (message,) in crawl.rows("SELECT message FROM seed_source ORDER BY id")]
    assert messages == ["Only the first 50 entries were read.", "Only the first 50 addresses were read."]
