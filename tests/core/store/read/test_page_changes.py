"""The table of page changes: each version of a page beside the one that followed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.read.columns import TableQuery
from core.store.read.snapshot import Snapshot
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ("run", "url", "version", "old_title", "new_title", "old_hash", "new_hash")


def test_each_change_of_a_page_stands_with_what_came_before_and_after(tmp_path: Path) -> None:
    made = HandMadeCrawl(tmp_path / "shop.crawl")
    for number in (1, 2, 3):
        made.add("run", number=number, started=NOON + 100 * number)
    page = made.page("/a", title="Now", content_hash=b"\x03")
    for version, title in ((1, "First"), (2, "Second")):
        values = {"content_hash": bytes([version]), "title": title, "valid_from": NOON}
        made.add("page_version", url_id=page, version=version, valid_to=NOON + 100 * version + 150, **values)
    snapshot = Snapshot(made.path)
    assert snapshot.build(TableQuery("page_changes", order=("version", False), columns=COLUMNS)) == 2
    assert [row.cells for row in snapshot.page(0)] == [
        (2, "http://shop.test/a", 1, "First", "Second", "01", "02"),
        (3, "http://shop.test/a", 2, "Second", "Now", "02", "03"),
    ]
    snapshot.close()
