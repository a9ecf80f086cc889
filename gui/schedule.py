"""Scheduled runs while the window is open: what is due begins by itself, what is overdue is shown in the sidebar.

Only a crawl that has come to its end begins: one that a person has stopped stays so. A start that comes to nothing is
not tried again before the next time in the schedule; the crawl is overdue until then. By choice a crawl is left alone.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.store.names import CrawlState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gui.preferences import Preferences
    from gui.sidebar.glance import Glance

LOOK_MS = 5_000
BUSY = (CrawlState.RUNNING, CrawlState.OFFLINE, CrawlState.STOPPING)


class Schedule(QObject):
    """Hears of every known crawl by its glance. `now` gives seconds since the epoch."""

    due = Signal(object)  # Path: a scheduled run is to begin
    seen = Signal(object)  # Glance that has become overdue

    def __init__(
        self, preferences: Preferences, parent: QObject | None = None, now: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._now = now
        self._glances: dict[Path, Glance] = {}
        self._begun: dict[Path, float] = {}  # the time in the schedule for which a start was tried
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot(object)
    def see(self, glance: Glance) -> None:
        """A crawl is like this now."""
        self._glances[glance.path] = glance

    def forget(self, path: Path) -> None:
        """It is no longer known to the window."""
        self._glances.pop(path, None)

    def stop(self) -> None:
        """At the end of the program: nothing begins any more."""
        self._timer.stop()

    @Slot()
    def look(self) -> None:
        """Begin what is due; tell what has become overdue."""
        now = self._now()
        for path, glance in tuple(self._glances.items()):
            if glance.next_run is None or glance.next_run > now or glance.state in BUSY:
                continue
            if not glance.overdue:
                self._glances[path] = replace(glance, overdue=True)
                self.seen.emit(self._glances[path])
            if self._begins(glance):
                self._begun[path] = glance.next_run
                self.due.emit(path)

    def _begins(self, glance: Glance) -> bool:
        tried = self._begun.get(glance.path) == glance.next_run
        return glance.rests and not tried and self._preferences.runs_on_schedule(glance.path)
