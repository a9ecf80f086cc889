"""The window: crawls opened, started, stopped and closed, and what goes wrong told in it."""

from __future__ import annotations

import dataclasses
import sqlite3
from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

from core.store.crawl_file import create
from core.store.rows import AlarmRow
from gui.closing import CloseChoice
from gui.dialogs.again import AgainChoice
from gui.dialogs.question import Question
from gui.engine_process import Purpose
from gui.main_window import MainWindow
from gui.preferences import KnownCrawl
from gui.sample import Sample
from gui.sidebar.glance import from_status
from gui.theme import ThemeChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.theme import Theme

LIMIT = 8000


@pytest.fixture
def window(theme: Theme, preferences: Preferences, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    made = MainWindow(theme, preferences, Sample(tmp_path / "samples"))
    made.show()
    yield made
    for crawl in made.crawls.with_engines:
        crawl.engine.kill()
    qtbot.waitUntil(lambda: not made.crawls.with_engines, timeout=LIMIT)
    if made.isVisible():
        made.page.show_crawl(None, "")
        made.setup._kept.clear()
        with qtbot.waitSignal(made.gone, timeout=LIMIT):
            made.close()
    delete(made)  # else every later change of the style polishes all windows of all tests


@pytest.fixture
def opened(window: MainWindow, crawl_file: Path, stand_in: Callable[..., list[str]], qtbot: QtBot) -> OpenCrawl:
    assert window.open_crawl(crawl_file)
    crawl = window.crawls.shown
    assert crawl is not None
    crawl.engine._command = stand_in
    qtbot.waitUntil(lambda: crawl.status is not None, timeout=LIMIT)
    return crawl


def fault_of(window: MainWindow) -> str:
    dialog = window.findChildren(Question)[-1]
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def running(crawl: OpenCrawl, qtbot: QtBot) -> None:
    crawl.start()
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.status.state == "running", timeout=LIMIT)


def test_a_first_start_shows_what_to_do(window: MainWindow) -> None:
    assert window._stack.currentWidget() is window.welcome
    assert window.welcome.new_button.hasFocus() or window.welcome.new_button.isVisible()
    assert not window.menu.start.isEnabled()


def test_an_opened_crawl_is_shown_and_remembered(window: MainWindow, opened: OpenCrawl) -> None:
    assert window._stack.currentWidget() is window.page
    assert window.known.crawls == (KnownCrawl(opened.path),)
    assert window.page.header.start_button.isEnabled()
    assert not window.page.header.kill_button.isEnabled()


@pytest.mark.parametrize("kind", ["text", "database", "missing"])
def test_a_wrong_file_is_told_and_what_is_shown_stays(
    kind: str, window: MainWindow, opened: OpenCrawl, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.crawl"
    if kind == "text":
        wrong.write_text("hello " * 100)
    elif kind == "database":
        sqlite3.connect(wrong).executescript("CREATE TABLE a(b); INSERT INTO a VALUES (1);").close()
    before = wrong.read_bytes() if wrong.exists() else b""
    assert not window.open_crawl(wrong)
    assert window.crawls.shown is opened
    assert window.known.crawls == (KnownCrawl(opened.path),)
    assert "wrong.crawl" in fault_of(window)
    assert (wrong.read_bytes() if wrong.exists() else b"") == before


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [(AgainChoice.EVERYTHING, Purpose.EVERYTHING), (AgainChoice.DUE, Purpose.DUE), (AgainChoice.NOT_NOW, None)],
)
def test_a_finished_crawl_asks_what_to_crawl_again(
    answer: str,
    wanted: Purpose | None,
    window: MainWindow,
    opened: OpenCrawl,
    stand_in: Callable[..., list[str]],
    qtbot: QtBot,
) -> None:
    purposes: list[Purpose] = []

    def command(path: Path, purpose: Purpose) -> list[str]:
        purposes.append(purpose)
        return stand_in(path)

    opened.engine._command = command
    assert opened.status is not None
    opened._on_status_read(dataclasses.replace(opened.status, state="finished", run=1))
    assert window.page.header.start_button.text() == "Crawl again…"
    window.page.header.start_button.click()
    qtbot.waitUntil(lambda: bool(window.findChildren(Question)), timeout=LIMIT)
    window.findChildren(Question)[-1].buttons[answer].click()
    assert purposes == ([wanted] if wanted else [])


def test_a_crash_is_no_longer_told_when_the_crawl_runs_again(
    window: MainWindow, opened: OpenCrawl, qtbot: QtBot
) -> None:
    opened.error_raised.emit("The engine ended unexpectedly.")
    assert window.page.banner.isVisible()
    running(opened, qtbot)
    assert not window.page.banner.isVisible()


