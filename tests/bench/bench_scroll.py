"""How long a frame takes while a table of hostile titles is scrolled: right-to-left, control characters, 4 MB each.

Run by hand: `python -m tests.bench.bench_scroll [ROWS]`. Wanted: under 50 ms a frame, whatever the titles hold.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest

from gui.app import application
from gui.main_window import MainWindow
from gui.preferences import Preferences
from gui.sample import Sample
from gui.tables.table_view import TableView
from gui.theme import Theme
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from gui.tables.table_panel import TablePanel

LONG = 4_000_000  # characters of a title
EVERY = 4_000  # one in so many rows has a title that long: the file would be 400 GB else
TITLES = (
    "<img src='file:///x.png'><b>{0}</b>",
    "\u202e{0}\u2066gpj.exe\x1b[31m",
    "Z" + "\u0301" * 200 + "{0}",
    "\u5546\u54c1{0}" * 60,
    "\x00\x01\x02{0}" * 60,
)
STEPS = (3, 40, 3_000)  # rows: the wheel, a page, dragging the bar
FRAMES = 200


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "titles.crawl"
        fill(path, rows)
        print(f"{rows:,} rows, file {path.stat().st_size / 1e6:.0f} MB")
        window = shown(path)
        panel = urls(window)
        while not panel.source.stands:
            QTest.qWait(20)
        panel._show_columns(("title", "url", "status", "state", "bytes", "last_fetched"))
        for step in STEPS:
            wall, work = (sorted(times) for times in frames(panel, step))
            print(f"{step:>6} rows a frame: {figures(wall)}; of the thread alone: {figures(work)}")
        gone: list[bool] = []
        window.gone.connect(lambda: gone.append(True))
        window.close()
        while not gone:
            QTest.qWait(20)


def figures(times: list[float]) -> str:
    found = {"median": times[len(times) // 2], "p99": times[int(len(times) * 0.99)], "longest": times[-1]}
    return ", ".join(f"{name} {milliseconds:.1f} ms" for name, milliseconds in found.items())


def frames(panel: TablePanel, step: int) -> tuple[list[float], list[float]]:
    """Milliseconds for each frame, scrolling and painting: by the clock, and of the window's thread alone."""
    bar = panel.grid.verticalScrollBar()
    times: list[float] = []
    work: list[float] = []
    bar.setValue(0)
    for frame in range(FRAMES):
        QTest.qWait(5)
        start, worked = time.perf_counter(), time.thread_time()
        bar.setValue((frame * step) % max(1, bar.maximum()))
        panel.grid.viewport().repaint()
        times.append((time.perf_counter() - start) * 1000)
        work.append((time.thread_time() - worked) * 1000)
    return times, work


def shown(path: Path) -> MainWindow:
    app = application()
    preferences = Preferences(QSettings(str(path.parent / "window.ini"), QSettings.Format.IniFormat))
    theme = Theme(app, preferences.theme)
    window = MainWindow(theme, preferences, Sample(path.parent))
    theme.apply()
    window.resize(1440, 900)
    window.show()
    window.open_crawl(path)
    while window.crawls.shown is None or window.crawls.shown.settings is None:
        QTest.qWait(20)
    return window


def urls(window: MainWindow) -> TablePanel:
    window.page.select_view("urls")
    view = window.page.views["urls"]
    assert isinstance(view, TableView)
    return view.panels[0]


def fill(path: Path, rows: int) -> None:
    connection = HandMadeCrawl(path).connection
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO url(id, host_id, origin_id, key, path, state, front, depth, first_seen) "
        "VALUES (?,1,1,?,?,3,1,0,?)",
        ((n, n, f"/p/{n}", NOON) for n in range(1, rows + 1)),
    )
    connection.executemany(
        "INSERT INTO page(url_id, run, status, outcome, bytes, title, last_fetched) VALUES (?,1,200,'ok',1,?,?)",
        ((n, title(n), NOON) for n in range(1, rows + 1)),
    )
    connection.execute("COMMIT")
    connection.close()


def title(number: int) -> str:
    text = TITLES[number % len(TITLES)].format(number)
    return text * (LONG // len(text)) if number % EVERY == 0 else text


if __name__ == "__main__":
    main()
