"""Pages with kept responses, for rules that are tried on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.read.kept_pages import PIECE, KeptPages
from core.store.responses import responses_path
from core.store.results import Response
from tests.small_crawl import SmallCrawl, record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def crawl(tmp_path: Path) -> SmallCrawl:
    made = SmallCrawl(tmp_path / "shop.crawl")
    (home,) = made.turn().work
    links = made.turn(made.page(home, *(f"/p/{n}" for n in range(5)), response=Response(b"h" * 16, b"{}", b"x")))
    for work in links.work:
        number = work.url.target[-1]
        if number == "4":
            made.turn(made.failure(work))
        else:
            response = Response(number.encode() * 16, b"{}", number.encode()) if number != "3" else None
            made.turn(made.page(work, parsed={"records": (record(f"K{number}", "{}"),)}, response=response))
    made.finish()
    return made


@pytest.fixture
def pages(crawl: SmallCrawl) -> Iterator[KeptPages]:
    made = KeptPages(crawl.path)
    yield made
    made.close()


def test_kept_pages_come_newest_first_piece_by_piece(pages: KeptPages) -> None:
    assert pages.total() == 4
    first = pages.piece(limit=3)
    assert [page.url for page in first] == [f"http://shop.test/p/{n}" for n in (2, 1, 0)]
    assert [page.url for page in pages.piece(first[-1].id, 3)] == ["http://shop.test/"]
    assert (first[0].status, first[0].content_type, first[0].size) == (200, "text/html", 200)


def test_what_was_answered_and_the_page_s_record_keys_are_read(pages: KeptPages) -> None:
    page = pages.piece(limit=1)[0]
    assert pages.response(page) == Response(b"2" * 16, b"{}", b"2")
    assert pages.record_keys(page.id, "product") == ("K2",)
    assert pages.record_keys(page.id, "article") == ()


def test_responses_that_were_thrown_away_are_none(crawl: SmallCrawl) -> None:
    responses_path(crawl.path).unlink()
    pages = KeptPages(crawl.path)
    assert pages.response(pages.piece(limit=1)[0]) is None
    pages.close()
    assert not responses_path(crawl.path).exists()


def test_a_piece_reads_no_more_than_itself(crawl: SmallCrawl) -> None:
    plan = [line for *_, line in crawl.ask(f"EXPLAIN QUERY PLAN {PIECE}", 100, "default", 10)]
    assert not any("TEMP B-TREE" in line for line in plan), plan
    assert "PRIMARY KEY" in plan[0]
