"""Files that cannot be used as they are: a clear sentence, an offer, and what becomes of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

from core.store.crawl_file import create
from core.store.folders import MARKERS
from gui.dialogs.question import Question
from gui.files import remedies
from gui.files.standing import COPY, UPDATE, standing_of
from gui.files.work_dialog import WorkDialog
from gui.main_window import MainWindow
from gui.sample import Sample
from tests.small_crawl import SmallCrawl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.preferences import Preferences
    from gui.theme import Theme

LIMIT = 8000
HOLD_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA locking_mode=EXCLUSIVE")
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def window(theme: Theme, preferences: Preferences, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    preferences.set_folder(tmp_path)
    made = MainWindow(theme, preferences, Sample(tmp_path / "samples"))
    made.show()
    yield made
    with qtbot.waitSignal(made.gone, timeout=LIMIT):
        made.close()
    delete(made)


def asked(window: MainWindow, qtbot: QtBot) -> Question:
    """The question that is open, once it is."""
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(Question)), timeout=LIMIT)
    return next(each for each in window.findChildren(Question) if each.isVisible())


def words(question: Question) -> str:
    return " ".join(label.text() for label in question.findChildren(QLabel))


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.crawls.shown is not None and window.crawls.shown.status is not None, timeout=LIMIT)


def set_version(path: Path, version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_a_file_with_a_trigger_is_not_shown_and_its_rows_are_offered(
    window: MainWindow, crawl_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    connection = sqlite3.connect(crawl_file)
    connection.execute("CREATE TRIGGER t AFTER INSERT ON log BEGIN SELECT 1; END")
    connection.commit()
    connection.close()
    window.open_crawl(crawl_file)
    question = asked(window, qtbot)
    assert "other tables" in words(question)
    assert "nothing starts by itself" in words(question)
    assert window.crawls.shown is None
    question.buttons["close"].click()
    window._remedies.salvage(crawl_file, tmp_path / "new.crawl")
    report = asked(window, qtbot)
    assert "The new file is a consistent crawl." in words(report)
    report.buttons["open"].click()
    settled(window, qtbot)
    assert window.crawls.shown is not None
    assert window.crawls.shown.path == tmp_path / "new.crawl"
    assert window.crawls.shown.status is not None
    assert window.crawls.shown.status.state == "idle"


def test_a_damaged_file_is_rescued_under_a_name_that_is_free(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    crawl = SmallCrawl(tmp_path / "torn.crawl")
    crawl.crawl({"/": ["/a", "/b"]})
    crawl.finish()
    whole = crawl.path.read_bytes()
    crawl.path.write_bytes(whole[: len(whole) - 8192])
    (tmp_path / "torn rescued.crawl").touch()
    assert not window.open_crawl(crawl.path)
    question = asked(window, qtbot)
    assert "shorter than it says" in words(question)
    assert "salvage" in question.buttons
    question.buttons["close"].click()
    window._remedies.salvage(crawl.path, tmp_path / "rescued.crawl")
    assert "rescued from" in words(asked(window, qtbot))
    assert crawl.path.read_bytes() == whole[: len(whole) - 8192]


def test_a_newer_file_is_looked_at_and_never_started(window: MainWindow, crawl_file: Path, qtbot: QtBot) -> None:
    set_version(crawl_file, 99)
    before = crawl_file.read_bytes()
    assert window.open_crawl(crawl_file)
    settled(window, qtbot)
    assert "later version" in window.page.banner._title.text()
    assert window.page.banner._offer.text() == "Save a copy…"
    assert not window.page.header.start_button.isEnabled()
    assert not window.menu.start.isEnabled()
    assert crawl_file.read_bytes() == before


def test_a_file_under_two_names_and_one_in_a_synchronised_folder_are_told(
    crawl_file: Path, tmp_path: Path, settings: CrawlSettings
) -> None:
    assert standing_of(crawl_file) is None
    os.link(crawl_file, tmp_path / "other.crawl")
    found = standing_of(crawl_file)
    assert found is not None
    assert "several names" in found.title
    folder = tmp_path / "cloud"
    folder.mkdir()
    (folder / next(iter(MARKERS))).mkdir()
    create(folder / "a.crawl", settings)
    shared = standing_of(folder / "a.crawl")
    assert shared is not None
    assert "synchronises" in shared.title
    assert (shared.offer.key, shared.runs) == (COPY, False)


def test_a_file_that_cannot_be_written_is_told(crawl_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    found = standing_of(crawl_file)
    assert found is not None
    assert "cannot be written" in found.title


def test_an_older_file_is_brought_up_to_date_on_demand(
    window: MainWindow, crawl_file: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    done: list[Path] = []

    def update(path: Path, progress: Callable[[float], None]) -> Path:
        progress(0.5)
        done.append(path)
        return path

    monkeypatch.setattr(remedies, "bring_up_to_date", update)
    assert window.open_crawl(crawl_file)
    settled(window, qtbot)
    window._on_offer_taken(UPDATE)
    qtbot.waitUntil(lambda: done == [crawl_file], timeout=LIMIT)
    settled(window, qtbot)
    assert window.crawls.shown is not None


def test_a_file_that_another_program_locks_is_opened_when_it_is_let_go(
    window: MainWindow, crawl_file: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr("core.store.crawl_file.BUSY_MILLISECONDS", 50)
    # a lock of the same process would not be one
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCK, str(crawl_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        window.open_crawl(crawl_file)
        qtbot.waitUntil(lambda: "lock" in window.page.banner._title.text(), timeout=LIMIT)
        assert window.crawls.shown is not None
        assert window.crawls.shown.status is None
        holder.communicate()
    settled(window, qtbot)


def test_work_that_is_given_up_tells_nobody_and_ends(window: MainWindow, qtbot: QtBot) -> None:
    ended = threading.Event()
    begun = threading.Event()

    def job(progress: Callable[[float], None]) -> None:
        try:
            while True:
                begun.set()
                progress(0.25)
        finally:
            ended.set()

    dialog = WorkDialog(window, "Saving a copy", "It takes a while.", job)
    heard: list[object] = []
    dialog.done_with.connect(heard.append)
    dialog.failed.connect(heard.append)
    dialog.open()
    qtbot.waitUntil(begun.is_set, timeout=LIMIT)
    qtbot.waitUntil(lambda: dialog._bar.value() == 250, timeout=LIMIT)
    dialog.reject()
    qtbot.waitUntil(ended.is_set, timeout=LIMIT)
    assert heard == []


def test_a_crawl_file_is_dropped_anywhere_on_the_window(window: MainWindow, crawl_file: Path, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(crawl_file))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
    window.dragEnterEvent(entered)
    assert entered.isAccepted()
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))
    settled(window, qtbot)
    assert window.crawls.shown is not None
    assert window.crawls.shown.path == crawl_file
