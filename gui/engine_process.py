"""The engine as a process: started, watched, killed, let go. The only place in the window that starts a process.

The engine outlives the window by wish only: it is started with `--attached` and an open stdin, which the kernel
closes when the window dies. Its standard error is kept (the last 8 KB) for the case that it crashes. An engine that
another window or a shell started is found by the lock on the crawl file and can be killed, but not waited for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

import core
from core.store.lock import holder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.store.rows import Holder

WATCH_MS = 100
KEPT_BYTES = 8192
TICKS_FOR_THE_REST = 10  # a second: a grandchild may hold the pipe open after the child's end


class Purpose(Enum):
    """What an engine is started for, as the command line says it."""

    RUN = ("run",)  # begin, or go on
    DUE = ("recrawl",)
    EVERYTHING = ("recrawl", "--all")
    WISHES = ("apply",)  # carry out what waits in the file, and end
    REPARSE = ("reparse", "--json")
    REPARSE_DRY = ("reparse", "--dry-run", "--json")


def engine_command(path: Path, purpose: Purpose = Purpose.RUN) -> list[str]:
    """How this program starts its engine; a frozen build is its own interpreter.

    `-P`: the folder the window was started in may hold another package named core.
    """
    start = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "core"]
    word, *options = purpose.value
    attached = [] if purpose is Purpose.WISHES else ["--attached"]
    return [*start, word, str(path), *options, *attached]


class Child:
    """A process of its own session with an open stdin, whose standard error is kept."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # the command is ours, and no shell reads it
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
            creationflags=_flags(),
        )
        self._tail = b""
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._keep_tail, name="engine stderr", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative where a signal ended it."""
        return self._process.poll()

    @property
    def is_silent(self) -> bool:
        """Whether its standard error has been read to the end."""
        return not self._reader.is_alive()

    @property
    def last_words(self) -> str:
        with self._lock:
            return self._tail.decode(errors="replace").strip()

    def close_stdin(self) -> None:
        """Tell it that nobody holds it any more."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()

    def kill(self) -> None:
        """SIGKILL, or TerminateProcess; nothing when it has ended already."""
        self._process.kill()

    def _keep_tail(self) -> None:
        if self._process.stderr is None:
            return
        with self._process.stderr as stream:
            while piece := os.read(stream.fileno(), 4096):
                with self._lock:
                    self._tail = (self._tail + piece)[-KEPT_BYTES:]


class EngineProcess(QObject):
    """The engine of one crawl file, ours or somebody else's.

    `started(pid)` when ours began, `ended(exit status, last words)` when ours is gone.
    """

    started = Signal(int)
    ended = Signal(int, str)

    def __init__(
        self,
        path: Path,
        parent: QObject | None = None,
        command: Callable[[Path, Purpose], Sequence[str]] = engine_command,
    ) -> None:
        super().__init__(parent)
        self._path = path
        self._command = command
        self._child: Child | None = None
        self._ticks_after_end = 0
        self._timer = QTimer(self)
        self._timer.setInterval(WATCH_MS)
        self._timer.timeout.connect(self._on_tick)

    @property
    def is_ours(self) -> bool:
        """Whether an engine that we started runs."""
        return self._child is not None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    def held_by(self) -> Holder | None:
        """The engine that really holds the file now, whoever started it."""
        return holder(self._path)

    def start(self, purpose: Purpose = Purpose.RUN) -> None:
        """Start the engine, unless one runs; raises OSError where the system cannot."""
        if self._child is not None or self.held_by() is not None:
            return
        self._child = Child(self._command(self._path, purpose))
        self._ticks_after_end = 0
        self._timer.start()
        self.started.emit(self._child.pid)

    def drain(self) -> None:
        """Let go of our engine: it finishes what is in flight and ends, unless a keep wish says go on."""
        if self._child is not None:
            self._child.close_stdin()

    def kill(self) -> None:
        """End the engine at once: ours, or the one that is seen to hold the file's lock at this moment."""
        if self._child is not None:
            self._child.kill()
            return
        held = self.held_by()
        if held is not None and held.pid > 0:
            _kill(held.pid)

    @Slot()
    def _on_tick(self) -> None:
        child = self._child
        if child is None or child.exit_status is None:
            return
        self._ticks_after_end += 1
        if not child.is_silent and self._ticks_after_end < TICKS_FOR_THE_REST:
            return
        self._timer.stop()
        self._child = None
        child.close_stdin()
        self.ended.emit(child.exit_status, child.last_words)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows SIGTERM is TerminateProcess
    except ProcessLookupError:
        return  # it ended between the look and the signal: that is what was wanted


def environment() -> dict[str, str]:
    """The child runs the very code the window runs, wherever it was started."""
    home = str(Path(core.__file__).resolve().parent.parent)
    path = os.environ.get("PYTHONPATH", "")
    return os.environ | {"PYTHONPATH": os.pathsep.join(part for part in (home, path) if part)}


def _flags() -> int:
    """Windows: a group of its own, so that Ctrl+C in a shell does not reach it, and no console window."""
    if sys.platform == "win32":
        return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return 0
