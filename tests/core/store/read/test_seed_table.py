"""What each seed and each source brought, counted from stored rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.names import UrlState
from core.store.read.snapshot import Snapshot
from core.store.read.tables import Cell, TableQuery, parse_where
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

YIELD = "seed kind found new useful bytes records problem"


@pytest.fixture
def crawl(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl")


def shown(crawl: HandMadeCrawl, columns: str = YIELD, where: str = "", **more: object) -> list[tuple[Cell, ...]]:
    snapshot = Snapshot(crawl.path)
    query = TableQuery("seeds", conditions=parse_where(where), columns=tuple(columns.split()), **more)  # type: ignore[arg-type] # order alone comes
    snapshot.build(query)
    rows = [row.cells for row in snapshot.page(0)]
    assert [row.cells for row in snapshot.first(query)] == rows
    snapshot.close()
    return rows


def source(crawl: HandMadeCrawl, kind: str, address: str, **values: object) -> int:
    return crawl.add("seed_source", kind=kind, address=address, host_id=1, origin_id=1, listed=1, **values)


def found(crawl: HandMadeCrawl, number: int, **values: int) -> None:
    ((name, value),) = values.items()
    crawl.connection.execute(f"UPDATE url SET {name} = ? WHERE id = ?", (value, number))  # noqa: S608


def test_a_typed_seed_is_credited_with_its_page_and_what_was_first_found_on_it(crawl: HandMadeCrawl) -> None:
    seed = crawl.page("/", bytes=100, useful=1)
    good = crawl.page("/a", bytes=20, useful=1)
    failed = crawl.page("/b", UrlState.FAILED, bytes=3, status=404)
    deeper = crawl.page("/a/deeper", bytes=1000, useful=1)
    known = crawl.page("/known", bytes=7, useful=1)
    for number in (good, failed):
        found(crawl, number, found_on=seed)
    found(crawl, deeper, found_on=good)
    for number in (good, failed, known):
        crawl.add("link", source=seed, target=number)
    crawl.record("1", "{}", good)
    crawl.record("2", "{}", deeper)
    crawl.add("seed", text="http://shop.test/", url_id=seed, at=NOON)
    assert shown(crawl) == [("http://shop.test/", "seed", 4, 3, 2, 123, 1, "")]
    assert shown(crawl, "state") == [("done",)]


def test_a_source_is_credited_with_the_urls_it_was_first_to_name(crawl: HandMadeCrawl) -> None:
    sitemap = source(crawl, "sitemap", "http://shop.test/s.xml", found=9, new=2, state="done", fetched=NOON)
    archive = source(crawl, "archive", "http://archive.test/cdx?url=x", found=1, new=1, state="done", fetched=NOON)
    source(crawl, "feed", "http://partner.test/feed", state="failed", message="answered 500")
    for path in ("/a", "/b"):
        found(crawl, crawl.page(path, bytes=10, useful=1), source_id=sitemap)
    gone = crawl.page("/orphan", UrlState.FAILED, bytes=5, status=404)
    found(crawl, gone, source_id=archive)
    crawl.record("1", "{}", gone)
    assert shown(crawl) == [
        ("http://shop.test/s.xml", "sitemap", 9, 2, 2, 20, 0, ""),
        ("http://archive.test/cdx?url=x", "archive", 1, 1, 0, 5, 1, ""),
        ("http://partner.test/feed", "feed", 0, 0, 0, 0, 0, "answered 500"),
    ]
    assert shown(crawl, "kind", order=("useful", True))[0] == ("sitemap",)
    assert shown(crawl, "kind", "useful < 1") == [("archive",), ("feed",)]


def test_the_pages_of_an_archive_are_one_source_and_the_sitemaps_of_an_index_are_many(crawl: HandMadeCrawl) -> None:
    first = source(crawl, "archive", "http://archive.test/1", found=2, new=2, state="done", fetched=NOON)
    second = source(crawl, "archive", "http://archive.test/2", found=3, new=1, state="done", parent_id=first)
    third = source(crawl, "archive", "http://archive.test/3", state="pending", message="answered 503", parent_id=second)
    index = source(crawl, "sitemap", "http://shop.test/index.xml", state="done")
    part = source(crawl, "sitemap", "http://shop.test/part.xml", found=1, new=1, state="done", parent_id=index)
    for number, path in ((first, "/a"), (second, "/b"), (third, "/c"), (part, "/d")):
        found(crawl, crawl.page(path, bytes=10, useful=1), source_id=number)
    assert shown(crawl, f"{YIELD} state") == [
        ("http://archive.test/1", "archive", 5, 3, 3, 30, 0, "answered 503", "pending"),
        ("http://shop.test/index.xml", "sitemap", 0, 0, 0, 0, 0, "", "done"),
        ("http://shop.test/part.xml", "sitemap", 1, 1, 1, 10, 0, "", "done"),
    ]


def test_a_page_that_has_not_changed_stays_useful_and_a_copy_is_not(crawl: HandMadeCrawl) -> None:
    sitemap = source(crawl, "sitemap", "http://shop.test/s.xml")
    first = crawl.page("/a", status=304, outcome="not_modified")
    found(crawl, first, source_id=sitemap)
    found(crawl, crawl.page("/copy", status=304, outcome="not_modified", duplicate_of=first), source_id=sitemap)
    assert shown(crawl, "useful") == [(1,)]


def test_a_line_that_is_no_seed_shows_its_problem_and_brings_nothing(crawl: HandMadeCrawl) -> None:
    crawl.add("seed", text="shop.test", problem="The scheme is missing.", at=NOON)
    assert shown(crawl) == [("shop.test", "seed", 0, 0, 0, 0, 0, "The scheme is missing.")]


def test_a_good_line_that_was_not_let_in_says_why(crawl: HandMadeCrawl) -> None:
    for path in ("private", "spelt%2Dotherwise", "shown"):
        crawl.add(
            "seed", text=f"http://shop.test/{path}", at=NOON, url_id=crawl.page("/s") if path == "shown" else None
        )
    for number, (url, seed) in enumerate((("private", 1), ("spelt-otherwise", 1), ("shown", 1))):
        reason = "pattern: /private" if url == "private" else "scope"
        address = f"http://shop.test/{url}"
        crawl.add("refused", key=number, url=address, reason=reason, word="x", depth=0, seed=seed, at=NOON)
    assert shown(crawl, "problem") == [("Refused: pattern: /private.",), ("Refused: scope.",), ("",)]


def test_a_refused_line_says_why_though_a_page_had_named_its_url_before_in_another_spelling(
    crawl: HandMadeCrawl,
) -> None:
    crawl.add("seed", text="HTTP://Shop.test:80/p?b=1&a=2#top", at=NOON)
    values = {"word": "scope", "reason": "scope", "depth": 0, "seed": 1, "at": NOON, "found_on": crawl.page("/")}
    crawl.add("refused", key=1, url="http://shop.test/p?a=2&b=1", **values)
    assert shown(crawl, "problem") == [("Refused: scope.",)]


def test_a_source_and_where_it_redirects_to_are_one(crawl: HandMadeCrawl) -> None:
    first = source(crawl, "sitemap", "http://shop.test/s.xml", state="done", message="It redirects to www.shop.test.")
    moved = source(
        crawl, "sitemap", "http://www.shop.test/index.xml", found=1, new=1, state="done", fetched=NOON, parent_id=first
    )
    part = source(crawl, "sitemap", "http://www.shop.test/part.xml", found=2, new=2, state="done", parent_id=moved)
    for number, path in ((moved, "/a"), (part, "/b")):
        found(crawl, crawl.page(path, bytes=10, useful=1), source_id=number)
    assert shown(crawl, f"{YIELD} state") == [
        ("http://shop.test/s.xml", "sitemap", 1, 1, 1, 10, 0, "It redirects to www.shop.test.", "done"),
        ("http://www.shop.test/part.xml", "sitemap", 2, 2, 1, 10, 0, "", "done"),
    ]


def test_many_pages_that_say_something_are_told_in_short(crawl: HandMadeCrawl) -> None:
    first = source(crawl, "feed", "http://partner.test/feed", message="line 2: There is no address.")
    for number in range(1, 400):
        state, message = ("failed", "answered 500") if number == 399 else ("done", f"line {number}: no address")
        source(crawl, "feed", f"http://partner.test/{number}", state=state, message=message, parent_id=first)
    assert shown(crawl, "problem") == [("answered 500; 399 further pages say something else",)]


def test_a_source_read_since_the_table_was_built_is_news(crawl: HandMadeCrawl) -> None:
    crawl.add("seed", text="http://shop.test/", at=NOON)
    source(crawl, "sitemap", "http://shop.test/s.xml")
    snapshot = Snapshot(crawl.path)
    snapshot.build(TableQuery("seeds"))
    assert snapshot.newer() == 0
    crawl.connection.execute("UPDATE seed_source SET fetched = ?", (NOON + 1,))
    assert snapshot.newer() == 1
    snapshot.close()
