"""Real crawl files for the tables of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.settings import CrawlSettings, FieldRule, RecordType
from core.store.names import UrlState
from gui.session import OpenCrawl
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

PRODUCT = RecordType(
    name="product",
    match="/p/*",
    key="sku",
    fields={"sku": FieldRule(css=".sku"), "price": FieldRule(cast="number", css=".price")},
)
HOSTILE = "<img src=http://evil.test/x.png><b>\u202egnp.exe\x1b[31m\x00"


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    """Four pages with 9, 10, no and 100 bytes-worth of status, two links, one record, two log lines."""
    made = HandMadeCrawl(tmp_path / "shop.crawl", CrawlSettings(name="Shop", records=(PRODUCT,)))
    made.run()
    first = made.page("/nine", status=9, title=HOSTILE)
    made.page("/ten", status=10, title="Ten")
    blank = made.page("/blank", status=None, title="")
    hundred = made.page("/p/hundred?colour=red", UrlState.FAILED, status=100)
    made.connection.execute("UPDATE url SET found_on = ? WHERE id = ?", (first, hundred))
    for source in (first, blank):
        made.add("link", source=source, target=hundred, text="Read <b>more</b>")
    made.record("S1", '{"sku": "S1", "price": 9.5}', hundred)
    for level, kind in (("info", "start"), ("error", "page")):
        made.add("log", at=NOON, elapsed=0.0, level=level, kind=kind, message=f"A {kind}")
    return made


@pytest.fixture
def opened(qtbot: QtBot, made: HandMadeCrawl) -> Iterator[OpenCrawl]:
    crawl = OpenCrawl(made.path)
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.settings is not None, timeout=5000)
    yield crawl
    crawl.close()
    assert crawl.wait_closed()
