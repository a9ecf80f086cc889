"""Has the file of the crawl that is shown audited after an unclean end, where its engine did not do it, and tells what
was found: once, off the window's thread, and called off when the crawl goes on or another is shown."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.store.read.snapshot import Interrupted
from core.store.rescue.certify import certify
from gui.cancellable import Cancellable
from gui.check.words import Told, is_due, told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.errors import FronteiraError
    from core.store.rows import Status

End = tuple[int, int, float]  # which end of a file: run, requests and seconds of running


class FileCheck(QObject):
    """`checked(Told, time of the audit)` where there is news; `failed(sentence)` where the file cannot be read."""

    checked = Signal(object, float)  # Told, seconds since the epoch
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: Cancellable | None = None
        self._path: Path | None = None  # of the file that is being audited
        self._done: dict[Path, End] = {}
        self._heard: dict[Path, float] = {}

    def look(self, path: Path, status: Status) -> None:
        """The file was looked at: begin an audit where one is due, tell of one that was kept."""
        if is_due(status):
            end = (status.run, status.requests, status.elapsed)
            if self._done.get(path) != end:
                self._done[path] = end
                self._begin(path)
            return
        self.stop()
        kept = status.certificate
        if kept is not None and kept.at is not None and not kept.due and self._heard.get(path) != kept.at:
            self._heard[path] = kept.at
            self.checked.emit(told(kept), kept.at)

    def forget(self, path: Path) -> None:
        """The file is shown anew: what is known of it is told again."""
        self._heard.pop(path, None)

    def stop(self) -> None:
        """Another crawl is shown, or this one goes on; what was not audited to the end is audited another time."""
        if self._running is not None:
            self._running.cancel()

    def _begin(self, path: Path) -> None:
        self.stop()
        self._path = path
        self._running = Cancellable(lambda cancelled, _tell: check(path, cancelled), self)
        self._running.finished.connect(self._on_finished)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(self._on_called_off)
        self._running.start()

    @Slot(object)
    def _on_finished(self, found: tuple[Told, float] | None) -> None:
        path = self._settle()
        if found is not None and path is not None:
            self._heard[path] = found[1]
            self.checked.emit(*found)

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._settle()
        self.failed.emit(str(fault))

    @Slot()
    def _on_called_off(self) -> None:
        path = self._settle()
        if path is not None:
            self._done.pop(path, None)

    def _settle(self) -> Path | None:
        """Nothing is being audited any more; which file was."""
        running, self._running = self._running, None
        path, self._path = self._path, None
        if running is not None:
            running.deleteLater()
        return path


def check(path: Path, cancelled: Callable[[], bool]) -> tuple[Told, float] | None:
    """What an audit says and when; None where nobody wants it any more. For a thread."""
    at = time.time()
    try:
        return told(certify(path, at, cancelled)), at
    except Interrupted:
        return None
