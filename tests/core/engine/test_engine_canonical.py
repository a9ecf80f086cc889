"""rel=canonical from the page's own bytes: element and header, relative, foreign, conflicting, behind a redirect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.settings import FieldRule, Normalise, RecordType, RobotsOverride
from tests.core.engine.crawl import Crawl, politeness, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

KEYLESS = RecordType(name="page", match="/", fields={"title": FieldRule(css="title")})


def naming(canonical: str, title: str = "A", *more: str) -> bytes:
    links = "".join(f'<link rel="canonical" href="{href}">' for href in (canonical, *more))
    return page(title=title, head=links)


def in_header(canonical: str, body: bytes = page(title="A")) -> Reply:
    return Reply(body, headers=(("Link", f'<{canonical}>; rel="canonical"'),))


def aliases(crawl: Crawl) -> dict[str, str]:
    return dict(crawl.rows("SELECT a.path, b.path FROM page JOIN url a ON a.id = url_id JOIN url b ON b.id = alias_of"))


@pytest.mark.parametrize(
    "answer",
    [
        naming("b"),
        naming("./x/../b#top"),
        naming("/d/b?utm_source=mail"),
        in_header("b"),
        in_header("/d/b", naming("b")),
        page(title="A", head='<base href="/d/"><link rel="Canonical shortlink" href="b#s">'),
    ],
)
def test_element_and_header_in_any_spelling_name_one_page(tmp_path: Path, answer: object) -> None:
    """HTM-15."""
    with ScriptedSite({"/": page("/d/a"), "/d/a": answer, "/d/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/d/a", "/d/b"]
    assert aliases(crawl) == {"/d/a": "/d/b"}
    assert crawl.urls()["/d/b"].depth == crawl.urls()["/d/a"].depth == 1
    assert crawl.status().useful_pages == 2


@pytest.mark.parametrize(
    "answer",
    [
        naming("/b", "A", "/c"),
        in_header("/b", naming("/c")),
        Reply(page(title="A"), headers=(("Link", "</b>; rel=canonical"), ("Link", "</c>; rel=canonical"))),
        naming("http://other.test/b"),
        naming("http://[/"),
        naming("javascript:void(0)"),
        naming("/a?utm_source=me"),
        naming("#top"),
        naming(""),
    ],
)
def test_conflicting_foreign_and_invalid_words_make_no_alias(tmp_path: Path, answer: object) -> None:
    with ScriptedSite({"/": page("/a"), "/a": answer}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/a"]
    assert aliases(crawl) == {}
    assert crawl.status().useful_pages == 2


def test_what_is_no_url_is_kept_without_user_info(tmp_path: Path) -> None:
    with ScriptedSite({"/": naming("http://me:secret@[broken/")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
    assert crawl.rows("SELECT canonical FROM page") == [("http://[broken/",)]


def test_query_of_a_canonical_is_in_the_charset_of_its_page(tmp_path: Path) -> None:
    latin = Reply('<link rel="canonical" href="/b?q=é">'.encode("latin-1"), type="text/html; charset=latin1")
    with ScriptedSite({"/": latin, "/b?q=%E9": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    assert aliases(crawl) == {"/": "/b?q=%E9"}


def test_canonical_of_a_redirected_page_is_relative_to_where_it_stands(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/old"), "/old": moved("/new/a"), "/new/a": naming("b"), "/new/b": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    assert aliases(crawl) == {"/new/a": "/new/b"}


def test_thirty_different_pages_that_name_the_home_page_are_pages_of_their_own(tmp_path: Path) -> None:
    paths = [f"/{number}" for number in range(33)]
    with ScriptedSite({"/": page(*paths), **{path: naming("/", path) for path in paths}}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(KEYLESS,)))
        assert crawl.run().exit_status == 0
        assert len(site.targets()) == 35
    status = crawl.status()
    assert (status.useful_pages, status.records, status.record_actions["conflicts"]) == (34, 34, 0)
    assert aliases(crawl) == {}
    assert [(alarm.kind, alarm.pattern) for alarm in status.alarms] == [("canonical", f"{site.root}/")]
    assert len(crawl.log("canonical")) == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Reply(status=404), "answers 404"),
        (Reply(status=500), "answers 500"),
        (moved("http://other.test/"), "redirects to no page of this crawl"),
        (moved("/gone"), "redirects to a page that answers 404"),
        (Reply(b"x", type="image/png"), "is no page that this crawl reads (image/png)"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_page_that_names_what_is_no_canonical_is_its_own(
    tmp_path: Path, answer: object, why: str, *, first: bool
) -> None:
    links = ("/b", "/a") if first else ("/a",)
    with ScriptedSite({"/": page(*links), "/a": naming("/b"), "/b": answer}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(KEYLESS,)))
        crawl.run()
    assert "/a" not in aliases(crawl)
    assert crawl.rows("SELECT data FROM record WHERE natural_key = ?", f"{site.root}/a") == [('{"title":"A"}',)]
    assert crawl.log("canonical") == [f"{site.root}/b {why}: no canonical is believed that names it."]


@pytest.mark.parametrize(
    "answer", [naming("/c", "B"), moved("/c"), moved("/c", 302), moved("/c", 307), moved("/c", 308)]
)
def test_chain_of_canonicals_and_redirects_has_the_one_record_of_its_end(tmp_path: Path, answer: object) -> None:
    with ScriptedSite({"/": page("/a"), "/a": naming("/b"), "/b": answer, "/c": page(title="C")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(KEYLESS,)))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/a", "/b", "/c"]
    assert aliases(crawl)["/a"] == "/c"
    assert crawl.rows("SELECT data FROM record WHERE natural_key <> ?", f"{site.root}/") == [('{"title":"C"}',)]
    assert (crawl.status().useful_pages, crawl.log("canonical")) == (2, [])


def test_canonical_that_robots_txt_forbids_is_not_believed_until_it_may_be_fetched(tmp_path: Path) -> None:
    robots = Reply(b"User-agent: *\nDisallow: /b\n", type="text/plain")
    with ScriptedSite({"/robots.txt": robots, "/": page("/a"), "/a": naming("/b"), "/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        assert (aliases(crawl), crawl.states()["/b"]) == ({}, "blocked")
        assert crawl.log("canonical") == [
            f"{site.root}/b may not be fetched by robots.txt (Disallow: /b): no canonical is believed that names it."
        ]
        override = RobotsOverride(host="127.0.0.1", reason="ours")
        crawl.set(quick(f"{site.root}/", politeness=politeness(robots_override=(override,))))
        crawl.run()
        assert site.targets() == ["/robots.txt", "/", "/a", "/b"]
    assert aliases(crawl) == {"/a": "/b"}
    assert crawl.status().useful_pages == 2


def test_record_without_a_key_is_its_canonical_pages(tmp_path: Path) -> None:
    answers = {"/": page("/a?x=2", "/b"), "/a?x=2": naming("/b", "A"), "/b": naming("/b", "B")}
    with ScriptedSite(dict(answers)) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(KEYLESS,)))
        crawl.run()
    assert crawl.rows("SELECT natural_key, data FROM record ORDER BY 1") == [
        (f"{site.root}/", '{"title":"Page"}'),
        (f"{site.root}/b", '{"title":"B"}'),
    ]
    assert crawl.status().record_actions["conflicts"] == 1


def test_setting_switches_it_off(tmp_path: Path) -> None:
    with ScriptedSite({"/": naming("/b")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", normalise=Normalise(canonical=False)))
        crawl.run()
        assert site.targets() == ["/robots.txt", "/"]
    assert crawl.status().useful_pages == 1
