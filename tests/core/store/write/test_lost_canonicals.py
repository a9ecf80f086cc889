"""Canonicals that turn out to be none: who named them is a page of its own, until they are there after all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.store.results import Answer
from core.store.write import aliases, disbelief
from tests.core.store.write.naming_pages import (
    ALIASES,
    KEYLESS,
    RECORDS,
    again,
    by_url,
    in_turn,
    naming,
    started,
)
from tests.small_crawl import SITE, SmallCrawl, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.results import PageResult, Work

PICTURE = Answer(0.0, 200, "ok", "image/png", 10)
BAD: dict[str, Callable[[SmallCrawl, Work], PageResult]] = {
    "answers 404": lambda crawl, work: crawl.failure(work, 404),
    "answers 410": lambda crawl, work: crawl.failure(work, 410),
    "answers 500": lambda crawl, work: crawl.failure(work, 500),
    "cannot be fetched (timeout)": lambda crawl, work: crawl.failure(work, None),
    "redirects to no page of this crawl": lambda crawl, work: crawl.redirect(work, "http://other.test/"),
    "fails the content checks": lambda crawl, work: crawl.page(work, parsed={"soft_block": True}),
    "is no page that this crawl reads (image/png)": lambda crawl, work: replace(
        crawl.page(work, answer={}), accepted=False, parsed=None, answer=replace(PICTURE, at=crawl.at)
    ),
}


@pytest.mark.parametrize("fault", BAD)
@pytest.mark.parametrize("order", [1, -1])
def test_page_is_its_own_where_what_it_names_turns_out_to_be_no_canonical(
    tmp_path: Path, fault: str, order: int
) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    shown = by_url("/a", '{"sku":"a"}')
    in_turn(crawl, [naming(crawl, works["/a"], "/b", shown), BAD[fault](crawl, works["/b"])][::order])
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page JOIN url ON id = url_id WHERE path = '/a'") == [
        (f"{SITE}/b", None, 1)
    ]
    assert crawl.ask(RECORDS) == [(f"{SITE}/a", '{"sku":"a"}', "/a")]
    assert crawl.ask("SELECT message FROM log WHERE kind = 'canonical'") == [
        (f"{SITE}/b {fault}: no canonical is believed that names it.",)
    ]
    crawl.assert_sound()


def test_why_is_told_once_however_many_pages_name_it_and_however_often_they_are_fetched(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/b", *(f"/{number}" for number in range(5)))
    crawl.turn(crawl.failure(works.pop("/b"), 404), *(naming(crawl, work, "/b") for work in works.values()))
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(crawl.failure(works.pop("/b"), 404), *(naming(crawl, work, "/b") for work in works.values()))
    assert len(crawl.ask("SELECT 1 FROM log WHERE kind = 'canonical'")) == 1


def test_log_does_not_fill_where_every_page_names_another_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disbelief, "MOST_TOLD", 3)
    crawl, works = started(tmp_path / "a.crawl", *(f"/{number}" for number in range(9)))
    missing = in_turn(crawl, [naming(crawl, work, f"/missing{path[1:]}") for path, work in works.items()])
    in_turn(crawl, [crawl.failure(work, 404) for work in missing.values()])
    told = [message for (message,) in crawl.ask("SELECT message FROM log WHERE kind = 'canonical' ORDER BY id")]
    assert len(told) == 4
    assert told[-1].startswith("Further canonicals")


def test_bad_hour_of_the_canonical_moves_no_record(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    in_turn(crawl, [naming(crawl, works["/a"], "/b", by_url("/a", "{}")), crawl.page(works["/b"])])
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    in_turn(crawl, [crawl.failure(works["/b"], 503), naming(crawl, works["/a"], "/b", by_url("/a", "{}"))])
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask(RECORDS) == [(f"{SITE}/b", "{}", "/a")]
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    in_turn(crawl, [crawl.failure(works["/b"], 404), naming(crawl, works["/a"], "/b", by_url("/a", "{}"))])
    assert crawl.ask(ALIASES) == []
    assert crawl.ask(RECORDS) == [(f"{SITE}/a", "{}", "/a")]
    crawl.assert_sound()


@pytest.mark.parametrize("unchanged", [True, False])
def test_canonical_that_is_there_at_last_is_believed_at_the_end_of_the_run(tmp_path: Path, *, unchanged: bool) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", records=[KEYLESS])
    said = {"canonical": f"{SITE}/b", "records": (by_url("/a", "{}"),)}
    first = crawl.page(works["/a"], "/", parsed=said, answer={"etag": '"1"'})  # its links are kept: it may be unchanged
    in_turn(crawl, [crawl.failure(works["/b"], 404), first])
    again(crawl)
    works = {work.url.target: work for work in crawl.turn().work}
    same = crawl.not_modified(works["/a"]) if unchanged else naming(crawl, works["/a"], "/b", by_url("/a", "{}"))
    in_turn(crawl, [same, crawl.page(works.pop("/b")), crawl.page(works.pop("/"))])
    crawl.crawl({})
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask(RECORDS) == [(f"{SITE}/b", "{}", "/a")]
    crawl.assert_sound()


def test_aliases_of_a_missing_page_are_undone_in_pieces_that_outlive_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "PIECE", 4)
    pages = [f"/{number}" for number in range(20)]
    crawl, works = started(tmp_path / "a.crawl", *pages, "/b")
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages), granting=False)
    crawl.turn(crawl.failure(works["/b"], 404), granting=False)
    assert 0 < len(crawl.ask(ALIASES)) < 20
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 21)
    assert crawl.ask("SELECT 1 FROM meta WHERE name LIKE 'canonicals%'") == []
    crawl.assert_sound()


def test_canonical_that_a_pattern_excludes_is_none_until_the_pattern_is_removed(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(naming(crawl, works["/a"], "/b"), granting=False)
    crawl.change(settings_of(scope={"exclude": ["/b"]}))
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.states()["/b"]) == ([], "excluded")
    assert crawl.ask("SELECT message FROM log WHERE kind = 'canonical'") == [
        (f"{SITE}/b is excluded by /b: no canonical is believed that names it.",)
    ]
    crawl.assert_sound()
    crawl.change(settings_of())
    assert crawl.crawl({}) == ["/b"]
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    crawl.assert_sound()


def test_canonical_that_comes_into_scope_is_queued_and_believed(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(naming(crawl, works["/a"], "http://www.shop.test/a"))
    crawl.crawl({})
    assert crawl.ask(ALIASES) == []
    crawl.change(settings_of(scope={"hosts": ["shop.test", "www.shop.test"]}))
    assert crawl.crawl({}) == ["/a"]
    assert len(crawl.ask(ALIASES)) == 1
    crawl.assert_sound()
