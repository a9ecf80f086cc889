"""One thread that works through what it is given, in order, and ends in good order whichever way its owner goes.

Answers come back by signals of the worker: Qt hands them to the thread of the window. When the WorkerThread is let
go, or the program ends, the work in hand is interrupted, what was opened is closed, and the thread is waited for.
"""

from __future__ import annotations

import threading
import weakref
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_SECONDS = 5.0


class Work(Protocol):
    """Whose methods are called in the thread."""

    def interrupt(self) -> None:
        """Cut short what runs now; called from another thread."""

    def end(self) -> None:
        """Close what was opened; called in the thread, last."""


class WorkerThread:
    """The thread of one worker; it begins with the first thing to do."""

    def __init__(self, worker: Work, name: str) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=_work_through, args=(self._jobs, worker), name=name, daemon=True)
        self._finish = weakref.finalize(self, _finish, self._jobs, self._thread, worker)

    def post(self, job: Callable[..., None], *arguments: Any) -> None:
        """Call it in the thread, after what was posted before."""
        if not self._finish.alive:
            return
        if self._thread.ident is None:
            self._thread.start()
        self._jobs.put(lambda: job(*arguments))

    def finish(self) -> None:
        """End the thread and wait for it; nothing is done afterwards."""
        self._finish()


def _work_through(jobs: SimpleQueue[Callable[[], None] | None], worker: Work) -> None:
    try:
        while (job := jobs.get()) is not None:
            job()
    finally:
        worker.end()


def _finish(jobs: SimpleQueue[Callable[[], None] | None], thread: threading.Thread, worker: Work) -> None:
    if thread.is_alive():
        worker.interrupt()
        jobs.put(None)
        if thread is not threading.current_thread():
            thread.join(LONGEST_SECONDS)
