from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget

from gui.dialogs.fault import FaultDialog
from gui.file_commands import FileCommands

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.preferences import Preferences

LIMIT = 10_000


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def files(window: QWidget, preferences: Preferences) -> FileCommands:
    return FileCommands(window, preferences)


def choose(window: QWidget, path: Path) -> None:
    """What a person does in the file dialog."""
    window.findChildren(QFileDialog)[-1].fileSelected.emit(str(path))


def fault_of(window: QWidget) -> str:
    dialog = window.findChildren(FaultDialog)[-1]
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_chosen_file_is_handed_on_and_its_folder_remembered(
    files: FileCommands, window: QWidget, preferences: Preferences, crawl_file: Path, qtbot: QtBot
) -> None:
    files.ask_open()
    with qtbot.waitSignal(files.file_chosen) as chosen:
        choose(window, crawl_file)
    assert chosen.args == [crawl_file]
    assert preferences.folder == crawl_file.parent


def test_a_saved_profile_loads_as_the_same_settings(
    files: FileCommands, window: QWidget, settings: CrawlSettings, tmp_path: Path, qtbot: QtBot
) -> None:
    profile = tmp_path / "shop.toml"
    files.ask_save_profile(settings, "shop")
    with qtbot.waitSignal(files.done):
        choose(window, profile)
    files.ask_load_profile()
    with qtbot.waitSignal(files.profile_loaded) as loaded:
        choose(window, profile)
    assert loaded.args == [settings]
    assert [path.name for path in tmp_path.glob("*.new")] == []


def test_a_bad_profile_names_key_and_line_and_loads_nothing(
    files: FileCommands, window: QWidget, tmp_path: Path, qtbot: QtBot
) -> None:
    profile = tmp_path / "bad.toml"
    profile.write_text('[seeds]\nurls = ["https://a.example/"]\n[budgets]\nmax_depht = 3\n')
    files.ask_load_profile()
    with qtbot.assertNotEmitted(files.profile_loaded):
        choose(window, profile)
    assert "line 4" in fault_of(window)
    assert "max_depth" in fault_of(window)


def test_a_profile_that_is_no_text_is_told(files: FileCommands, window: QWidget, tmp_path: Path) -> None:
    profile = tmp_path / "picture.toml"
    profile.write_bytes(b"\xff\xd8\xff\xe0" * 10)
    files.ask_load_profile()
    choose(window, profile)
    assert "not a text file" in fault_of(window)


def test_a_copy_is_whole_and_never_written_over_a_file(
    files: FileCommands, window: QWidget, crawl_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    copy = tmp_path / "copy.crawl"
    files.ask_copy(crawl_file)
    with qtbot.waitSignal(files.done, timeout=LIMIT):
        choose(window, copy)
    connection = sqlite3.connect(copy)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    taken = tmp_path / "taken.crawl"
    taken.write_text("mine")
    files.ask_copy(crawl_file)
    choose(window, taken)
    qtbot.waitUntil(lambda: bool(window.findChildren(FaultDialog)), timeout=LIMIT)
    assert "exists already" in fault_of(window)
    assert taken.read_text() == "mine"
