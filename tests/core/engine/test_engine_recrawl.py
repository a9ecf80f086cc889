"""The next run: what is due, what has not changed, what is new, what is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.cli import main
from core.demo import SiteOptions, SiteThread
from core.settings import Budgets, FieldRule, Pages, RecordType
from core.store.read.audit import audit
from core.store.responses import responses_path
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import Asked, Reply, ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

PRODUCT = RecordType(
    name="product",
    match="/product/*",
    key="sku",
    fields={"sku": FieldRule(css=".sku"), "price": FieldRule(css=".price", cast="number")},
)


TITLE = RecordType(name="thing", match="/*", key="title", fields={"title": FieldRule(css="title")})


def with_etag(body: bytes, tag: str) -> object:
    """A page that knows conditional requests."""

    def answer(asked: Asked) -> Reply:
        known = asked.headers.get("if-none-match") == tag
        return Reply(status=304, type="") if known else Reply(body, headers=(("ETag", tag),))

    return answer


def test_an_unchanged_site_answers_304_and_nothing_known_is_lost(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=3, per_listing=6)) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/list/0", budgets=Budgets(max_depth=50), records=(PRODUCT,)))
        crawl.run()
        before = crawl.rows("SELECT id, data, version, last_changed FROM record ORDER BY id")
        pages = crawl.rows("SELECT url_id, title, content_hash FROM page ORDER BY url_id")
        assert crawl.run(recrawl="all").exit_status == 0
        assert site.log.statuses[304] == 21
    status = crawl.status()
    assert (status.run, status.not_modified, status.pages, status.records) == (2, 21, 21, 18)
    assert status.record_actions == {"created": 0, "unchanged": 18, "updated": 0, "conflicts": 0}
    assert crawl.rows("SELECT id, data, version, last_changed FROM record ORDER BY id") == before
    assert crawl.rows("SELECT url_id, title, content_hash FROM page ORDER BY url_id") == pages


@pytest.mark.parametrize("thrown_away", [False, True])
def test_only_what_is_stored_still_is_asked_for_conditionally(tmp_path: Path, thrown_away: bool) -> None:
    """Without a link graph a page is its kept response, and a 304 for one that was thrown away would lose it."""
    with ScriptedSite({"/": with_etag(page("/a"), '"1"'), "/a": with_etag(page(title="A"), '"2"')}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=Pages(link_graph=False)))
        crawl.run()
        if thrown_away:
            responses_path(crawl.path).unlink()
        for known in (not thrown_away, True):  # what was fetched anew is stored again
            site.asked.clear()
            assert crawl.run(recrawl="all").exit_status == 0
            assert [(asked.target, "if-none-match" in asked.headers) for asked in site.asked] == [
                ("/", known),
                ("/a", known),
            ]


def test_a_changed_site_updates_its_records_and_keeps_their_versions(tmp_path: Path) -> None:
    with SiteThread(SiteOptions(listings=3, per_listing=6, change_rate=0.5)) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/list/0", budgets=Budgets(max_depth=50), records=(PRODUCT,)))
        crawl.run()
        ids = crawl.rows("SELECT id FROM record ORDER BY id")
        site.control(round=1)
        assert crawl.run(recrawl="all").exit_status == 0
    actions = crawl.status().record_actions
    assert actions["updated"] > 0
    assert actions["unchanged"] > 0
    assert (actions["created"], actions["unchanged"] + actions["updated"]) == (0, 18)
    assert crawl.rows("SELECT id FROM record ORDER BY id") == ids
    assert crawl.rows("SELECT count(*) FROM record WHERE version = 2") == [(actions["updated"],)]


def test_links_of_an_unchanged_hub_are_still_there(tmp_path: Path) -> None:
    """HTTP-10."""
    with ScriptedSite({"/": with_etag(page("/a"), '"1"'), "/a": with_etag(page(title="A"), '"a"')}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        links = crawl.rows("SELECT source, target FROM link")
        checked = crawl.rows("SELECT last_fetched FROM page ORDER BY url_id")
        crawl.run(recrawl="all")
        assert crawl.rows("SELECT source, target FROM link") == links
        assert crawl.rows("SELECT last_fetched FROM page ORDER BY url_id") > checked
    assert {row.outcome for row in crawl.urls().values()} == {"not_modified"}
    assert set(crawl.states().values()) == {"done"}


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ((("ETag", 'W/"a:1"'),), ('W/"a:1"', None)),
        (
            (("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:38 GMT")),
            (None, "Sun, 06 Nov 1994 08:49:37 GMT"),
        ),
        ((("Last-Modified", "Fri, 31 Dec 2100 00:00:00 GMT"),), (None, None)),
        ((("Last-Modified", "last week"), ("ETag", "*")), (None, None)),
    ],
)
def test_validators_go_back_as_they_came_where_they_can_be_trusted(
    tmp_path: Path, headers: tuple[tuple[str, str], ...], asked: tuple[str | None, str | None]
) -> None:
    with ScriptedSite({"/": Reply(page("/"), headers=headers)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        crawl.run(recrawl="all")
        sent = site.asked[-1].headers
    assert (sent.get("if-none-match"), sent.get("if-modified-since")) == asked


def test_recrawl_takes_what_is_due_alone(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/a", "/b"), "/a": page(title="A"), "/b": page(title="B")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        site.asked.clear()
        crawl.change("UPDATE url SET due = 1 WHERE path = '/a'")
        assert crawl.run(recrawl="due").exit_status == 0
        assert site.targets() == ["/a"]
    assert crawl.status().run == 2


def test_a_page_that_was_there_is_gone_and_a_new_one_is_found(tmp_path: Path) -> None:
    with ScriptedSite({"/": page("/old"), "/old": page(title="Old")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        site.answers = {"/": page("/new"), "/new": page(title="New"), "/old": Reply(b"", 404)}
        assert crawl.run(recrawl="all").exit_status == 0
    rows = crawl.urls()
    assert (rows["/old"].state, rows["/old"].reason) == ("gone", "status: 404")
    assert rows["/new"].state == "done"


def test_a_recrawl_begins_anew_where_the_last_run_only_lacks_what_it_may_not_have(tmp_path: Path) -> None:
    """Else a limit that is reached, or a host that is away for good, would keep all others from being asked again."""
    with ScriptedSite({"/": page("/a", "/b"), "/a": page(title="A")}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", budgets=Budgets(max_pages_per_host=2)))
        assert crawl.run().exit_status == 3
        site.asked.clear()
        assert crawl.run(recrawl="all").exit_status == 3
        assert site.targets() == ["/", "/a"]
    assert crawl.status().run == 2
    assert crawl.rows("SELECT count(*) FROM run WHERE ended IS NULL") == [(1,)]


def test_a_site_that_answers_404_for_everything_is_not_believed(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(20)]
    with ScriptedSite({"/": page(*links), **{link: page(title=link) for link in links}}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", records=(TITLE,)))
        crawl.run()
        site.answers = {}
        assert crawl.run(recrawl="all").exit_status == 0
        status = crawl.status()
        assert (status.urls["gone"], status.urls["failed"]) == (0, 21)
        assert [alarm.kind for alarm in status.alarms] == ["vanished"]
        assert crawl.rows("SELECT count(*) FROM record WHERE gone IS NOT NULL") == [(0,)]
        assert main(["confirm", str(crawl.path)]) == 0
        status = crawl.status()
        assert (status.urls["gone"], status.urls["failed"], status.alarms) == (21, 0, ())
        assert crawl.rows("SELECT count(*) FROM record WHERE gone IS NOT NULL") == [(21,)]
        assert audit(crawl.path).ok


def test_a_recrawl_that_was_stopped_goes_on_under_its_number(tmp_path: Path) -> None:
    with ScriptedSite({"/": page(*(f"/{number}" for number in range(20)))}) as site:
        site.answers |= {f"/{number}": Reply(page(title=str(number)), hold=0.05) for number in range(20)}
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        site.asked.clear()

        def stop() -> None:
            site.wait_for(lambda: len(site.asked) > 2)
            crawl.stop()

        assert crawl.run(stop, recrawl="all", concurrency=1).exit_status == 3
        assert crawl.run().exit_status == 0
        assert sorted(site.targets()) == sorted(["/", *(f"/{number}" for number in range(20))])
    assert crawl.status().run == 2
