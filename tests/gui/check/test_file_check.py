"""A file is checked once after each unclean end, without holding up the window."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

from core.errors import CorruptFile
from core.store.rows import KeptCertificate
from gui.check import file_check
from gui.check.dialog import CertificateDialog
from gui.check.file_check import FileCheck
from gui.check.words import Told
from gui.crawl_page import CrawlPage
from gui.session import OpenCrawl
from tests.gui.test_header import status
from tests.small_crawl import SmallCrawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme

LIMIT = 8000
DUE = replace(status("crashed", "error: x"), certificate=KeptCertificate(due=True))


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A crawl whose engine is gone without an end, with a request in flight."""
    crawl = SmallCrawl(tmp_path / "killed.crawl")
    assert len(crawl.turn().work) == 1
    crawl.kill()
    return crawl.path


class Counted:
    """Stands for the audit: counts, and holds until it is let go or called off."""

    def __init__(self) -> None:
        self.begun, self.called_off = 0, 0
        self.go = threading.Event()

    def __call__(self, _path: Path, cancelled: Callable[[], bool]) -> tuple[Told, float] | None:
        self.begun += 1
        while not self.go.wait(0.005):
            if cancelled():
                self.called_off += 1
                return None
        return Told(True, ("Fine.",)), 5.0


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()
    monkeypatch.setattr(file_check, "check", made)
    return made


def test_each_unclean_end_is_checked_once(counted: Counted, tmp_path: Path, qtbot: QtBot) -> None:
    check = FileCheck()
    counted.go.set()
    check.look(tmp_path, status("running"))
    assert counted.begun == 0
    with qtbot.waitSignal(check.checked, timeout=LIMIT):
        check.look(tmp_path, DUE)
    check.look(tmp_path, DUE)
    assert counted.begun == 1
    with qtbot.waitSignal(check.checked, timeout=LIMIT):
        check.look(tmp_path, replace(DUE, run=2))
    assert counted.begun == 2


def test_a_crawl_that_goes_on_calls_its_check_off_and_is_checked_another_time(
    counted: Counted, tmp_path: Path, qtbot: QtBot
) -> None:
    check = FileCheck()
    heard: list[object] = []
    check.checked.connect(lambda found, _at: heard.append(found))
    check.look(tmp_path, DUE)
    qtbot.waitUntil(lambda: counted.begun == 1, timeout=LIMIT)
    check.look(tmp_path, status("running"))
    qtbot.waitUntil(lambda: counted.called_off == 1, timeout=LIMIT)
    assert heard == []
    counted.go.set()
    with qtbot.waitSignal(check.checked, timeout=LIMIT):
        check.look(tmp_path, DUE)


def test_an_audit_that_the_engine_kept_is_told_once(counted: Counted, tmp_path: Path, qtbot: QtBot) -> None:
    check = FileCheck()
    heard: list[float] = []
    check.checked.connect(lambda _found, at: heard.append(at))
    kept = replace(status("running"), certificate=KeptCertificate(7.0, True, ("Fine.",)))
    for _ in range(3):
        check.look(tmp_path, kept)
    assert (heard, counted.begun) == ([7.0], 0)
    check.forget(tmp_path)
    check.look(tmp_path, kept)
    assert heard == [7.0, 7.0]


def test_a_file_that_cannot_be_checked_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot) -> None:
    def fail(_path: Path, _cancelled: object) -> None:
        raise CorruptFile("It is torn.", "Use a backup.")

    monkeypatch.setattr(file_check, "check", fail)
    check = FileCheck()
    with qtbot.waitSignal(check.failed, timeout=LIMIT) as told:
        check.look(tmp_path, DUE)
    assert told.args == ["It is torn. Use a backup."]


def test_the_banner_tells_of_a_killed_crawl_and_its_details_name_the_request(
    killed: Path, theme: Theme, preferences: Preferences, qtbot: QtBot
) -> None:
    crawl = OpenCrawl(killed)
    page = CrawlPage(theme, preferences)
    page.show()
    page.show_crawl(crawl, "")
    qtbot.waitUntil(lambda: "the file was checked" in page.banner._title.text(), timeout=LIMIT)
    assert page.banner._text.text() == "1 request may have been sent twice, at 1 unclean end."
    page.banner._offer.click()
    dialog = page.findChild(CertificateDialog)
    assert isinstance(dialog, CertificateDialog)
    qtbot.waitUntil(dialog.facts.isVisible, timeout=LIMIT)
    assert dialog.repeated.toPlainText().splitlines()[1:] == ["    http://shop.test/"]
    dialog.close()
    page.show_crawl(None, "")
    page.show_crawl(crawl, "")
    crawl.look()
    qtbot.waitUntil(page.banner.isVisible, timeout=LIMIT)
    page.banner._dismiss.click()
    assert not page.banner.isVisible()
    page.show_crawl(None, "")
    page.show_crawl(crawl, "")
    with qtbot.waitSignal(crawl.status_changed, timeout=LIMIT):
        crawl.look()
    assert not page.banner.isVisible()
    page.show_crawl(None, "")
    crawl.close()
    assert crawl.wait_closed()
    delete(page)


def test_the_window_of_the_check_shows_progress_and_then_every_promise(killed: Path, qtbot: QtBot) -> None:
    dialog = CertificateDialog(killed, "Shop")
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog._progress.isVisible()
    qtbot.waitUntil(dialog.facts.isVisible, timeout=LIMIT)
    assert not dialog._progress.isVisible()
    said = [label.text() for label in dialog.facts.findChildren(QLabel)]
    assert "All counters equal a recount." in said
    assert dialog._close.text() == "Close"


def test_closing_the_window_calls_the_check_off(killed: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    made = Counted()
    monkeypatch.setattr("gui.check.dialog.check", made)
    dialog = CertificateDialog(killed, "Shop")
    qtbot.waitUntil(lambda: made.begun == 1, timeout=LIMIT)
    dialog.reject()
    qtbot.waitUntil(lambda: made.called_off == 1, timeout=LIMIT)
