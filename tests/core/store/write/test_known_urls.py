"""Known URLs: the shortest way counts, colliding keys are both kept, what is known is a no-op."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.write import known, refusals
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

CHAIN = {f"/{number}": [f"/{number + 1}"] for number in range(1, 9)}


def test_known_url_is_not_queued_again(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    assert crawl.crawl({"/": ["/a", "/a", "/"], "/a": ["/", "/a"]}) == ["/", "/a"]
    assert (crawl.counter("links"), crawl.counter("known_links"), crawl.counter("new_urls")) == (4, 3, 1)


def test_page_met_too_deep_is_crawled_when_a_shorter_way_is_found(tmp_path: Path) -> None:  # FRO-12
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 3}))
    site = {"/": ["/1"], **CHAIN, "/3": ["/4", "/found-at-4"]}
    assert "/4" not in crawl.crawl(site)
    assert crawl.reasons() == {"/4": "depth", "/found-at-4": "depth"}
    crawl.reopen()
    crawl.finish()
    crawl.open(recrawl="all")
    requested = crawl.crawl({**site, "/1": ["/2", "/4"]})
    assert "/4" in requested
    assert crawl.one("SELECT depth FROM url WHERE path = '/4'") == 2
    crawl.assert_sound()


@pytest.mark.parametrize("graph", [True, False])
def test_depth_of_descendants_follows_and_links_refused_for_depth_come_back(tmp_path: Path, graph: bool) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 5}, pages={"link_graph": graph}))
    (root,) = crawl.turn().work
    works = {work.url.target: work for work in crawl.turn(crawl.page(root, "/1", "/late")).work}
    late, number = works["/late"], 1
    work = works["/1"]
    while True:
        turn = crawl.turn(crawl.page(work, f"/{number + 1}", f"/side/{number}"))
        number += 1
        following = [found for found in turn.work if found.url.target == f"/{number}"]
        if not following:
            break
        (work,) = following
    assert crawl.reasons() == {"/6": "depth", "/side/5": "depth"}
    crawl.turn(crawl.page(late, "/4"))
    depths = dict(crawl.ask("SELECT path, depth FROM url"))
    assert (depths["/4"], depths["/5"], depths["/6"], depths["/side/5"]) == (2, 3, 4, 4)
    assert crawl.reasons() == {}
    crawl.assert_sound()


def test_links_of_a_page_in_flight_count_from_the_shorter_way_found_meanwhile(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 3}))
    (root,) = crawl.turn().work
    works = {work.url.target: work for work in crawl.turn(crawl.page(root, "/1", "/other")).work}
    (two,) = crawl.turn(crawl.page(works["/1"], "/2")).work
    (three,) = crawl.turn(crawl.page(two, "/3")).work
    crawl.turn(crawl.page(works["/other"], "/3"))
    crawl.turn(crawl.page(three, "/child"))
    assert crawl.one("SELECT depth FROM url WHERE path = '/child'") == 3


def test_refusal_keeps_the_shortest_way_and_the_reason_against_it(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 2, "max_pages": 4}))
    crawl.crawl({"/": ["/1", "/2"], "/1": ["/3"], "/2": ["/x"], "/3": ["/x", "/y"]})
    assert crawl.reasons() == {"/x": "total-limit", "/y": "depth"}
    assert crawl.one("SELECT depth FROM refused WHERE url LIKE '%/x'") == 2
    crawl.assert_sound()


def test_two_urls_whose_keys_collide_are_both_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "url_key", lambda _key: 42)
    crawl = SmallCrawl(tmp_path / "a.crawl")
    assert crawl.crawl({"/": ["/a", "/b", "/a"], "/b": ["/a", "/c"]}) == ["/", "/a", "/b", "/c"]
    assert [number for (number,) in crawl.ask("SELECT collision FROM url ORDER BY id")] == [0, 1, 2, 3]
    crawl.assert_sound()


def test_nofollow_link_is_refused_until_one_that_may_be_followed_is_found(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = crawl.turn(crawl.page(root, crawl.link("/x", nofollow=True), "/a")).work
    assert crawl.reasons() == {"/x": "robots: nofollow"}
    (page,) = works
    assert [work.url.target for work in crawl.turn(crawl.page(page, "/x")).work] == ["/x"]
    assert crawl.reasons() == {}
    assert crawl.one("SELECT count(*) FROM link WHERE target < 0") == 0
    crawl.assert_sound()


def test_changed_settings_do_not_let_a_nofollow_link_in(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, crawl.link("/x", nofollow=True)))
    crawl.change(settings_of(name="other"))
    assert crawl.crawl({}) == []
    crawl.change(settings_of(politeness={"robots": False, "nofollow": False, "delay": 0.0}))
    assert crawl.crawl({}) == ["/x"]
    crawl.assert_sound()


def test_beyond_the_cap_refusals_are_only_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "MOST_ROWS", 3)
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope={"exclude": ["/no/"]}))
    crawl.crawl({"/": [f"/no/{number}" for number in range(5)]})
    assert len(crawl.reasons()) == 3
    assert crawl.counter("refused.pattern") == 5
    assert crawl.one("SELECT count(*) FROM link WHERE target < 0") == 3
    crawl.change(settings_of(scope={"exclude": ["/no/1"]}))
    crawl.crawl({"/no/0": ["/no/1", "/no/4"]})
    assert len(crawl.reasons()) == 1
    assert "/no/4" in crawl.states()


def test_links_of_the_graph_lead_from_a_refusal_to_the_url_it_became(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(budgets={"max_depth": 1}))
    crawl.crawl({"/": ["/a"], "/a": ["/b"]})
    assert crawl.one("SELECT count(*) FROM link WHERE target < 0") == 1
    crawl.change(settings_of(budgets={"max_depth": 2}))
    assert crawl.crawl({}) == ["/b"]
    sql = "SELECT target.path FROM link JOIN url AS target ON target.id = link.target ORDER BY 1"
    assert crawl.ask(sql) == [("/a",), ("/b",)]
    crawl.assert_sound()


def test_urls_on_another_port_and_scheme_are_others(tmp_path: Path) -> None:
    hosts = ["shop.test", "shop.test:8080"]
    crawl = SmallCrawl(tmp_path / "a.crawl", settings_of(scope={"hosts": hosts}))
    crawl.crawl({"/": ["http://shop.test:8080/", f"{SITE}:80/", "https://shop.test/"]})
    assert sorted(crawl.ask("SELECT base FROM origin")) == [
        ("http://shop.test",),
        ("http://shop.test:8080",),
        ("https://shop.test",),
    ]
    assert crawl.one("SELECT count(*) FROM url") == 3


def test_rows_of_another_tenant_are_left_alone(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    crawl.turn()
    crawl.turn(after=1.0)
    crawl.change(settings_of(tenant="other", seeds={"urls": [f"{SITE}/second"]}))
    crawl.reopen()
    assert crawl.crawl({"/second": ["/third"]}) == ["/second", "/third"]
    assert crawl.states() == {"/": "pending", "/second": "done", "/third": "done"}
    crawl.assert_sound()
