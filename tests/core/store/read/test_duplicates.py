"""The table of duplicates: exact copies and near pages behind the first of their group, made when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw
import pytest

from core.store.query import value
from core.store.read.columns import TableQuery
from core.store.read.duplicates import Duplicates
from core.store.read.snapshot import Interrupted, Snapshot
from core.store.read.where import parse_where
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.read.columns import Cell

COLUMNS = "url kind first members distance"
SAME, NEAR, FAR = 0b1111, 0b1011, -1
PAGES = ("/a", "/b", "/c", "/d", "/e")


@pytest.fixture
def crawl(tmp_path: Path) -> SmallCrawl:
    """/b says nearly what /a does; /c is a copy of /b; /d says something else; /e is a failed check."""
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    works = {work.url.target: work for work in crawl.turn(crawl.page(root, *PAGES)).work}
    said: dict[str, tuple[str, dict[str, Any]]] = {
        "/a": ("one", {"simhash": SAME}),
        "/b": ("two", {"simhash": NEAR}),
        "/c": ("two", {"simhash": NEAR}),
        "/d": ("four", {"simhash": FAR}),
        "/e": ("five", {"simhash": SAME, "soft_block": True}),
    }
    for path, (body, parsed) in said.items():
        crawl.turn(crawl.page(works[path], body=body, parsed=parsed))
    crawl.finish()
    return crawl


def shown(crawl: SmallCrawl, where: str = "", columns: str = COLUMNS) -> list[tuple[Cell, ...]]:
    snapshot = Snapshot(crawl.path)
    query = TableQuery("duplicates", "", parse_where(where), ("url", False), tuple(columns.split()))
    try:
        first = snapshot.first(query)
        assert snapshot.build(query) == len(first)
        assert snapshot.page(0) == first
    finally:
        snapshot.close()
    return [tuple(str(cell).removeprefix("http://shop.test") for cell in row.cells) for row in first]


def test_groups_are_shown_with_their_first_page_and_the_distance_from_it(crawl: SmallCrawl) -> None:
    assert shown(crawl) == [
        ("/a", "first", "/a", "3", "0"),
        ("/b", "near", "/a", "3", "1"),
        ("/c", "copy", "/a", "3", "1"),
    ]
    assert shown(crawl, "kind = copy", "url duplicate_of differing_percent") == [("/c", "/b", "0.1")]


def test_copy_of_a_copy_and_a_ring_of_copies_are_one_group_each(crawl: SmallCrawl) -> None:
    connection = apsw.Connection(str(crawl.path))
    numbers = dict(connection.execute("SELECT path, id FROM url"))
    for page, of in (("/d", "/c"), ("/a", "/e"), ("/e", "/a")):
        sql = "UPDATE page SET duplicate_of = ?, simhash = NULL, soft_block = 0 WHERE url_id = ?"
        connection.execute(sql, (numbers[of], numbers[page]))
    connection.close()
    assert shown(crawl, columns="url kind first") == [
        *(("/a", "first", "/a"), ("/b", "first", "/b"), ("/c", "copy", "/b"), ("/d", "copy", "/b")),
        ("/e", "copy", "/a"),
    ]


def test_another_distance_needs_no_new_crawl(crawl: SmallCrawl) -> None:
    crawl.open()
    crawl.change(settings_of(pages={"near_duplicates": -1}))
    crawl.finish()
    assert shown(crawl) == [("/b", "first", "/b", "2", "0"), ("/c", "copy", "/b", "2", "0")]


def test_table_does_not_change_the_file(crawl: SmallCrawl) -> None:
    shown(crawl)
    assert crawl.one("SELECT count(*) FROM sqlite_schema WHERE name = 'duplicate'") == 0


def test_table_that_stands_is_made_again_when_the_file_has_changed_and_some_time_is_over(crawl: SmallCrawl) -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 1.0  # making it takes a while
        return now[0]

    snapshot = Snapshot(crawl.path)
    connection = snapshot._connection
    connection.execute("PRAGMA query_only=0")
    duplicates = Duplicates(connection, clock)

    def count(distance: int) -> int:
        assert duplicates.make(distance, lambda: True)
        found: int = value(connection, "SELECT count(*) FROM temp.duplicate")
        return found

    assert (count(6), count(0)) == (3, 2)
    crawl.open()
    crawl.finish()
    crawl_changes(crawl)
    assert count(0) == 2
    now[0] += 100.0
    assert count(0) == 3
    snapshot.close()


def crawl_changes(crawl: SmallCrawl) -> None:
    connection = apsw.Connection(str(crawl.path))
    connection.execute("UPDATE page SET simhash = ? WHERE simhash = ?", (NEAR, SAME))
    connection.close()


def test_table_that_is_cut_short_says_so(crawl: SmallCrawl) -> None:
    snapshot = Snapshot(crawl.path)
    query = TableQuery("duplicates")
    with pytest.raises(Interrupted), snapshot.held(lambda: True):
        snapshot.build(query)
    assert snapshot.build(query) == 3
    snapshot.close()
