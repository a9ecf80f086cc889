"""rel=canonical in the file: who is an alias of whom, what of it counts, and how it is undone."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from core.store.write import aliases
from tests.core.store.write.naming_pages import (
    ALIASES,
    in_turn,
    naming,
    started,
)
from tests.small_crawl import SITE, settings_of

if TYPE_CHECKING:
    from pathlib import Path


def test_alias_keeps_its_row_and_links_is_not_useful_and_its_canonical_is_queued_as_deep(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    turn = crawl.turn(crawl.page(works["/a"], "/linked", parsed={"canonical": f"{SITE}/b"}))
    assert {(work.url.target, work.depth) for work in turn.work} == {("/b", 1), ("/linked", 2)}
    crawl.turn(*(crawl.page(work) for work in turn.work))
    assert crawl.ask(ALIASES) == [("/a", "/b")]
    assert crawl.ask("SELECT path, useful FROM page JOIN url ON id = url_id ORDER BY 1") == [
        *(("/", 1), ("/a", 0), ("/b", 1), ("/linked", 1))
    ]
    assert (crawl.counter("useful"), crawl.counter("pages"), crawl.counter("new_urls")) == (3, 4, 3)
    crawl.assert_sound()


def test_page_that_names_itself_in_another_spelling_is_no_alias(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a?x=1&b=2", "/b")
    crawl.turn(naming(crawl, works["/a?x=1&b=2"], "/a?b=2&x=1&utm_source=x"), naming(crawl, works["/b"], "/b"))
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 3


@pytest.mark.parametrize("canonical", ["http://other.test/a", "javascript:x", "http://[", f"{SITE}/excluded"])
def test_foreign_invalid_and_excluded_canonicals_are_recorded_and_not_followed(tmp_path: Path, canonical: str) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", scope={"exclude": ["/excluded"]})
    assert not crawl.turn(naming(crawl, works["/a"], canonical)).work
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page WHERE url_id = 2") == [(canonical, None, 1)]
    crawl.assert_sound()


def test_page_that_names_two_is_believed_of_neither(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    crawl.turn(crawl.page(works["/a"], parsed={"canonical": f"{SITE}/b {SITE}/c"}))
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 2


@pytest.mark.parametrize("order", list(itertools.permutations(["/a", "/b", "/c"])))
def test_all_of_a_chain_are_aliases_of_its_end(tmp_path: Path, order: tuple[str, ...]) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b", "/c")
    names = {"/a": "/b", "/b": "/c", "/c": "/c"}
    in_turn(crawl, [naming(crawl, works[path], names[path]) for path in order])
    assert crawl.ask(ALIASES) == [("/a", "/c"), ("/b", "/c")]
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


@pytest.mark.parametrize("names", [{"/a": "/b", "/b": "/a"}, {"/a": "/b", "/b": "/c", "/c": "/a"}])
@pytest.mark.parametrize("order", [1, -1])
def test_pages_that_name_each_other_are_pages_of_their_own(tmp_path: Path, names: dict[str, str], order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", *names)
    in_turn(crawl, [naming(crawl, works[path], names[path]) for path in list(names)[::order]])
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 1 + len(names)
    crawl.assert_sound()


@pytest.mark.parametrize("order", [1, -1])
def test_page_whose_canonical_redirects_back_to_it_is_useful(tmp_path: Path, order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(crawl, [naming(crawl, works["/a"], "/b"), crawl.redirect(works["/b"], "/a")][::order])
    assert crawl.ask(ALIASES) == []
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


@pytest.mark.parametrize("order", [1, -1])
def test_canonical_page_is_no_copy_of_its_own_alias(tmp_path: Path, order: int) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(
        crawl, [naming(crawl, works["/a"], "/b", body="same"), naming(crawl, works["/b"], "/b", body="same")][::order]
    )
    assert crawl.ask(
        "SELECT path, useful, duplicate_of IS NULL FROM page JOIN url ON id = url_id WHERE path = '/b'"
    ) == [("/b", 1, 1)]
    assert crawl.counter("useful") == 2
    crawl.assert_sound()


def test_loop_of_two_copies_leaves_one_useful_page(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", "/b")
    in_turn(crawl, [naming(crawl, works[one], other, body="same") for one, other in (("/a", "/b"), ("/b", "/a"))])
    useful = crawl.ask("SELECT path FROM page JOIN url ON id = url_id WHERE useful ORDER BY 1")
    assert useful in ([("/",), ("/a",)], [("/",), ("/b",)])
    crawl.assert_sound()


def test_nothing_is_believed_where_the_settings_say_so(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a", normalise={"canonical": False})
    assert not crawl.turn(naming(crawl, works["/a"], "/b")).work
    assert crawl.ask("SELECT canonical, alias_of, useful FROM page WHERE url_id = 2") == [(f"{SITE}/b", None, 1)]


def test_switching_it_off_undoes_the_aliases_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aliases, "PIECE", 2)
    crawl, works = started(tmp_path / "a.crawl", *(f"/{number}" for number in range(5)))
    crawl.turn(*(naming(crawl, work, "/b") for work in works.values()))
    assert (len(crawl.ask(ALIASES)), crawl.counter("useful")) == (5, 1)
    crawl.change(settings_of(normalise={"canonical": False}))
    crawl.turn(granting=False)
    assert len(crawl.ask(ALIASES)) == 3
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 7)
    crawl.assert_sound()


def test_canonical_of_thirty_contents_is_not_believed_and_earlier_aliases_are_undone(tmp_path: Path) -> None:
    pages = [f"/{number}" for number in range(35)]
    crawl, works = started(tmp_path / "a.crawl", *pages)
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[:29]))
    assert (len(crawl.ask(ALIASES)), crawl.counter("useful")) == (29, 1)
    crawl.turn(naming(crawl, works[pages[29]], "/b"))
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 31)
    assert crawl.counter("useful", crawl.begun.run) == 31
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[30:]))
    assert (crawl.ask(ALIASES), crawl.counter("useful")) == ([], 36)
    assert crawl.ask("SELECT kind, pattern, host FROM alarm") == [("canonical", f"{SITE}/b", "shop.test")]
    assert crawl.ask("SELECT level, kind, url FROM log WHERE kind = 'canonical'") == [
        ("warning", "canonical", f"{SITE}/b")
    ]
    crawl.assert_sound()


def test_thirty_pages_of_one_content_are_aliases_all_the_same(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", *(f"/?session={number}" for number in range(40)))
    crawl.turn(*(naming(crawl, work, "/b", body="same") for work in works.values()))
    assert len(crawl.ask(ALIASES)) == 40
    assert crawl.ask("SELECT count(*) FROM alarm") == [(0,)]


def test_distrust_outlives_the_engine_and_many_aliases_are_undone_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "PIECE", 10)
    pages = [f"/{number}" for number in range(31)]
    crawl, works = started(tmp_path / "a.crawl", *pages)
    crawl.turn(*(naming(crawl, works[path], "/b") for path in pages[:30]), granting=False)
    left = len(crawl.ask(ALIASES))
    assert 0 < left < 29
    crawl.assert_sound()
    crawl.reopen()
    crawl.crawl({})
    assert crawl.ask(ALIASES) == []
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(naming(crawl, works["/3"], "/b"))
    assert crawl.ask(ALIASES) == []
    crawl.assert_sound()


def test_useful_pages_of_an_earlier_run_are_counted_there(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    works = in_turn(crawl, [naming(crawl, works["/a"], "/b", answer={"etag": '"1"'})])
    in_turn(crawl, [crawl.page(works["/b"], "/x")])
    crawl.crawl({})
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    assert crawl.counter("useful", 1) == 3
    in_turn(crawl, [naming(crawl, works["/b"], "/a")])
    assert crawl.counter("useful", 1) == 4
    crawl.assert_sound()


def test_page_that_names_nothing_any_more_is_an_alias_no_more(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/a")
    works = in_turn(crawl, [naming(crawl, works["/a"], "/b")])
    in_turn(crawl, [crawl.page(works["/b"])])
    crawl.finish()
    crawl.now += 100.0
    crawl.open(recrawl="all")
    works = {work.url.target: work for work in crawl.turn().work}
    crawl.turn(crawl.page(works["/a"], body="other"))
    assert crawl.ask("SELECT alias_of, useful FROM page WHERE url_id = 2") == [(None, 1)]
    crawl.assert_sound()


def test_canonical_page_comes_nearer_with_its_alias(tmp_path: Path) -> None:
    crawl, works = started(tmp_path / "a.crawl", "/far", "/near")
    works |= in_turn(crawl, [crawl.page(works["/far"], "/further")])
    works |= in_turn(crawl, [crawl.page(works["/further"], "/a")])
    in_turn(crawl, [naming(crawl, works["/a"], "/b")])
    assert crawl.ask("SELECT path, depth FROM url WHERE path IN ('/a', '/b') ORDER BY 1") == [("/a", 3), ("/b", 3)]
    in_turn(crawl, [crawl.page(works["/near"], "/a")])
    assert crawl.ask("SELECT path, depth FROM url WHERE path IN ('/a', '/b') ORDER BY 1") == [("/a", 2), ("/b", 2)]
