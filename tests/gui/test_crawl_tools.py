"""Explain URL and the robots tester open for the crawl that is shown, from the menu and from the rows of the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMainWindow

from gui.crawl_page import CrawlPage
from gui.crawl_tools import CrawlTools
from gui.explain.dialog import ExplainDialog
from gui.menu import Menu
from gui.open_crawls import OpenCrawls
from gui.robots.tester import RobotsTester
from gui.tables.table_view import TableView

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme

LIMIT = 10_000


class Place(QMainWindow):
    """A window with nothing but what the tools need."""

    def __init__(self, theme: Theme, preferences: Preferences) -> None:
        super().__init__()
        self.crawls = OpenCrawls(self)
        self.commands = Menu(self, [])
        self.page = CrawlPage(theme, preferences)
        self.setCentralWidget(self.page)
        self.tools = CrawlTools(self, theme, self.crawls, self.commands, self.page)


@pytest.fixture
def place(theme: Theme, preferences: Preferences, crawl_file: Path, qtbot: QtBot) -> Iterator[Place]:
    made = Place(theme, preferences)
    qtbot.addWidget(made)
    crawl = made.crawls.show(crawl_file)
    assert crawl is not None
    qtbot.waitUntil(lambda: crawl.settings is not None and crawl.status is not None, timeout=LIMIT)
    yield made
    made.crawls.close()


def test_a_row_of_a_table_is_explained(place: Place) -> None:
    place.page.views["urls"].explain_wanted.emit("https://shop.example/p")
    (dialog,) = place.findChildren(ExplainDialog)
    assert dialog.isVisible()
    assert dialog.field.text() == "https://shop.example/p"


def test_the_menu_opens_both_windows(place: Place) -> None:
    place.commands.explain.trigger()
    place.commands.robots_tester.trigger()
    assert place.findChildren(ExplainDialog)[0].field.text() == ""
    assert place.findChildren(RobotsTester)[0].isVisible()
    assert place.commands.explain.shortcut().toString() == "Ctrl+E"


def test_the_keys_explain_the_row_that_has_the_focus(
    place: Place, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = place.page.views["urls"]
    assert isinstance(view, TableView)
    grid = view.panels[0].grid
    monkeypatch.setattr(place, "focusWidget", lambda: grid)
    monkeypatch.setattr(grid, "address", lambda: "https://shop.example/row")
    place.commands.explain.trigger()
    assert place.findChildren(ExplainDialog)[0].field.text() == "https://shop.example/row"


def test_without_a_crawl_there_is_nothing_to_explain(place: Place) -> None:
    place.tools.enable(None)
    assert not place.commands.explain.isEnabled()
    place.crawls.show(None)
    place.tools.explain("https://shop.example/")
    assert place.findChildren(ExplainDialog) == []
