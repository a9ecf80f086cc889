"""At the smallest size of the window nothing stands beyond its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shiboken6 import delete

from gui.main_window import MainWindow
from gui.sample import Sample
from gui.setup.setup_view import SetupView
from gui.setup.side_by_side import SideBySide
from gui.views import VIEWS

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme


def test_every_view_fits_into_the_smallest_window(
    theme: Theme, preferences: Preferences, crawl_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window = MainWindow(theme, preferences, Sample(tmp_path / "samples"))
    theme.apply()
    window.show()
    window.open_crawl(crawl_file)
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: window.crawls.shown is not None and window.crawls.shown.status is not None, timeout=8000)
    for spec in VIEWS:
        window.page.select_view(spec.key)
        wanted, there = window.minimumSizeHint(), window.minimumSize()
        assert (spec.key, wanted.width() <= there.width(), wanted.height() <= there.height()) == (spec.key, True, True)
    with qtbot.waitSignal(window.gone, timeout=8000):
        window.close()
    delete(window)


@pytest.mark.parametrize("width", [700, 1000, 1400])
def test_columns_stand_side_by_side_only_where_both_have_room(
    width: int, theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    setup = SetupView(theme, preferences)
    qtbot.addWidget(setup)
    setup.resize(width, 600)
    setup.show()
    page = setup._pages.widget(0)
    assert isinstance(page, SideBySide)
    inner = page.widget()
    assert inner is not None
    assert inner.width() <= page.viewport().width()
    assert page.is_stacked == (width == 700)
