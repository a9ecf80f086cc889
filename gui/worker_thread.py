"""One thread that works through what it is given, in order, and ends in good order whichever way its owner goes.

Answers come back by signals of the worker: Qt hands them to the thread of the window. When the WorkerThread is let
go, or the program ends, the work in hand is interrupted, what was opened is closed, and the thread is waited for.
A fault of ours ends the thread loudly, and is told; the next thing to do begins another thread.
"""

from __future__ import annotations

import threading
import weakref
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    Jobs = SimpleQueue[Callable[[], None] | None]

LONGEST_SECONDS = 5.0


class Work(Protocol):
    """Whose methods are called in the thread."""

    def interrupt(self) -> None:
        """Cut short what runs now, for good; called from another thread."""

    def end(self) -> None:
        """Close what was opened; called in the thread, last."""


class WorkerThread:
    """The thread of one worker; it begins with the first thing to do. `died(sentence)` is called in a dying thread."""

    def __init__(self, worker: Work, name: str, died: Callable[[str], None] | None = None) -> None:
        self._jobs: Jobs = SimpleQueue()
        self._worker, self._name, self._died = worker, name, died
        self._threads: list[threading.Thread] = []  # the one that is at work, if any
        self._finish = weakref.finalize(self, _finish, self._jobs, self._threads, worker)

    def post(self, job: Callable[..., None], *arguments: Any) -> None:
        """Call it in the thread, after what was posted before."""
        if not self._finish.alive:
            return
        if not self._threads:
            self._begin()
        self._jobs.put(lambda: job(*arguments))

    def finish(self) -> None:
        """End the thread and wait for it; nothing is done afterwards."""
        self._finish()

    def _begin(self) -> None:
        arguments = (self._jobs, self._threads, self._worker, self._died)
        thread = threading.Thread(target=_work_through, args=arguments, name=self._name, daemon=True)
        self._threads[:] = [thread]
        thread.start()


def _work_through(
    jobs: Jobs, threads: list[threading.Thread], worker: Work, died: Callable[[str], None] | None
) -> None:
    try:
        while (job := jobs.get()) is not None:
            job()
    except BaseException as fault:
        worker.end()
        threads.clear()  # from here on another thread may begin
        if died is not None:
            died(f"{type(fault).__name__}: {fault}")
        raise
    worker.end()


def _finish(jobs: Jobs, threads: list[threading.Thread], worker: Work) -> None:
    for thread in tuple(threads):
        if thread.is_alive():
            worker.interrupt()
            jobs.put(None)
            if thread is not threading.current_thread():
                thread.join(LONGEST_SECONDS)
