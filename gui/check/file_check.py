"""Checks the file of the crawl that is shown after each unclean end: once, off the window's thread, and called off when
the crawl goes on or another is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.store.read.audit import Certificate, audit
from core.store.read.snapshot import Interrupted
from gui.cancellable import Cancellable
from gui.check.words import ended_uncleanly

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.errors import FronteiraError
    from core.store.rows import Status

End = tuple["Path", int, int, float]  # which end: file, run, requests and seconds of running


class FileCheck(QObject):
    """`checked(certificate)` where there is news; `failed(sentence)` where the file could not be read."""

    checked = Signal(object)  # Certificate
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: Cancellable | None = None
        self._known: dict[Path, End] = {}

    def look(self, path: Path, status: Status) -> None:
        """The file was looked at: begin a check where one is due, call it off where an engine is at work again."""
        if not ended_uncleanly(status):
            self.stop()
            return
        end = (path, status.run, status.requests, status.elapsed)
        if self._known.get(path) != end:
            self._known[path] = end
            self._begin(path)

    def stop(self) -> None:
        """Another crawl is shown, or this one goes on; what was not checked to the end is checked another time."""
        if self._running is not None:
            self._running.cancel()

    def _begin(self, path: Path) -> None:
        self.stop()
        self._running = Cancellable(lambda cancelled, _tell: check(path, cancelled), self)
        self._running.finished.connect(self._on_finished)
        self._running.failed.connect(self._on_failed)
        self._running.called_off.connect(lambda: self._on_called_off(path))
        self._running.start()

    @Slot(object)
    def _on_finished(self, certificate: Certificate | None) -> None:
        self._running = None
        if certificate is not None:
            self.checked.emit(certificate)

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self._running = None
        self.failed.emit(str(fault))

    def _on_called_off(self, path: Path) -> None:
        self._running = None
        self._known.pop(path, None)


def check(path: Path, cancelled: Callable[[], bool]) -> Certificate | None:
    """The certificate; None where nobody wants it any more. For a thread."""
    try:
        return audit(path, cancelled)
    except Interrupted:
        return None
