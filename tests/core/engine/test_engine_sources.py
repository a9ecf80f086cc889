"""Feeds and web archives on their way into the frontier: formats, paging, kills, retries, private endpoints, scope."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from core.settings import Archive, Feed, Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, politeness, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

JSON = "application/json"


def json(value: Any) -> Reply:
    return Reply(msgspec.json.encode(value), type=JSON)


def captures(*addresses: str) -> Reply:
    rows = ({"url": address, "status": "200", "mime": "text/html"} for address in addresses)
    return Reply(b"\n".join(msgspec.json.encode(row) for row in rows), type="text/x-ndjson")


def answers(site: ScriptedSite, wanted: str) -> list[str]:
    """The values of a parameter in what an archive was asked, in order."""
    pairs = (target.partition("?")[2].split("&") for target in site.targets() if target.startswith("/cdx"))
    return [next((text for text in pair if text.startswith(wanted + "=")), "") for pair in pairs]


FEEDS = {
    "json": (b'{"items": [{"url": "/a"}, {"url": "/b"}, {}]}', {"path": "$.items[*].url"}),
    "jsonl": (b'{"url": "/a"}\n{"url": \n{"url": "/b"}\n', {"path": "url"}),
    "csv": (b"id,url\n1,/a\n2,\n3,/b\n", {"column": "url"}),
    "rss": (b"<rss><channel><item><link>/a</link></item><item/><item><link>/b</link></item></channel></rss>", {}),
}


@pytest.mark.parametrize("form", FEEDS)
def test_a_feed_of_any_format_brings_its_pages_and_tells_a_bad_row(tmp_path: Path, form: str) -> None:
    body, options = FEEDS[form]
    with ScriptedSite({"/feed": Reply(body, type=JSON), "/a": page(title="a"), "/b": page(title="b")}) as site:
        feed = msgspec.convert({"url": f"{site.root}/feed", "format": form, **options}, Feed)
        crawl = Crawl(tmp_path, quick(seeds=Seeds(feeds=(feed,))))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done", "/b": "done"}
    ((kind, state, found, message),) = crawl.rows("SELECT kind, state, found, message FROM seed_source")
    assert (kind, state, found) == ("feed", "done", 2)
    assert message
    assert {row.depth for row in crawl.urls().values()} == {0}
    assert crawl.log("feed")[0].startswith(f"The feed {site.root}/feed brought 2 URLs, 2 of them new; ")


def test_what_a_feed_names_counts_as_listed_and_the_scope_decides(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {"/feed": json([f"{site.root}/a", "http://other.test/x"]), "/a": page("/not-listed")}
        seeds = Seeds(feeds=(Feed(url=f"{site.root}/feed", format="json", path="$"),))
        crawl = Crawl(tmp_path, quick(seeds=seeds, scope=Scope(follow=False)))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done"}
    assert crawl.refused()["http://other.test/x"] == "scope"


def test_the_headers_of_an_endpoint_go_to_it_and_to_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTNER_KEY", "s3cret")
    with ScriptedSite() as site, ScriptedSite({"/a": page()}) as shop:
        site.answers["/feed?v=%2F1"] = json([f"{shop.root}/a"])
        seeds = Seeds(feeds=(Feed(url=f"{site.root}/feed?v=%2F1", format="json", path="$"),))
        headers = ({"origin": site.root, "name": "X-Api-Key", "value": "env:PARTNER_KEY"},)
        wanted = msgspec.convert({"retries": 0, "headers": headers}, type(fetch()))
        scope = Scope(hosts=(shop.root.removeprefix("http://"),))
        crawl = Crawl(tmp_path, quick(seeds=seeds, fetch=wanted, scope=scope))
        assert crawl.run().exit_status == 0
        assert {asked.headers.get("x-api-key") for asked in site.asked} == {"s3cret"}
        assert {asked.headers.get("x-api-key") for asked in shop.asked} == {None}
    assert b"s3cret" not in crawl.path.read_bytes()


def test_a_private_endpoint_is_reached_because_it_was_written_and_its_pages_are_not_in_scope(tmp_path: Path) -> None:
    with ScriptedSite() as archive, ScriptedSite() as site:
        shop = f"127.0.0.1:{site.port}"
        seeds = Seeds(archives=(Archive(endpoint=f"{archive.root}/cdx", form="common-crawl", query=f"{shop}/*"),))
        first = f"/cdx?url={shop}/*&output=json&fl=url,status,mime&filter=~status:2..&filter=%3Dmime:text/html"
        archive.answers[f"{first}&page=0&showNumPages=true"] = json({"pages": 1})
        archive.answers[f"{first}&page=0"] = captures(f"http://{shop}/orphan", f"{archive.root}/secret")
        site.answers["/orphan"] = page()
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        assert crawl.run().exit_status == 0
        assert archive.count("/secret") == 0
    assert crawl.states() == {"/orphan": "done"}
    assert list(crawl.refused().values()) == ["scope"]


def internet_archive(site: ScriptedSite) -> Seeds:
    heading = ["original", "statuscode", "mimetype"]
    pages = {
        "": ["/a", "/b"],
        "k1": ["/b", "/c"],
        "k2": ["/d"],
    }
    after = {"": "k1", "k1": "k2"}
    archive = Archive(endpoint=f"{site.root}/cdx", form="internet-archive", query="127.0.0.1/*")
    first = f"/cdx?url=127.0.0.1/*&output=json&fl={','.join(heading)}&collapse=urlkey"
    first += "&filter=statuscode:2..&filter=mimetype:text/html&limit=5000&showResumeKey=true"
    for key, paths in pages.items():
        rows = [heading, *([f"{site.root}{path}", "200", "text/html"] for path in paths)]
        rows += [[], [after[key]]] if key in after else []
        site.answers[first + (f"&resumeKey={key}" if key else "")] = json(rows)
    site.answers |= {path: page(title=path) for path in ("/a", "/b", "/c", "/d")}
    return Seeds(archives=(archive,))


def test_the_internet_archive_is_paged_by_its_key_and_each_url_is_fetched_once(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        crawl = Crawl(tmp_path, quick(seeds=internet_archive(site)))
        assert crawl.run().exit_status == 0
        assert answers(site, "resumeKey") == ["", "resumeKey=k1", "resumeKey=k2"]
        assert [site.count(path) for path in ("/a", "/b", "/c", "/d")] == [1, 1, 1, 1]
    assert crawl.rows("SELECT found, new, level FROM seed_source ORDER BY id") == [(2, 2, 0), (2, 1, 1), (1, 1, 2)]


def test_paging_goes_on_behind_the_page_that_was_read_when_the_engine_ends(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        seeds = internet_archive(site)
        crawl = Crawl(tmp_path, quick(seeds=seeds, politeness=politeness(per_host=1, concurrency=1)))

        def stop() -> None:
            site.wait_for(lambda: "resumeKey=k1" in answers(site, "resumeKey"))
            crawl.stop()

        crawl.run(during=stop)
        stopped = answers(site, "resumeKey")
        assert crawl.run().exit_status == 0
        asked = answers(site, "resumeKey")
        assert (asked[: len(stopped)], len(asked)) == (stopped, 3)
    assert set(crawl.states().values()) == {"done"}
    assert len(crawl.states()) == 4


def test_common_crawl_is_asked_for_each_of_its_pages(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        first = "/cdx?url=127.0.0.1/*&output=json&fl=url,status,mime&filter=~status:2..&filter=%3Dmime:text/html"
        site.answers |= {
            f"{first}&page=0&showNumPages=true": json({"pages": 3, "pageSize": 5, "blocks": 12}),
            f"{first}&page=0": captures(f"{site.root}/a"),
            f"{first}&page=1": captures(),
            f"{first}&page=2": captures(f"{site.root}/a", f"{site.root}/b"),
            **{path: page(title=path) for path in ("/a", "/b")},
        }
        archive = Archive(endpoint=f"{site.root}/cdx", form="common-crawl", query="127.0.0.1")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(archives=(archive,))))
        assert crawl.run().exit_status == 0
        assert sorted(answers(site, "page")) == ["page=0", "page=0", "page=1", "page=2"]
    assert crawl.states() == {"/a": "done", "/b": "done"}


def test_an_archive_that_knows_nothing_is_an_answer_and_no_fault(tmp_path: Path) -> None:
    with ScriptedSite({"/": page()}) as site:
        archive = Archive(endpoint=f"{site.root}/none", form="common-crawl", query="127.0.0.1")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(urls=(f"{site.root}/",), archives=(archive,))))
        assert crawl.run().exit_status == 0
    assert crawl.rows("SELECT state, found, message FROM seed_source") == [("done", 0, "answered 404")]


def test_a_busy_endpoint_is_asked_again(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page()}) as site:

        def answer(asked: Asked) -> Reply:
            return json(["/a"]) if asked.number else Reply(b"", 503, (("Retry-After", "0"),))

        site.answers["/feed"] = answer
        seeds = Seeds(feeds=(Feed(url=f"{site.root}/feed", format="json", path="$"),))
        crawl = Crawl(tmp_path, quick(seeds=seeds, fetch=fetch(retries=1), politeness=politeness(retry_after_max=0.2)))
        assert crawl.run().exit_status == 0
        assert site.count("/feed") == 2
    assert crawl.states() == {"/a": "done"}


def test_a_feed_that_could_not_be_read_is_read_again_when_the_settings_change(tmp_path: Path) -> None:
    with ScriptedSite({"/feed": json({"items": [{"link": "/a"}]}), "/a": page()}) as site:
        wrong, right = (
            quick(seeds=Seeds(feeds=(Feed(url=f"{site.root}/feed", format="json", path=path),)))
            for path in ("$.items[*].url.x", "$.items[*].link")
        )
        crawl = Crawl(tmp_path, wrong)
        crawl.run()
        assert crawl.rows("SELECT state FROM seed_source") == [("failed",)]
        crawl.run()
        assert site.count("/feed") == 1
        crawl.set(right)
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done"}
    assert crawl.rows("SELECT state, found FROM seed_source") == [("done", 1)]


def test_a_recrawl_reads_feeds_and_sitemaps_once_more_and_archives_not(tmp_path: Path) -> None:
    names = ["/a"]
    with ScriptedSite({"/a": page(title="a"), "/b": page(title="b"), "/c": page(title="c")}) as site:
        root = site.root
        sitemap = f"<sitemapindex><sitemap><loc>{root}/i.xml</loc></sitemap><sitemap><loc>{root}/s.xml</loc></sitemap>"
        site.answers |= {
            "/feed": lambda _: json(names),
            "/i.xml": f"{sitemap}</sitemapindex>",
            "/s.xml": f"<urlset><url><loc>{root}/c</loc></url></urlset>",
            "/cdx?url=127.0.0.1/*&output=json&fl=url,status,mime&filter=~status:2..&filter=%3Dmime:text/html"
            "&page=0&showNumPages=true": json({"pages": 0}),
        }
        seeds = Seeds(
            feeds=(Feed(url=f"{root}/feed", format="json", path="$"),),
            sitemaps=(f"{root}/i.xml",),
            archives=(Archive(endpoint=f"{root}/cdx", form="common-crawl", query="127.0.0.1"),),
        )
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        assert crawl.run().exit_status == 0
        crawl.run()
        names.append("/b")
        assert [site.count(target) for target in ("/feed", "/i.xml", "/s.xml", "/b")] == [1, 1, 1, 0]
        assert crawl.run(recrawl="due").exit_status == 0
        assert [site.count(target) for target in ("/feed", "/i.xml", "/s.xml", "/b")] == [2, 2, 2, 1]
        assert len(answers(site, "page")) == 1
    assert crawl.states() == {"/a": "done", "/b": "done", "/c": "done"}


# -- one address, several kinds ----------------------------------------------------------------------------------------


def twice(site: ScriptedSite, *, sitemap: bool = True, feed: bool = True, **options: str) -> Seeds:
    """One address given as a sitemap and as a feed."""
    wanted = {"url": f"{site.root}/both", "format": "rss", **options}
    return Seeds(
        sitemaps=(f"{site.root}/both",) if sitemap else (), feeds=(msgspec.convert(wanted, Feed),) if feed else ()
    )


def test_an_address_that_is_given_as_two_kinds_is_read_as_both_with_one_request(tmp_path: Path) -> None:
    with ScriptedSite({"/both": json({"items": [{"url": "/a"}]}), "/a": page()}) as site:
        crawl = Crawl(tmp_path, quick(seeds=twice(site, format="json", path="$.items[*].url")))
        assert crawl.run().exit_status == 0
        assert site.count("/both") == 1
        crawl.run()
        assert site.count("/both") == 1
    assert crawl.states() == {"/a": "done"}
    ((kind, state, found, message),) = crawl.rows("SELECT kind, state, found, message FROM seed_source")
    assert (kind, state, found) == ("sitemap", "done", 1)
    assert "As sitemap: This is not a sitemap." in message
    assert "As sitemap: This is not a sitemap." in crawl.log("sitemap")[0]


def test_what_both_kinds_find_counts_once_and_keeps_its_date(tmp_path: Path) -> None:
    item = "<item><link>/a</link><pubDate>Mon, 07 Sep 2026 10:00:00 GMT</pubDate></item>"
    with ScriptedSite({"/both": f"<rss><channel>{item}</channel></rss>", "/a": page()}) as site:
        crawl = Crawl(tmp_path, quick(seeds=twice(site)))
        assert crawl.run().exit_status == 0
        assert site.count("/both") == 1
    assert crawl.rows("SELECT found, new FROM seed_source") == [(1, 1)]
    assert crawl.rows("SELECT lastmod > 0 FROM url") == [(1,)]


def test_pages_of_such_an_address_are_followed_once(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        link = '<link rel="next" href="/more"/>'
        site.answers |= {
            "/both": f"<rss><channel>{link}<item><link>/a</link></item></channel></rss>",
            "/more": "<rss><channel><item><link>/b</link></item></channel></rss>",
            "/a": page(title="a"),
            "/b": page(title="b"),
        }
        crawl = Crawl(tmp_path, quick(seeds=twice(site)))
        assert crawl.run().exit_status == 0
        assert [site.count(target) for target in ("/both", "/more")] == [1, 1]
    assert crawl.states() == {"/a": "done", "/b": "done"}
    assert crawl.rows("SELECT state FROM seed_source") == [("done",)] * 2


def test_an_address_that_was_read_as_one_kind_is_read_as_the_other_when_that_is_added(tmp_path: Path) -> None:
    with ScriptedSite({"/both": json({"items": [{"url": "/a"}]}), "/a": page()}) as site:
        options: dict[str, Any] = {"format": "json", "path": "$.items[*].url"}
        crawl = Crawl(tmp_path, quick(seeds=twice(site, feed=False, **options)))
        crawl.run()
        assert crawl.states() == {}
        crawl.set(quick(seeds=twice(site, **options)))
        assert crawl.run().exit_status == 0
        assert site.count("/both") == 2
        crawl.run()
        assert site.count("/both") == 2
    assert crawl.states() == {"/a": "done"}


def test_an_address_that_is_added_as_a_second_kind_while_it_is_read_is_read_once_more(tmp_path: Path) -> None:
    gate = threading.Event()
    with ScriptedSite({"/a": page()}) as site:
        site.answers["/both"] = Reply(msgspec.json.encode({"items": [{"url": "/a"}]}), type=JSON, gate=gate)
        options: dict[str, Any] = {"format": "json", "path": "$.items[*].url"}
        crawl = Crawl(tmp_path, quick(seeds=twice(site, feed=False, **options)))

        def add() -> None:
            site.wait_for(lambda: bool(site.count("/both")))
            crawl.set(quick(seeds=twice(site, **options)))
            crawl.wait_until(lambda: "The settings were changed." in crawl.log("settings"))
            gate.set()

        assert crawl.run(during=add).exit_status == 0
        assert site.count("/both") == 2
    assert crawl.states() == {"/a": "done"}


def test_a_sitemap_that_robots_txt_names_and_the_analyst_gives_as_a_feed_is_read_as_both(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {
            "/robots.txt": Reply(f"Sitemap: {site.root}/both".encode(), type="text/plain"),
            "/both": f"<urlset><url><loc>{site.root}/a</loc></url></urlset>",
            "/": page(),
            "/a": page(title="a"),
        }
        feeds = twice(site).feeds
        seeds = Seeds(urls=(f"{site.root}/",), sitemaps=("auto",), feeds=feeds)
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/": "done", "/a": "done"}


# -- a transfer that breaks off ----------------------------------------------------------------------------------------


def cut_off(body: str) -> Reply:
    return Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\n" + body.encode())


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("text", "{root}/a\n{root}/hal"),
        ("xml", "<urlset><url><loc>{root}/a</loc></url><url><loc>{root}/hal"),
        ("csv", "url\n/a\n/hal"),
        ("jsonl", '{{"url": "/a"}}\n{{"url": "/hal'),
    ],
)
def test_what_came_of_a_source_that_breaks_off_is_read_without_half_an_address(
    tmp_path: Path, form: str, body: str
) -> None:
    with ScriptedSite({"/a": page()}) as site:
        site.answers["/s"] = cut_off(body.format(root=site.root))
        feed = {"url": f"{site.root}/s", "format": form, **({"path": "url"} if form == "jsonl" else {})}
        is_feed = form in {"csv", "jsonl"}
        seeds = Seeds(feeds=(msgspec.convert(feed, Feed),)) if is_feed else Seeds(sitemaps=(f"{site.root}/s",))
        crawl = Crawl(tmp_path, quick(seeds=seeds))
        assert crawl.run().exit_status == 0
    assert crawl.states() == {"/a": "done"}
    ((message,),) = crawl.rows("SELECT message FROM seed_source")
    assert "What came before was read." in message
