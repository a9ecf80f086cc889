"""How long the window is ever held up: gaps of a 10 ms timer, idle, crawling, walking through views.

Beside the gaps by the clock it says how much of them the window's own thread worked (`work`): on a busy machine the
rest is waiting for a processor.

    python tests/bench/bench_window.py --listings 238        # a crawl of 4,998 pages
    xvfb-run python tests/bench/bench_window.py              # with a real window system

The site and the engine are processes of their own; what is measured is this process's event loop. One JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Slot  # noqa: E402

from core.settings import Budgets, CrawlSettings, Politeness, RecordType, Seeds  # noqa: E402
from core.settings import FieldRule as Rule  # noqa: E402
from core.store.crawl_file import create  # noqa: E402
from gui.app import application, run  # noqa: E402
from gui.main_window import MainWindow  # noqa: E402
from gui.preferences import Preferences  # noqa: E402
from gui.sample import Sample  # noqa: E402
from gui.theme import Theme  # noqa: E402

TICK = 10  # milliseconds
IDLE = 3.0  # seconds measured before the start
STILL = 4.0  # seconds of crawling before the walk
WALK = 700  # milliseconds a view is shown


class Meter(QObject):
    """Ticks every 10 ms and keeps the gaps by phase; walks through the views; ends with the crawl.

    idle: nothing is asked. first walk: every view for the first time, before the start. crawling: the dashboard while
    the crawl runs. walking: all views again and again while it runs.
    """

    def __init__(self, window: MainWindow, seconds: float) -> None:
        super().__init__(window)
        self._window = window
        self._begin = self._last = time.perf_counter()
        self._end = self._begin + seconds
        self._started = 0.0
        self._worked = time.thread_time()
        self.gaps: dict[str, list[float]] = {"idle": [], "first walk": [], "crawling": [], "walking": []}
        self.work: dict[str, list[float]] = {phase: [] for phase in self.gaps}
        self.phase = "idle"
        self.pages = 0
        self._view = 0
        self._tick = self._timer(TICK, self._on_tick)
        self._walk = self._timer(WALK, self._on_walk)

    def _timer(self, interval: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setInterval(interval)
        timer.timeout.connect(slot)
        timer.start()
        return timer

    @Slot()
    def _on_tick(self) -> None:
        now = time.perf_counter()
        worked = time.thread_time()
        self.gaps[self.phase].append((now - self._last) * 1000)
        self.work[self.phase].append((worked - self._worked) * 1000)
        self._last, self._worked = now, worked
        self._go_on(now)

    def _go_on(self, now: float) -> None:
        """From one phase to the next."""
        crawl = self._window.crawls.shown
        status = crawl.status if crawl else None
        if crawl is None or status is None:
            return
        self.pages = status.pages
        if self.phase == "idle" and now - self._begin > IDLE:
            self.phase = "first walk"
        elif self.phase == "crawling" and now - self._started > STILL:
            self.phase = "walking"
        if now > self._end or (self._started and now - self._started > 3 and status.state == "finished"):
            self._tick.stop()
            self._walk.stop()
            self._window.close()

    @Slot()
    def _on_walk(self) -> None:
        if self.phase not in {"first walk", "walking"}:
            return
        self._view = (self._view + 1) % len(self._window.page.views)
        self._window.page.header.select_tab(self._view)
        crawl = self._window.crawls.shown
        if self.phase == "first walk" and self._view == 0 and crawl is not None:
            self.phase, self._started = "crawling", time.perf_counter()
            crawl.start()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--listings", type=int, default=238, help="of 20 products each")
    options.add_argument("--seconds", type=float, default=120.0, help="at most")
    given = options.parse_args()
    command = [sys.executable, "-m", "core.demo", "--port", "0", "--listings", str(given.listings)]
    with tempfile.TemporaryDirectory() as folder:
        site = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        assert site.stdout is not None
        try:
            meter = measure(Path(folder), json.loads(site.stdout.readline())["ready"], given.seconds)
        finally:
            site.terminate()
            site.wait()
    print(json.dumps({"pages": meter.pages}))
    for phase, gaps in meter.gaps.items():
        print(json.dumps({"phase": phase, **figures(gaps), "work": figures(meter.work[phase])}))


def measure(folder: Path, root: str, seconds: float) -> Meter:
    """Crawl a shop in the real window."""
    path = folder / "bench.crawl"
    create(path, settings(root.rstrip("/") + "/list/0"))
    app = application()
    preferences = Preferences(QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat))
    theme = Theme(app, preferences.theme)
    window = MainWindow(theme, preferences, Sample(folder))
    theme.apply()
    window.show()
    window.open_crawl(path)
    meter = Meter(window, seconds)
    run(app, window)
    return meter


def settings(seed: str) -> CrawlSettings:
    return CrawlSettings(
        name="Bench",
        seeds=Seeds(urls=(seed,)),
        budgets=Budgets(max_depth=0, max_pages_per_host=0),
        politeness=Politeness(delay=0.0, per_host=16, adaptive=False),
        records=(RecordType(name="product", match="/product/*", key="sku", fields={"sku": Rule(css=".sku")}),),
    )


def figures(gaps: list[float]) -> dict[str, float]:
    """Median, 99th percentile and longest gap in milliseconds."""
    ordered = sorted(gaps) or [0.0]
    share = {"median": 0.5, "p99": 0.99, "longest": 1.0}
    found = {name: round(ordered[min(len(ordered) - 1, int(len(ordered) * part))], 2) for name, part in share.items()}
    return {"ticks": len(ordered), **found, "over 50": sum(gap > 50 for gap in ordered)}


if __name__ == "__main__":
    main()
