"""The setup as a whole: a draft beside what is in force, applied whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from core.settings import CrawlSettings, Scope
from core.store.wishes import Wishes
from gui.setup.setup_view import SetupView

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.theme import Theme

LIMIT = 8000


@pytest.fixture
def setup(theme: Theme, preferences: Preferences, crawl: OpenCrawl, qtbot: QtBot) -> SetupView:
    view = SetupView(theme, preferences)
    qtbot.addWidget(view)
    view.set_crawl(crawl)
    settle(view, qtbot)
    return view


def settle(view: SetupView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not view.seeds.is_settling() and not view.toml.is_settling(), timeout=LIMIT)
    qtbot.waitUntil(lambda: view._verdict is not None and view._verdict.draft is view.draft, timeout=LIMIT)


def type_budget(view: SetupView, text: str) -> None:
    editor = view.budgets.fields["budgets.max_pages"].editor
    editor.setText(text)  # type: ignore[union-attr]  # an amount is typed into a line
    editor.textEdited.emit(text)  # type: ignore[union-attr]


def test_an_opened_crawl_shows_what_is_in_force(setup: SetupView, settings: CrawlSettings) -> None:
    assert setup.draft == settings
    assert not setup.has_unsaved()
    assert not setup.apply_button.isEnabled()


def test_nothing_reaches_the_file_before_apply_and_then_all_of_it_does(
    setup: SetupView, crawl: OpenCrawl, settings: CrawlSettings, qtbot: QtBot
) -> None:
    type_budget(setup, "500 pages")
    setup.patterns.add("scope.exclude", "/trap/")
    settle(setup, qtbot)
    assert crawl.settings == settings
    with qtbot.waitSignal(crawl.settings_changed, timeout=LIMIT):
        setup.apply_button.click()
    assert crawl.settings is not None
    assert crawl.settings.budgets.max_pages == 500
    assert crawl.settings.scope.exclude == ("/calendar/", "/trap/")
    assert not setup.has_unsaved()


def test_an_apply_right_after_typing_takes_the_last_letter_with_it(
    setup: SetupView, crawl: OpenCrawl, qtbot: QtBot
) -> None:
    type_budget(setup, "5")
    with qtbot.waitSignal(crawl.settings_changed, timeout=LIMIT):
        setup.seeds.editor.appendPlainText("https://late.example/")
        setup.apply_button.click()
    assert crawl.settings is not None
    assert crawl.settings.seeds.urls == ("https://shop.example/", "https://late.example/")
    assert crawl.settings.budgets.max_pages == 5


def test_settings_with_an_error_cannot_be_applied(setup: SetupView, crawl: OpenCrawl, qtbot: QtBot) -> None:
    setup.patterns.add("scope.exclude", "re:(")
    settle(setup, qtbot)
    assert setup.has_unsaved()
    assert not setup.apply_button.isEnabled()
    assert "not valid" in setup._status.text()


def test_revert_shows_what_is_in_force(setup: SetupView, settings: CrawlSettings, qtbot: QtBot) -> None:
    type_budget(setup, "nonsense")
    setup.patterns.add("scope.exclude", "/trap/")
    settle(setup, qtbot)
    setup.revert_button.click()
    settle(setup, qtbot)
    assert setup.draft == settings
    assert not setup.has_unsaved()
    assert setup.patterns.rows.texts == ("/calendar/",)


def test_fields_and_text_are_one_draft(setup: SetupView, qtbot: QtBot) -> None:
    type_budget(setup, "77")
    setup.select_page(4)
    assert "max_pages = 77" in setup.toml.editor.toPlainText()
    with qtbot.waitSignal(setup.toml.changed, timeout=LIMIT):
        setup.toml.editor.setPlainText(
            'name = "T"\n[seeds]\nurls = ["https://t.example/"]\n[budgets]\nmax_pages = 88\n'
        )
    assert setup.draft is not None
    assert setup.draft.name == "T"
    assert setup.budgets.fields["budgets.max_pages"].value() == 88
    assert setup.seeds.editor.toPlainText() == "https://t.example/"


def test_a_text_with_an_error_names_its_line_and_blocks_apply(setup: SetupView, qtbot: QtBot) -> None:
    setup.select_page(4)
    with qtbot.waitSignal(setup.toml.changed, timeout=LIMIT):
        setup.toml.editor.setPlainText('[seeds]\nurls = ["https://t.example/"]\n[budgets]\nmax_pagse = 88\n')
    assert "max_pages" in setup.toml.editor.marks[4].message
    assert not setup.apply_button.isEnabled()


def test_settings_from_elsewhere_leave_a_draft_in_work_alone(
    setup: SetupView, crawl: OpenCrawl, crawl_file: Path, settings: CrawlSettings, qtbot: QtBot
) -> None:
    type_budget(setup, "9")
    wishes = Wishes(crawl_file)
    with qtbot.waitSignal(crawl.settings_changed, timeout=LIMIT):
        wishes.set_settings(msgspec.structs.replace(settings, name="Elsewhere"))
    wishes.close()
    assert setup.draft is not None
    assert setup.draft.budgets.max_pages == 9
    setup.revert_button.click()
    assert setup.draft.name == "Elsewhere"


def test_a_draft_waits_while_another_crawl_is_looked_at(setup: SetupView, crawl: OpenCrawl, qtbot: QtBot) -> None:
    type_budget(setup, "9")
    setup.set_crawl(None)
    assert setup.has_unsaved()
    setup.set_crawl(crawl)
    settle(setup, qtbot)
    assert setup.draft is not None
    assert setup.draft.budgets.max_pages == 9


def test_a_profile_becomes_a_draft_and_is_not_in_force(
    setup: SetupView, crawl: OpenCrawl, settings: CrawlSettings, qtbot: QtBot
) -> None:
    setup.take(msgspec.structs.replace(settings, scope=Scope(exclude=("/a/",))))
    settle(setup, qtbot)
    assert setup.patterns.rows.texts == ("/a/",)
    assert crawl.settings == settings
    assert setup.apply_button.isEnabled()


def test_how_urls_are_compared_cannot_change_while_it_runs(setup: SetupView, crawl: OpenCrawl, qtbot: QtBot) -> None:
    crawl.status_changed.connect(setup.refresh)
    crawl.start()
    qtbot.waitUntil(lambda: setup._running, timeout=LIMIT)
    assert not setup.normalise.fields["normalise.ignore_www"].isEnabled()
    setup.select_page(4)
    with qtbot.waitSignal(setup.toml.changed, timeout=LIMIT):
        setup.toml.editor.setPlainText('[seeds]\nurls = ["https://t.example/"]\n[normalise]\nignore_www = true\n')
    settle(setup, qtbot)
    assert not setup.apply_button.isEnabled()
    assert "Stop the crawl" in setup._status.text()


def test_patterns_are_tried_on_what_the_crawl_found(setup: SetupView, crawl: OpenCrawl, qtbot: QtBot) -> None:
    found = ["https://shop.example/calendar/1", "https://shop.example/p/2"]
    crawl.reader.recent_urls = lambda limit=500: found[:limit]  # type: ignore[method-assign]  # the rows need an engine
    assert crawl.status is not None
    setup.refresh(crawl.status)
    qtbot.waitUntil(lambda: setup.patterns._verdict.text() == "1 of 2 shown would be excluded", timeout=LIMIT)


def test_what_speaks_against_a_key_stands_beside_apply(setup: SetupView, qtbot: QtBot) -> None:
    setup.records.add_button.click()
    setup.records._on_key_checked("short", "Of 3 stored pages: 1 has no sku.")
    settle(setup, qtbot)
    assert setup._status.text() == "record: Of 3 stored pages: 1 has no sku."
    setup.records.add_button.click()  # another type is looked at now, and the warning stands
    settle(setup, qtbot)
    assert setup._status.text() == "record: Of 3 stored pages: 1 has no sku."
    setup.records.list.setCurrentRow(0)
    setup.records.remove_button.click()
    settle(setup, qtbot)
    assert setup._status.text() == "Not applied yet."