def test_start_runs_an_engine_and_the_buttons_follow(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    window.page.header.start_button.click()
    assert not window.page.header.start_button.isEnabled()
    qtbot.waitUntil(window.page.header.stop_button.isEnabled, timeout=LIMIT)
    assert window.menu.kill.isEnabled()
    assert window.sidebar.crawls.index(0).data() == "Shop"


def test_a_kill_asks_first(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    running(opened, qtbot)
    window.page.header.kill_button.click()
    question = window.findChildren(Question)[-1]
    question.reject()
    assert opened.engine.is_ours
    window.page.header.kill_button.click()
    with qtbot.waitSignal(opened.engine.ended, timeout=LIMIT):
        window.findChildren(Question)[-1].buttons["kill"].click()


def test_a_running_crawl_stays_open_while_another_is_shown(
    window: MainWindow, opened: OpenCrawl, tmp_path: Path, settings: CrawlSettings, qtbot: QtBot
) -> None:
    other = tmp_path / "other.crawl"
    create(other, msgspec.structs.replace(settings, name="Other"))
    running(opened, qtbot)
    assert window.open_crawl(other)
    assert window.crawls.with_engines == (opened,)
    assert window.open_crawl(opened.path)
    assert window.crawls.shown is opened
    assert other not in window.crawls.paths


def test_closing_asks_what_becomes_of_a_running_engine(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    running(opened, qtbot)
    window.close()
    question = window.findChildren(Question)[-1]
    question.reject()
    assert window.isVisible()
    assert opened.engine.is_ours
    window.close()
    question = window.findChildren(Question)[-1]
    question.remember.setChecked(True)
    with qtbot.waitSignal(opened.engine.ended, timeout=LIMIT) as ended:
        question.buttons["drain"].click()
    assert ended.args is not None
    assert ended.args[0] == 0
    assert window._preferences.close_choice is CloseChoice.DRAIN
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LIMIT)


def test_closing_with_a_draft_asks_first(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.setup.draft is not None, timeout=LIMIT)
    window.setup.patterns.add("scope.exclude", "/trap/")
    window.close()
    assert window.isVisible()
    window.findChildren(Question)[-1].buttons["stay"].click()
    assert window.isVisible()


def test_an_alarms_pattern_is_proposed_in_setup(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.setup.draft is not None, timeout=LIMIT)
    window.page.banner.exclude_wanted.emit("/calendar/*")
    assert window.page.header.tabs.tabText(window.page.header.tabs.currentIndex()) == "Setup"
    assert "/calendar/*" in window.setup.patterns.rows.texts


def test_the_theme_of_the_menu_is_remembered(window: MainWindow, preferences: Preferences) -> None:
    window.menu.themes[ThemeChoice.DARK].trigger()
    assert preferences.theme is ThemeChoice.DARK


def test_every_command_and_view_can_be_reached_by_keyboard(window: MainWindow) -> None:
    assert all("&" in action.text() or not action.shortcut().isEmpty() for action in window.menu.all_actions())
    assert [action.shortcut().toString() for action in window.menu.views] == [
        f"Ctrl+{number}" for number in range(1, len(window.menu.views) + 1)
    ]


def test_a_moved_file_keeps_its_group(
    window: MainWindow, preferences: Preferences, crawl_file: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone.crawl"
    preferences.remember(gone, "News")
    window._on_located(gone, crawl_file)
    assert window.known.crawls == (KnownCrawl(crawl_file, "News"),)


def test_the_sample_opens_with_its_site_up_and_again(window: MainWindow, qtbot: QtBot) -> None:
    from urllib.request import urlopen

    assert window.open_sample()
    crawl = window.crawls.shown
    assert crawl is not None
    qtbot.waitUntil(lambda: crawl.settings is not None, timeout=LIMIT)
    assert crawl.settings is not None
    with urlopen(crawl.settings.seeds.urls[0], timeout=10) as page:  # noqa: S310  # loopback
        assert page.status == 200
    assert window.open_sample()
    assert window.crawls.shown is crawl


def test_it_fits_a_small_screen(window: MainWindow, opened: OpenCrawl) -> None:
    window.resize(1280, 760)
    assert window.minimumSizeHint().width() <= 1280
    assert window.minimumSizeHint().height() <= 760


def test_closing_asks_nothing_about_an_engine_that_has_done_its_work(
    window: MainWindow, opened: OpenCrawl, qtbot: QtBot
) -> None:
    running(opened, qtbot)
    assert opened.status is not None
    opened._on_status_read(dataclasses.replace(opened.status, state="finished"))
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LIMIT)
    assert not window.findChildren(Question)


def test_a_scheduled_run_begins_by_itself_and_can_be_switched_off(
    window: MainWindow, opened: OpenCrawl, qtbot: QtBot
) -> None:
    assert opened.status is not None
    assert window.menu.scheduled.isChecked()
    purposes: list[Purpose] = []
    stand_in = opened.engine._command

    def command(path: Path, purpose: Purpose) -> list[str]:
        purposes.append(purpose)
        return list(stand_in(path, purpose))

    opened.engine._command = command
    glance = dataclasses.replace(from_status(opened.path, opened.status), state="finished", next_run=1.0, rests=True)
    window.menu.scheduled.trigger()
    window._schedule.see(glance)
    window._schedule.look()
    assert purposes == []
    window.menu.scheduled.trigger()
    window._schedule.see(glance)
    window._schedule.look()
    qtbot.waitUntil(lambda: opened.engine.is_ours, timeout=LIMIT)
    assert purposes == [Purpose.DUE]


def test_one_click_confirms_that_what_vanished_is_gone(window: MainWindow, opened: OpenCrawl, qtbot: QtBot) -> None:
    purposes: list[Purpose] = []
    stand_in = opened.engine._command

    def command(path: Path, purpose: Purpose) -> list[str]:
        purposes.append(purpose)
        return list(stand_in(path, purpose))

    opened.engine._command = command
    window.page.banner.set_alarms((AlarmRow(1, "vanished", "", "shop.test", "30 of 30 pages.", 0.0),))
    window.page.banner._offer.click()
    qtbot.waitUntil(lambda: purposes == [Purpose.WISHES], timeout=LIMIT)
    with sqlite3.connect(opened.path) as connection:
        assert connection.execute("SELECT kind, done FROM wish").fetchall() == [("confirm", None)]
    connection.close()
