"""Whatever touches the crawl file and may take longer than a frame, in a thread of its own.

It looks at the file four times a second and reads it when it moved; it leaves the window's wishes, which may have
to wait for the engine's commit. Everything goes in and out by signals.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.errors import FileError, FronteiraError
from core.store.names import CrawlState, WishKind
from core.store.read.reader import Reader
from core.store.wishes import Wishes
from gui.files.standing import standing_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings

LOOK_MS = 250
LOOK_AGAIN_SECONDS = 1.0  # an engine that died writes nothing: while one runs, look without being told
ACTIVE = (CrawlState.RUNNING, CrawlState.OFFLINE, CrawlState.STOPPING)


class FileWorker(QObject):
    """Reader and wishes of one crawl file; lives in the thread it was moved to."""

    status_read = Signal(object)  # Status
    settings_read = Signal(int, object)  # version, CrawlSettings
    wish_left = Signal(str)  # WishKind
    settings_applied = Signal(int)  # version
    fault_met = Signal(object)  # FronteiraError
    standing_read = Signal(object)  # Standing | None
    refused = Signal(object)  # FileError: it cannot be opened

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._reader: Reader | None = None
        self._wishes: Wishes | None = None
        self._timer: QTimer | None = None
        self._version = 0
        self._looked = 0.0
        self._active = False
        self._told = ""

    @Slot()
    def begin(self) -> None:
        """Open the file and look at it from now on; timers and connections belong to this thread."""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._on_tick)
        self._timer.start()
        self._open()

    def _open(self) -> None:
        """A lock of another program passes: then it is tried again. Any other fault of the file stays."""
        try:
            standing = standing_of(self._path)
            self._reader = Reader(self._path)
        except FileError as fault:
            self.end()
            self.refused.emit(fault)
        except FronteiraError as fault:
            self._tell_once(fault)
        else:
            self.standing_read.emit(standing)
            self.look()

    @Slot()
    def look(self) -> None:
        """Read the status now."""
        if self._reader is None:
            return
        try:
            status = self._reader.status()
            self._looked = time.monotonic()
            self._active = status.state in ACTIVE
            if status.settings_version != self._version:
                self._version, settings = self._reader.settings()
                self.settings_read.emit(self._version, settings)
            self._told = ""
            self.status_read.emit(status)
        except FronteiraError as fault:
            self._tell_once(fault)

    @Slot(str)
    def leave(self, kind: str) -> None:
        """Write a wish into the file."""
        try:
            wishes = self._wishes_of_file()
            ways = {
                WishKind.STOP: wishes.stop,
                WishKind.KILL: wishes.kill,
                WishKind.KEEP: wishes.keep,
                WishKind.CONFIRM: wishes.confirm,
            }
            ways[WishKind(kind)]()
        except FronteiraError as fault:
            self.fault_met.emit(fault)
        else:
            self.wish_left.emit(kind)

    @Slot(int)
    def acknowledge(self, alarm: int) -> None:
        """The person has seen an alarm."""
        try:
            self._wishes_of_file().acknowledge_alarm(alarm)
        except FronteiraError as fault:
            self.fault_met.emit(fault)
        self.look()

    @Slot(object)
    def apply(self, settings: CrawlSettings) -> None:
        """Write new settings: whole, or not at all."""
        try:
            version = self._wishes_of_file().set_settings(settings)
        except FronteiraError as fault:
            self.fault_met.emit(fault)
        else:
            self.settings_applied.emit(version)
            self.look()

    @Slot()
    def end(self) -> None:
        """Close the file; runs in the worker's thread when it ends."""
        if self._timer is not None:
            self._timer.stop()
        for opened in (self._reader, self._wishes):
            if opened is not None:
                opened.close()
        self._reader = self._wishes = None

    @Slot()
    def _on_tick(self) -> None:
        if self._reader is None:
            self._open()
            return
        try:
            moved = self._reader.changed()
        except FronteiraError as fault:
            self._tell_once(fault)
            return
        if moved or (self._active and time.monotonic() - self._looked >= LOOK_AGAIN_SECONDS):
            self.look()

    def _wishes_of_file(self) -> Wishes:
        if self._wishes is None:
            self._wishes = Wishes(self._path)
        return self._wishes

    def _tell_once(self, fault: FronteiraError) -> None:
        """A fault that stays is told once, not four times a second."""
        if str(fault) != self._told:
            self._told = str(fault)
            self.fault_met.emit(fault)
