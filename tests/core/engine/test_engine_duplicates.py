"""Pages that say the same, crawled for real: what is stored of them, and what the table of duplicates makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Pages
from core.store.read.columns import TableQuery
from core.store.read.snapshot import Snapshot
from tests.core.engine.crawl import Crawl, quick
from tests.core.engine.scripted_site import ScriptedSite, page

if TYPE_CHECKING:
    from pathlib import Path

WORDS = " ".join(f"word{number}" for number in range(300))


def article(words: str, menu: str = "home shop contact") -> bytes:
    return f"<html><body><nav>{menu}</nav><main>{words}</main></body></html>".encode()


def duplicates(crawl: Crawl) -> dict[str, tuple[object, ...]]:
    snapshot = Snapshot(crawl.path)
    try:
        snapshot.build(TableQuery("duplicates", columns=("url", "kind", "first", "distance")))
        found = [row.cells for row in snapshot.page(0)]
    finally:
        snapshot.close()
    return {str(cells[0]).rpartition("/")[2]: cells[1:] for cells in found}


def test_near_pages_are_found_by_their_own_words_whatever_their_menus(tmp_path: Path) -> None:
    with ScriptedSite() as site:
        site.answers["/"] = page("/a", "/b", "/c")
        site.answers["/a"] = article(f"{WORDS} printed on 3 May")
        site.answers["/b"] = article(f"{WORDS} printed on 4 May", menu="another menu " * 40)
        site.answers["/c"] = article(" ".join(reversed(WORDS.split())))
        crawl = Crawl(tmp_path, quick(f"{site.root}/"))
        crawl.run()
        found = duplicates(crawl)
        assert found.keys() == {"a", "b"}
        kind, first, distance = found["b"] if found["b"][0] == "near" else found["a"]
        assert kind == "near"
        assert str(first).startswith(site.root)
        assert isinstance(distance, int)
        assert 0 < distance <= 6


def test_crawl_that_does_not_look_for_near_pages_stores_no_hash(tmp_path: Path) -> None:
    with ScriptedSite({"/": article(WORDS)}) as site:
        crawl = Crawl(tmp_path, quick(f"{site.root}/", pages=Pages(near_duplicates=-1)))
        crawl.run()
        assert crawl.rows("SELECT simhash FROM page") == [(None,)]
