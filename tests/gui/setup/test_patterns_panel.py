from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gui.setup.patterns_panel import PatternsPanel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.theme import Theme

URLS = (*tuple(f"https://shop.example/calendar/{day}" for day in range(4)), "https://shop.example/p/1")


@pytest.fixture
def panel(theme: Theme, settings: CrawlSettings, qtbot: QtBot) -> PatternsPanel:
    made = PatternsPanel(theme)
    qtbot.addWidget(made)
    made.show_settings(settings)
    made.set_urls(URLS)
    return made


def test_the_test_is_live_and_says_how_many(panel: PatternsPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel._verdict.text() == "4 of 5 shown would be excluded", timeout=5000)
    panel.line.setFocus()
    panel.line.setText("/p/")
    panel.line.textEdited.emit("/p/")
    qtbot.waitUntil(lambda: panel._verdict.text() == "1 of 5 shown would be excluded", timeout=5000)


def test_typing_changes_the_draft_and_nothing_else(panel: PatternsPanel, settings: CrawlSettings) -> None:
    panel.add_button.click()
    panel.line.textEdited.emit("/*?sort=")
    applied = panel.apply_to(settings)
    assert applied.scope.exclude == ("/calendar/", "/*?sort=")
    assert applied.scope.include == ()


def test_an_empty_row_is_not_applied(panel: PatternsPanel, settings: CrawlSettings) -> None:
    panel.add_button.click()
    assert panel.apply_to(settings) == settings


def test_a_removed_pattern_is_gone(panel: PatternsPanel, settings: CrawlSettings, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.changed):
        panel.remove_button.click()
    assert panel.apply_to(settings).scope.exclude == ()


def test_a_bad_pattern_is_told_beside_it(panel: PatternsPanel, qtbot: QtBot) -> None:
    panel.line.textEdited.emit("re:(")
    qtbot.waitUntil(lambda: "not valid" in panel._problem.text(), timeout=5000)


def test_a_proposed_pattern_is_added_once_and_chosen(panel: PatternsPanel, settings: CrawlSettings) -> None:
    panel.add("scope.exclude", "/trap/")
    panel.add("scope.exclude", "/trap/")
    assert panel.apply_to(settings).scope.exclude == ("/calendar/", "/trap/")
    assert panel.line.text() == "/trap/"


def test_includes_have_a_list_of_their_own(panel: PatternsPanel, settings: CrawlSettings) -> None:
    panel.add("scope.include", "/p/")
    applied = panel.apply_to(settings)
    assert (applied.scope.include, applied.scope.exclude) == (("/p/",), ("/calendar/",))
