"""The program with a window: application, event loop, look, preferences, and the one window.

Core never comes here; the command line calls `main` when a window is wanted.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

import resources
from gui.main_window import MainWindow
from gui.preferences import Preferences
from gui.sample import Sample
from gui.theme import Theme

NAME = "Fronteira"
SWITCH_SECONDS = 0.001  # after which a worker's thread lets the window's thread go on; Python's own is five


def main(paths: list[str], demo: bool = False) -> int:
    """Show the window, on the given crawl files or on the sample crawl, until it is closed."""
    app = application()
    preferences = Preferences(QSettings(NAME, NAME))
    theme = Theme(app, preferences.theme)
    window = MainWindow(theme, preferences, Sample(sample_folder()))
    theme.apply()
    window.show()
    for path in paths:
        window.open_crawl(Path(path))
    if demo and window.open_sample():
        start_when_known(window)
    run(app, window)
    return 0


def application() -> QApplication:
    """The Qt application with its name and mark."""
    app = QApplication.instance() or QApplication([NAME, *sys.argv[1:1]])
    assert isinstance(app, QApplication)  # noqa: S101  # nothing else makes one
    app.setApplicationName(NAME)
    app.setDesktopFileName("fronteira")
    app.setWindowIcon(QIcon(str(resources.path("icons/fronteira.svg"))))
    return app


def run(app: QApplication, window: MainWindow) -> None:
    """Qt's events and asyncio's on one loop, until the window is gone."""
    from qasync import QEventLoop  # after PySide6, which it looks for

    sys.setswitchinterval(SWITCH_SECONDS)
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        gone = asyncio.Event()
        window.gone.connect(gone.set)
        app.aboutToQuit.connect(gone.set)
        loop.run_until_complete(gone.wait())


def sample_folder() -> Path:
    """Where sample crawls are kept."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(place) / "samples"


def start_when_known(window: MainWindow) -> None:
    """The sample starts by itself, once its status was read."""
    crawl = window.crawls.shown
    if crawl is not None:
        QTimer.singleShot(0, window, crawl.start)
