"""A crawl from its seeds to its end: what is fetched, once each, and what the file says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from core.demo import SiteOptions, SiteThread
from core.explain import explain
from core.settings import Budgets, FieldRule, RecordType, Scope, Seeds
from tests.core.engine.crawl import Crawl, fetch, quick
from tests.core.engine.scripted_site import Reply, ScriptedSite, moved, page

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = RecordType(name="product", match="/product/*", key="sku", fields={"sku": FieldRule(css=".sku")})


def test_a_small_shop_is_crawled_whole_and_each_page_is_asked_for_once(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=3, per_listing=5)) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/list/0", budgets=Budgets(max_depth=50), records=(PRODUCT,)))
        ending = crawl.run()
        log = site.log
    status = crawl.status()
    assert ending.exit_status == 0
    assert (status.state, status.pages, status.records, status.urls["done"]) == ("finished", 18, 15, 18)
    assert log.repeated == 0
    assert status.requests == log.requests == 19  # with robots.txt
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test.crawl", "test.crawl-responses"]


def test_a_finished_crawl_is_not_fetched_again(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/a"), "/a": page()}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        asked = len(site.asked)
        assert crawl.run().exit_status == 0
        assert len(site.asked) == asked
    assert crawl.status().run == 1


def test_a_seed_added_to_a_finished_crawl_is_fetched_by_the_next_run_and_nothing_else(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/a"), "/a": page(title="A"), "/b": page("/a", title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        site.asked.clear()
        crawl.set(quick(f"{site.root}/", f"{site.root}/b"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/b"]
    assert crawl.status().run == 2


def test_spellings_of_one_seed_are_one_request(tmp_path: Path) -> None:
    """FRO-06."""
    with ScriptedSite({"/": page("/#x", "/?utm_source=b", "/")}) as site:
        spellings = (site.root, f"{site.root}/", f"{site.root}/#x", f"{site.root}/?utm_source=x")
        crawl = Crawl(tmp_path, quick(*spellings))
        crawl.run()
        assert site.targets() == ["/robots.txt", "/"]
    assert list(crawl.states()) == ["/"]


def test_the_spelling_that_was_found_is_fetched(tmp_path: Path) -> None:
    """FRO-13."""
    links = ("/p?b=2&a=1&utm_source=x", "/p?a=1&b=2", "/P%7E")
    with ScriptedSite({"/": page(*links)}) as site:
        Crawl(tmp_path, quick(f"{site.root}/")).run()
        assert set(site.targets()) == {"/robots.txt", "/", "/p?b=2&a=1", "/P~"}


def test_a_seed_that_redirects_to_another_name_widens_the_scope_once(tmp_path: Path) -> None:
    """FRO-07. The private address of the new name is allowed by scope.hosts alone, as for any host."""
    with ScriptedSite() as site:
        site.answers |= {"a.test/": moved(f"{site.at('www.a.test')}/", 301), "www.a.test/": page("/x"), "/x": page()}
        resolve = {"a.test": "127.0.0.1", "www.a.test": "127.0.0.1"}
        crawl = Crawl(tmp_path, quick(f"{site.at('a.test')}/", fetch=fetch(resolve=resolve)))
        crawl.run()
    assert f"http://www.a.test:{site.port}/" in {row.url for row in crawl.urls().values()}
    assert any("www.a.test" in line for line in crawl.log("seed"))


@pytest.mark.parametrize("follow", [True, False])
def test_every_hop_of_a_seeds_redirects_stands_for_the_seed(tmp_path: Path, follow: bool) -> None:
    """As http to https to www: the hop in scope must not hide the one that leaves it."""
    with ScriptedSite() as site:
        site.answers |= {
            "a.test/": moved("/index", 301),
            "a.test/index": moved(f"{site.at('b.test')}/", 301),
            "b.test/": moved(f"{site.at('c.test')}/", 301),
            "c.test/": page("/x"),
            "/x": page(title="X"),
        }
        names = ("a.test", "b.test", "c.test")
        resolve = dict.fromkeys(names, "127.0.0.1")
        crawl = Crawl(
            tmp_path, quick(f"{site.at('a.test')}/", fetch=fetch(resolve=resolve), scope=Scope(follow=follow))
        )
        crawl.run()
        assert site.targets("c.test") == ["/robots.txt", "/", *(["/x"] if follow else [])]
    assert len(crawl.log("seed")) == 2


@pytest.mark.parametrize("scope", [{"follow": False}, {"include": ("/in/",)}])
@pytest.mark.parametrize("against", [{"scope": {"exclude": ("/t",)}}, {"budgets": {"max_pages": 1}}])
def test_what_a_seed_redirects_to_is_let_in_again_as_such(
    tmp_path: Path, scope: dict[str, Any], against: dict[str, dict[str, Any]]
) -> None:
    """In list mode, and where include patterns do not match it: a seed is exempt from both."""
    with ScriptedSite({"/": moved("/t"), "/t": page()}) as site:
        first = {"scope": Scope(**scope, **against.get("scope", {})), "budgets": Budgets(**against.get("budgets", {}))}
        crawl = Crawl(tmp_path, quick(f"{site.root}/", **first))
        crawl.run()
        assert list(crawl.refused()) == [f"{site.root}/t"]
        crawl.set(quick(f"{site.root}/", scope=Scope(**scope)))
        assert explain(crawl.path, f"{site.root}/t").allowed
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/t"]


def test_a_link_that_redirects_away_stands_for_no_seed(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers |= {"a.test/": page("/go"), "/go": moved(f"{site.at('b.test')}/", 301), "b.test/": page()}
        resolve = dict.fromkeys(("a.test", "b.test"), "127.0.0.1")
        crawl = Crawl(tmp_path, quick(f"{site.at('a.test')}/", fetch=fetch(resolve=resolve)))
        crawl.run()
        assert site.targets("b.test") == []
    assert crawl.refused() == {f"http://b.test:{site.port}/": "scope"}


def test_list_mode_fetches_the_seeds_alone(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page("/b"), "/b": page(), "/c": moved("/d"), "/d": page("/e")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/a", f"{site.root}/c", scope=Scope(follow=False)))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == ["/a", "/c", "/d", "/robots.txt"]


def test_seeds_come_from_files_and_bad_lines_keep_their_message(tmp_path: Path) -> None:
    with ScriptedSite({"/a": page(), "/b": page()}) as site:
        (tmp_path / "seeds.txt").write_text(f"{site.root}/a\nhttp://[broken/\n{site.root}/b\n")
        crawl = Crawl(tmp_path, quick(seeds=Seeds(files=(str(tmp_path / "seeds.txt"),))))
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == ["/a", "/b", "/robots.txt"]
    ((text, problem),) = crawl.rows("SELECT text, problem FROM seed WHERE problem <> ''")
    assert "[broken" in text
    assert problem


def test_a_content_type_that_is_not_wanted_is_done_with_its_reason(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/doc"), "/doc": Reply(b"%PDF-1.4", type="application/pdf")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
    row = crawl.urls()["/doc"]
    assert (row.state, row.outcome, row.status) == ("done", "ok", 200)
    assert row.reason == "content-type: application/pdf"


def test_a_shorter_way_readmits_what_was_too_deep(tmp_path: Path) -> None:
    """FRO-12."""
    answers: dict[str, object] = {
        "/": page("/1", "/late"),
        "/1": page("/2"),
        "/2": page("/far"),
        "/far": page("/x"),
        "/x": page(),
        "/late": Reply(page("/far", title="Late"), hold=0.3),
    }
    with ScriptedSite(answers) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", budgets=Budgets(max_depth=3)))
        assert crawl.run().exit_status == 0
    assert crawl.urls()["/far"].depth == 2
    assert crawl.urls()["/x"].depth == 3
    assert crawl.states()["/x"] == "done"


def test_links_that_can_never_be_requested_are_recorded_as_refused(tmp_path: Path) -> None:
    """Other schemes with their address, without its password; what is no address too. The page's others are kept."""
    hrefs = ["ftp://me:secret@files.test/a.zip#x", "file:///etc/passwd", "gopher://old.test/", "GOPHER://old.test/"]
    dropped = ["javascript:x()", "mailto:a@b.test", "tel:1", "data:,x"]
    with ScriptedSite({"/": page(*hrefs, *dropped, "http://[bad/", "http://h:99999/", "/ok")}) as site:
        site.answers["/ok"] = page("file:///etc/passwd", title="OK")
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        assert crawl.run().exit_status == 0
        assert site.targets() == ["/robots.txt", "/", "/ok"]
        expected = {
            "ftp://files.test/a.zip": "scope: scheme",
            "file:///etc/passwd": "scope: scheme",
            "gopher://old.test/": "scope: scheme",
            "GOPHER://old.test/": "scope: scheme",
            "http://[bad/": "error: url",
            "http://h:99999/": "error: url",
        }
        assert crawl.refused() == expected
        shown = crawl.rows("SELECT source, url FROM link JOIN refused ON refused.id = -target WHERE url LIKE 'file%'")
        assert shown == [(1, "file:///etc/passwd"), (2, "file:///etc/passwd")]
        assert crawl.status().refusals == {"scope": 4, "error": 2}

        crawl.set(quick(f"{site.root}/", scope=Scope(hosts=("127.0.0.1", "old.test"), subdomains=True)))
        assert crawl.run(recrawl="all").exit_status == 0
        assert crawl.refused() == expected
        assert set(site.targets()) == {"/robots.txt", "/", "/ok"}
