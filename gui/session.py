"""One open crawl in the window: its file, what was last read of it, and its engine.

The window only reads the file and leaves wishes in it. Views ask here for the status and the settings in force,
listen to the signals, and open readers of their own on `path` for what is large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from core.store.crawl_file import inspect
from core.store.names import CrawlState, WishKind
from core.store.read.reader import Reader
from gui.engine_process import EngineProcess, Purpose
from gui.file_worker import ACTIVE, FileWorker

if TYPE_CHECKING:
    from pathlib import Path

    from core.errors import FronteiraError
    from core.settings import CrawlSettings
    from core.store.rows import Status
    from gui.files.standing import Standing

KILL_WAITS_MS = 1000  # for the wish to be written; the kill itself does not depend on it
NORMAL_ENDS = (0, 3)  # finished; ended before the end


class OpenCrawl(QObject):
    """A crawl file that is open in the window. Raises the FileError that fits when it cannot be one."""

    status_changed = Signal(object)  # Status
    settings_changed = Signal(object)  # CrawlSettings
    settings_applied = Signal(int)  # version
    standing_read = Signal(object)  # Standing: the file cannot be run as it is; None for most
    refused = Signal(object)  # FileError: it cannot be opened at all
    engine_changed = Signal()
    kept = Signal()  # the keep wish is in the file
    error_raised = Signal(str)
    closed = Signal()

    _look_wanted = Signal()
    _wish_wanted = Signal(str)
    _apply_wanted = Signal(object)
    _acknowledge_wanted = Signal(int)

    def __init__(self, path: Path, parent: QObject | None = None, engine: EngineProcess | None = None) -> None:
        super().__init__(parent)
        inspect(path)
        self.path = path
        self.status: Status | None = None
        self.settings: CrawlSettings | None = None
        self.settings_version = 0
        self.standing: Standing | None = None
        self.engine = engine or EngineProcess(path)
        self.engine.setParent(self)
        self._reader: Reader | None = None
        self._killing = False  # ours is being killed: its end is no crash
        self._was_active = False  # our engine was seen at work since it was started
        self._kill_wanted = False
        self._kill_timer = QTimer(self)
        self._kill_timer.setSingleShot(True)
        self._kill_timer.setInterval(KILL_WAITS_MS)
        self._thread = QThread(self)
        self._worker = FileWorker(path)
        self._worker.moveToThread(self._thread)
        self._connect()
        self._thread.start()

    def _connect(self) -> None:
        worker = self._worker
        self._thread.started.connect(worker.begin)
        self._thread.finished.connect(worker.end)
        self._thread.finished.connect(self.closed)
        self._look_wanted.connect(worker.look)
        self._wish_wanted.connect(worker.leave)
        self._apply_wanted.connect(worker.apply)
        self._acknowledge_wanted.connect(worker.acknowledge)
        worker.status_read.connect(self._on_status_read)
        worker.settings_read.connect(self._on_settings_read)
        worker.settings_applied.connect(self.settings_applied)
        worker.wish_left.connect(self._on_wish_left)
        worker.standing_read.connect(self._on_standing_read)
        worker.refused.connect(self.refused)
        worker.fault_met.connect(self._on_fault_met)
        self.engine.started.connect(self._on_engine_started)
        self.engine.ended.connect(self._on_engine_ended)
        self._kill_timer.timeout.connect(self._on_kill_due)

    @property
    def name(self) -> str:
        """What the crawl is called: in its settings, else the file's name."""
        return (self.settings.name if self.settings else "") or self.path.stem

    @property
    def reader(self) -> Reader:
        """A reader of the window's own thread, for reads that take less than a frame."""
        if self._reader is None:
            self._reader = Reader(self.path)
        return self._reader

    @property
    def is_active(self) -> bool:
        """Whether an engine is at work on the file, as far as is known now."""
        return self.engine.is_ours or self.is_crawling

    @property
    def may_start(self) -> bool:
        """Whether Start makes sense now, and the file lies where it can be run."""
        runs = self.standing is None or self.standing.runs
        return runs and may_start(self.status, self.engine.is_ours)

    @property
    def is_crawling(self) -> bool:
        """Whether the file says that a crawl is under way; a process of ours may have other work with the file."""
        return self.status is not None and self.status.state in ACTIVE

    @property
    def is_ending(self) -> bool:
        """Whether our engine has done its work, by the file, and its process is about to go."""
        return self._was_active and self.engine.is_ours and self.status is not None and self.status.state not in ACTIVE

    @property
    def requests_in_flight(self) -> int:
        return self.status.urls.get("leased", 0) if self.status else 0

    @Slot()
    def start(self) -> None:
        """Start the engine, unless one runs."""
        self._begin(Purpose.RUN)

    def crawl_again(self, *, everything: bool) -> None:
        """Begin another run over what is due, or over every URL; a page is only asked whether it changed."""
        self._begin(Purpose.EVERYTHING if everything else Purpose.DUE)

    def carry_out(self) -> None:
        """Bring the stored rows in line with the settings, without a request."""
        self._begin(Purpose.WISHES)

    def _begin(self, purpose: Purpose) -> None:
        self._killing = self._was_active = False
        try:
            self.engine.start(purpose)
        except OSError as error:
            self.error_raised.emit(self.tr("The engine could not be started: {0}").format(error))

    @Slot()
    def stop(self) -> None:
        """Finish what is in flight and keep the rest."""
        self._wish_wanted.emit(WishKind.STOP.value)

    @Slot()
    def kill(self) -> None:
        """End the engine at once. The wish is for the record and gets one second's start."""
        self._killing = self._kill_wanted = True
        self._kill_timer.start()
        self._wish_wanted.emit(WishKind.KILL.value)

    @Slot()
    def keep(self) -> None:
        """Let the engine go on when the window closes; `kept` says that it will."""
        self._wish_wanted.emit(WishKind.KEEP.value)

    @Slot()
    def confirm_vanished(self) -> None:
        """Believe that what vanished, many pages at once, is gone; carried out at once, by whoever has the file."""
        self._wish_wanted.emit(WishKind.CONFIRM.value)

    def apply(self, settings: CrawlSettings) -> None:
        """Put new settings into force, whole; `settings_applied` says that they are."""
        self._apply_wanted.emit(settings)

    def acknowledge(self, alarm: int) -> None:
        self._acknowledge_wanted.emit(alarm)

    @Slot()
    def look(self) -> None:
        """Read the status now, without waiting for the file to move."""
        self._look_wanted.emit()

    def close(self) -> None:
        """Let go of the file; `closed` follows. A running engine of ours is told to drain."""
        self.engine.drain()
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._thread.quit()

    def wait_closed(self, milliseconds: int = 3000) -> bool:
        """At the end of the program only: until the worker's thread has ended."""
        return self._thread.wait(milliseconds)

    @Slot(object)
    def _on_status_read(self, status: Status) -> None:
        self.status = status
        self._was_active = self._was_active or (self.engine.is_ours and status.state in ACTIVE)
        self.status_changed.emit(status)

    @Slot(object)
    def _on_standing_read(self, standing: Standing | None) -> None:
        self.standing = standing
        self.standing_read.emit(standing)

    @Slot(int, object)
    def _on_settings_read(self, version: int, settings: CrawlSettings) -> None:
        self.settings_version, self.settings = version, settings
        self.settings_changed.emit(settings)

    @Slot(str)
    def _on_wish_left(self, kind: str) -> None:
        if kind == WishKind.KILL:
            self._on_kill_due()
        elif kind == WishKind.KEEP:
            self.kept.emit()
        elif kind == WishKind.CONFIRM and not self.is_active:
            self.carry_out()

    @Slot()
    def _on_kill_due(self) -> None:
        if self._kill_wanted:
            self._kill_wanted = False
            self._kill_timer.stop()
            self.engine.kill()
            self.look()

    @Slot(object)
    def _on_fault_met(self, fault: FronteiraError) -> None:
        self.error_raised.emit(str(fault))

    @Slot(int)
    def _on_engine_started(self, _pid: int) -> None:
        self.engine_changed.emit()

    @Slot(int, str)
    def _on_engine_ended(self, exit_status: int, last_words: str) -> None:
        if exit_status not in NORMAL_ENDS and not self._killing:
            reason = last_words or self.tr("It left no message (exit status {0}).").format(exit_status)
            self.error_raised.emit(self.tr("The engine ended unexpectedly. {0}").format(reason))
        self._killing = False
        self.engine_changed.emit()
        self.look()


def may_start(status: Status | None, engine_is_ours: bool) -> bool:
    """Whether Start makes sense now."""
    return status is not None and not engine_is_ours and status.state not in ACTIVE


def may_stop(status: Status | None) -> bool:
    """Whether Stop makes sense now: an engine runs and was not yet asked."""
    return status is not None and status.state in (CrawlState.RUNNING, CrawlState.OFFLINE)
