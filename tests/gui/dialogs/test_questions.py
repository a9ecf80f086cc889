"""The questions the window asks: what is harmless is the default, and texts of others stay texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget

from gui.dialogs.again import due_words
from gui.dialogs.fault import FaultDialog
from gui.dialogs.kill import KEEP, KILL, kill_question
from gui.dialogs.new_crawl import NewCrawlDialog, problem_of_place

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def texts(widget: QWidget) -> str:
    return " ".join(label.text() for label in widget.findChildren(QLabel))


def test_a_kill_says_what_is_lost_and_enter_is_harmless(window: QWidget) -> None:
    answers: list[str] = []
    question = kill_question(window, "Shop", 20)
    question.answered.connect(answers.append)
    question.open()
    assert "The 20 requests in flight are lost" in texts(question)
    assert question.buttons[KEEP].isDefault()
    question.reject()
    assert answers == [KEEP]


def test_only_the_kill_button_kills(window: QWidget) -> None:
    answers: list[str] = []
    question = kill_question(window, "Shop", 0)
    question.answered.connect(answers.append)
    question.open()
    question.buttons[KILL].click()
    assert answers == [KILL]


def test_a_name_with_markup_stays_text(window: QWidget) -> None:
    question = kill_question(window, "<img src=x>", 1)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in question.findChildren(QLabel))


def test_a_fault_can_be_copied(window: QWidget) -> None:
    dialog = FaultDialog(window, "No", "The file is damaged.", "Use a backup.")
    dialog._copy.click()
    assert QGuiApplication.clipboard().text() == "The file is damaged.\nUse a backup."


def test_an_address_without_scheme_can_be_completed_by_a_click(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = NewCrawlDialog(window, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.seed.setText("127.0.0.1:8765")
    assert dialog.meant_button.text() == "Use http://127.0.0.1:8765/"
    dialog.meant_button.click()
    assert dialog.seed.text() == "http://127.0.0.1:8765/"
    assert not dialog.meant_button.isVisible()
    assert dialog.create_button.isEnabled()


def test_a_fault_is_closed_and_not_copied_by_enter(window: QWidget, qtbot: QtBot) -> None:
    dialog = FaultDialog(window, "The file could not be opened", "There is no such file.")
    dialog.open()
    qtbot.waitUntil(dialog.isVisible, timeout=5000)
    assert dialog.focusWidget() is dialog._close


@pytest.mark.parametrize(
    ("due", "next_due", "words"),
    [
        (0, None, "No page is due again at any time."),
        (0, 1_700_000_000.0, "No page is due before 22:13 UTC."),
        (1, None, "1 URL is due by now."),
        (1200, 1_800_000_000.0, "1,200 URLs are due by now."),
    ],
)
def test_what_is_due_is_said(due: int, next_due: float | None, words: str) -> None:
    assert due_words(due, next_due, 1_699_999_000.0) == words


def test_a_new_crawl_takes_name_and_file_from_the_seed(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    dialog = NewCrawlDialog(window, tmp_path)
    assert not dialog.create_button.isEnabled()
    dialog.seed.setText("https://www.shop.example/start")
    assert dialog.place.text() == str(tmp_path / "shop.example.crawl")
    with qtbot.waitSignal(dialog.crawl_wanted) as wanted:
        dialog.create_button.click()
    assert wanted.args is not None
    path, settings = wanted.args
    assert path == tmp_path / "shop.example.crawl"
    assert (settings.name, settings.seeds.urls) == ("shop.example", ("https://www.shop.example/start",))


def test_a_seed_that_is_no_url_is_told_as_typed(window: QWidget, tmp_path: Path) -> None:
    dialog = NewCrawlDialog(window, tmp_path)
    dialog.seed.setText("shop.example")
    assert "https://shop.example/" in dialog._problem.text()
    assert not dialog.create_button.isEnabled()


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    taken = tmp_path / "taken.crawl"
    taken.touch()
    assert "exists already" in problem_of_place(taken)
    assert "does not exist" in problem_of_place(tmp_path / "no" / "x.crawl")
    assert problem_of_place(tmp_path / "free.crawl") == ""
