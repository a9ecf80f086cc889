"""From a row to the windows beside the window: Explain URL, and the robots tester for a version of a robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QDesktopServices

from gui.tables import choices
from gui.tables.table_view import TableView
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.tables.choices import Shown
    from gui.tables.grid import Grid
    from gui.theme import Theme


def view_of(qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, shown: Shown) -> TableView:
    """One table on the crawl, its first row chosen."""
    view = TableView(theme, preferences, (shown,))
    qtbot.addWidget(view)
    view.show()
    view.set_crawl(opened)
    (panel,) = view.panels
    qtbot.waitUntil(lambda: panel.source.stands and panel.model.row(0) is not None, timeout=5000)
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    return view


def words(grid: Grid) -> list[str]:
    return [action.text().replace("&", "") for action in grid.menu().actions() if not action.isSeparator()]


def test_a_known_and_a_refused_url_are_explained(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl
) -> None:
    made.add("refused", key=1, url="http://shop.test/deep", reason="depth", word="depth", depth=9, at=NOON)
    for shown, address in ((choices.URLS, "http://shop.test/nine"), (choices.REFUSED, "http://shop.test/deep")):
        view = view_of(qtbot, theme, preferences, opened, shown)
        grid = view.panels[0].grid
        assert "Explain URL…" in words(grid)
        assert "Try in the robots tester…" not in words(grid)
        with qtbot.waitSignal(view.explain_wanted) as wanted:
            grid._explain.trigger()
        assert wanted.args == [address]


def test_the_browser_is_opened_by_the_command_alone_and_the_menu_says_where_it_goes(
    qtbot: QtBot,
    theme: Theme,
    preferences: Preferences,
    opened: OpenCrawl,
    made: HandMadeCrawl,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browsed: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: browsed.append(url.toString()))
    view = view_of(qtbot, theme, preferences, opened, choices.URLS)
    grid = view.panels[0].grid
    assert "Open shop.test in browser" in words(grid)
    grid.doubleClicked.emit(grid.currentIndex())
    grid.activated.emit(grid.currentIndex())
    assert browsed == []
    grid._browse.trigger()
    assert browsed == ["http://shop.test/nine"]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://shop.test/"]
)
def test_no_other_address_reaches_the_browser(
    address: str,
    qtbot: QtBot,
    theme: Theme,
    preferences: Preferences,
    opened: OpenCrawl,
    made: HandMadeCrawl,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browsed: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: browsed.append(url.toString()))
    made.add("refused", key=1, url=address, reason="scope", word="scope", depth=9, at=NOON)
    view = view_of(qtbot, theme, preferences, opened, choices.REFUSED)
    grid = view.panels[0].grid
    assert grid.address() == address
    assert "Open in browser" in words(grid)
    assert not grid._browse.isEnabled()
    grid._on_browse()
    assert browsed == []


def test_a_version_of_a_robots_txt_is_tried(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl, made: HandMadeCrawl
) -> None:
    version = made.add(
        "robots_version",
        id=41,
        origin_id=1,
        first_seen=NOON,
        last_seen=NOON,
        status=200,
        hash=b"h",
        body=b"Disallow: /",
    )
    view = view_of(qtbot, theme, preferences, opened, choices.ROBOTS)
    grid = view.panels[0].grid
    assert "Try in the robots tester…" in words(grid)
    with qtbot.waitSignal(view.robots_wanted) as wanted:
        grid._try_robots.trigger()
    assert wanted.args == [version]
