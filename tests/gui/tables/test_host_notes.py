"""What the settings say about a host stands beside its name in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import CrawlSettings, Fetch
from gui.session import OpenCrawl
from gui.tables import choices
from gui.tables.table_panel import TablePanel
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme


def test_an_exception_of_the_settings_stands_beside_its_host(
    qtbot: QtBot, theme: Theme, preferences: Preferences, tmp_path: Path
) -> None:
    path = tmp_path / "exempt.crawl"
    HandMadeCrawl(path, CrawlSettings(fetch=Fetch(untrusted_tls=("shop.test",))))
    crawl = OpenCrawl(path)
    qtbot.waitUntil(lambda: crawl.settings is not None, timeout=5000)
    panel = TablePanel(theme, preferences, choices.HOSTS)
    qtbot.addWidget(panel)
    panel.show()
    panel.set_crawl(crawl)
    qtbot.waitUntil(lambda: panel.source.stands and panel.model.row(0) is not None, timeout=5000)
    assert panel.model.index(0, 0).data() == "shop.test · certificate not checked"
    panel.grid.selectRow(0)
    qtbot.waitUntil(lambda: ("By the settings", "certificate not checked") in panel.details.facts(), timeout=5000)
    crawl.close()
    assert crawl.wait_closed()
