"""A table as it is being looked at while another connection writes."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

import apsw
import pytest

from core.store.names import UrlState
from core.store.read.snapshot import Interrupted, Snapshot
from core.store.read.tables import TableQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.hand_made_crawl import HandMadeCrawl

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def snapshot(crawl: HandMadeCrawl) -> Iterator[Snapshot]:
    opened = Snapshot(crawl.path)
    yield opened
    opened.close()


def fill(crawl: HandMadeCrawl, count: int) -> None:
    chance = random.Random(1)
    crawl.connection.execute("BEGIN")
    for number in range(count):
        crawl.page(f"/{number:05}", bytes=chance.choice((None, 1, 2, 3)) or 0, title=chance.choice(("", "a", "B")))
    crawl.connection.execute("COMMIT")


@pytest.mark.parametrize("order", [None, ("title", False), ("bytes", True), ("url", True)])
def test_pages_together_are_the_whole_order(
    crawl: HandMadeCrawl, snapshot: Snapshot, order: tuple[str, bool] | None
) -> None:
    fill(crawl, 500)
    query = TableQuery("urls", order=order)
    count = snapshot.build(query)
    paged = [row for start in range(0, count, 7) for row in snapshot.page(start, 7)]
    assert count == 500
    assert paged == snapshot.page(0, count) == snapshot.first(query, 1000)
    assert len({row.key for row in paged}) == 500


def test_page_ends_where_the_rows_end(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    assert snapshot.page(0) == []
    fill(crawl, 10)
    snapshot.build(TableQuery("urls"))
    assert [len(snapshot.page(start, 4)) for start in (0, 8, 10, 99)] == [4, 2, 0, 0]


def test_what_comes_later_is_counted_and_moves_nothing(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    fill(crawl, 5)
    query = TableQuery("urls", search="shop.test/0", order=("url", True))
    snapshot.build(query)
    before = snapshot.page(0)
    crawl.url("/00009")
    crawl.url("/elsewhere")
    assert snapshot.page(0) == before
    assert snapshot.newer() == 1
    assert snapshot.build(query) == 6
    assert snapshot.newer() == 0


def test_cells_are_as_they_are_now(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    number = crawl.url("/a")
    snapshot.build(TableQuery("urls", columns=("state",)))
    crawl.connection.execute("UPDATE url SET state = ? WHERE id = ?", (int(UrlState.DONE), number))
    assert snapshot.page(0)[0].cells == ("done",)


def test_row_that_is_gone_keeps_its_place(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    for path in ("/a", "/b", "/c"):
        crawl.url(path)
    snapshot.build(TableQuery("urls", columns=("url",)))
    crawl.connection.execute("DELETE FROM url WHERE id = 2")
    assert [row.cells for row in snapshot.page(0)] == [("http://shop.test/a",), (None,), ("http://shop.test/c",)]


def test_links_written_later_are_newer(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    page = crawl.page("/a")
    crawl.add("capture", url_id=page, run=1, at=1, outcome="ok")
    crawl.add("link", source=page, target=page)
    snapshot.build(TableQuery("links"))
    other = crawl.page("/b")
    crawl.add("capture", url_id=other, run=1, at=2, outcome="ok")
    crawl.add("link", source=other, target=page)
    assert snapshot.newer() == 1


def test_first_look_at_many_rows_is_a_glimpse_in_order(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    fill(crawl, 6_000)
    rows = snapshot.first(TableQuery("urls", order=("url", True), columns=("url",)), 3)
    assert [row.cells[0] for row in rows] == [f"http://shop.test/{number:05}" for number in (4999, 4998, 4997)]


def test_crawl_cannot_be_changed_through_a_snapshot(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    crawl.url("/a")
    snapshot.build(TableQuery("urls"))
    with pytest.raises(apsw.ReadOnlyError):
        snapshot._connection.execute("DELETE FROM url")


def test_interrupt_cuts_work_short_and_the_next_query_works(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    crawl.url("/a")
    begun = threading.Event()

    def note() -> bool:
        begun.set()  # for certain: the endless query ends only by the interrupt
        return False

    snapshot._connection.set_progress_handler(note, 1000)

    def interrupt() -> None:
        begun.wait(30)
        snapshot.interrupt()

    other = threading.Thread(target=interrupt)
    other.start()
    with pytest.raises(Interrupted), snapshot._reading():
        snapshot._all(ENDLESS)
    other.join()
    assert snapshot.build(TableQuery("urls")) == 1


def test_held_snapshot_does_not_see_what_is_committed_meanwhile(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    crawl.url("/a")
    with snapshot.held():
        assert snapshot.build(TableQuery("urls")) == 1
        crawl.url("/b")
        assert snapshot.build(TableQuery("urls")) == 1
    assert snapshot.build(TableQuery("urls")) == 2


def test_cancelled_work_raises_interrupted(crawl: HandMadeCrawl, snapshot: Snapshot) -> None:
    with pytest.raises(Interrupted), snapshot.held(lambda: True), snapshot._reading():
        snapshot._all(ENDLESS)
    assert snapshot.build(TableQuery("urls")) == 0
