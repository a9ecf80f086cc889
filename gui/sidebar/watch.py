"""Looks at the known crawls once a second, in a thread of its own, and tells what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from gui.sidebar.glance import Stamp, look, stamp

if TYPE_CHECKING:
    from pathlib import Path

LOOK_MS = 1000


class Looker(QObject):
    """The part that lives in the thread."""

    seen = Signal(object)  # Glance

    def __init__(self) -> None:
        super().__init__()
        self._paths: tuple[Path, ...] = ()
        self._stamps: dict[Path, Stamp] = {}
        self._timer: QTimer | None = None

    @Slot()
    def begin(self) -> None:
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot(object)
    def set_paths(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        self._stamps = {path: kept for path, kept in self._stamps.items() if path in paths}
        self.look()

    @Slot()
    def look(self) -> None:
        """Read those whose files moved since the last look."""
        for path in self._paths:
            now = stamp(path)
            if self._stamps.get(path) != now:
                self._stamps[path] = now
                self.seen.emit(look(path))

    @Slot()
    def end(self) -> None:
        if self._timer is not None:
            self._timer.stop()


class SidebarWatch(QObject):
    """Hands the paths in and the glances out."""

    seen = Signal(object)  # Glance
    _paths_set = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread(self)
        self._looker = Looker()
        self._looker.moveToThread(self._thread)
        self._thread.started.connect(self._looker.begin)
        self._thread.finished.connect(self._looker.end)
        self._paths_set.connect(self._looker.set_paths)
        self._looker.seen.connect(self.seen)
        self._thread.start()

    def set_paths(self, paths: tuple[Path, ...]) -> None:
        """The crawls to look at from now on."""
        self._paths_set.emit(paths)

    def close(self) -> None:
        """At the end of the program."""
        self._thread.quit()
        self._thread.wait(3000)
