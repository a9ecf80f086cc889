from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths

from gui.closing import CloseChoice
from gui.preferences import KnownCrawl, Preferences
from gui.theme import ThemeChoice

if TYPE_CHECKING:
    import pytest


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    def opened() -> Preferences:
        return Preferences(QSettings(str(tmp_path / "p.ini"), QSettings.Format.IniFormat))

    before = opened()
    before.set_theme(ThemeChoice.DARK)
    before.set_close_choice(CloseChoice.KEEP)
    before.remember(Path("/a/b.crawl"), "Shops, and\nmore")
    before.keep_columns("urls", ("url", "status"))
    before._store.sync()
    after = opened()
    assert after.theme is ThemeChoice.DARK
    assert after.close_choice is CloseChoice.KEEP
    assert after.known == (KnownCrawl(Path("/a/b.crawl"), "Shops, and\nmore"),)
    assert after.columns("urls") == ("url", "status")


def test_the_first_folder_is_one_that_exists(preferences: Preferences, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = "/no/such/home/Documents"
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: missing)
    assert preferences.folder == Path.home()


def test_opening_a_crawl_again_keeps_its_group(preferences: Preferences) -> None:
    preferences.remember(Path("/a.crawl"), "News")
    preferences.remember(Path("/a.crawl"))
    assert preferences.known == (KnownCrawl(Path("/a.crawl"), "News"),)


def test_values_that_make_no_sense_count_as_never_set(preferences: Preferences) -> None:
    preferences._store.setValue("theme", "plaid")
    preferences._store.setValue("close", 7)
    preferences._store.setValue("known", "{broken")
    assert preferences.theme is ThemeChoice.SYSTEM
    assert preferences.close_choice is CloseChoice.ASK
    assert preferences.known == ()


def test_a_folder_that_is_gone_is_not_offered(preferences: Preferences, tmp_path: Path) -> None:
    preferences.set_folder(tmp_path / "gone")
    assert preferences.folder != tmp_path / "gone"
    preferences.set_folder(tmp_path)
    assert preferences.folder == tmp_path
