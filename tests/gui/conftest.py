"""Windows are drawn into memory, crawl files are real, engines are real processes that only hold the lock."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings

from core.settings import CrawlSettings, Scope, Seeds
from core.store.crawl_file import create
from gui.engine_process import EngineProcess
from gui.preferences import Preferences
from gui.session import OpenCrawl
from gui.theme import Theme, ThemeChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

STAND_IN = """
import signal, sys, time
from pathlib import Path
from core.store.lock import EngineLock
import apsw
path = Path(sys.argv[1])
lock = EngineLock.acquire(path)
sys.stderr.write("the stand-in runs\\n"); sys.stderr.flush()
sys.stdin.buffer.read()
connection = apsw.Connection(str(path))
if connection.execute("SELECT count(*) FROM wish WHERE kind = 'keep'").fetchone()[0]:
    path.with_name('kept').touch()
    signal.pause()
lock.release()
"""


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "preferences.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def theme(qapp: object) -> Iterator[Theme]:
    made = Theme(qapp, ThemeChoice.LIGHT)  # type: ignore[arg-type]  # pytest-qt makes a QApplication
    yield made
    made.setParent(None)
    made.deleteLater()


@pytest.fixture
def settings() -> CrawlSettings:
    return CrawlSettings(
        name="Shop", seeds=Seeds(urls=("https://shop.example/",)), scope=Scope(exclude=("/calendar/",))
    )


@pytest.fixture
def crawl_file(tmp_path: Path, settings: CrawlSettings) -> Path:
    path = tmp_path / "shop.crawl"
    create(path, settings)
    return path


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[..., list[str]]:
    """The command of an engine that holds the lock until its stdin closes, or for ever after a keep wish."""
    script = tmp_path / "stand_in.py"
    script.write_text(STAND_IN, encoding="utf-8")
    return lambda path, _purpose=None: [sys.executable, str(script), str(path)]


@pytest.fixture
def crawl(qtbot: QtBot, crawl_file: Path, stand_in: Callable[..., list[str]]) -> Iterator[OpenCrawl]:
    """An open crawl whose first status was read, with a stand-in for its engine."""
    opened = OpenCrawl(crawl_file, engine=EngineProcess(crawl_file, command=stand_in))
    qtbot.waitUntil(lambda: opened.status is not None, timeout=10_000)
    yield opened
    if opened.engine.is_ours:
        opened.engine.kill()
        qtbot.waitUntil(lambda: not opened.engine.is_ours, timeout=10_000)
    opened.close()
    assert opened.wait_closed()
