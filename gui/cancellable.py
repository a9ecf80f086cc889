"""Work off the window's thread that takes a while: it tells how far it is, and can be called off at any moment."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError
from gui.courier import Courier

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from gui.courier import Words

    Cancelled = Callable[[], bool]
    Tell = Callable[[object], None]

LOOK_SECONDS = 0.05


class Cancellable(QObject):
    """Runs `work(cancelled, tell)` once in a thread; work asks `cancelled()` often and may `tell` how far it is.

    One of `finished`, `failed` and `called_off` comes at the end; after `cancel` it is `called_off`, at once, and the
    thread ends by itself as soon as it looks.
    """

    told = Signal(object)
    finished = Signal(object)
    failed = Signal(object)  # FronteiraError
    called_off = Signal()

    def __init__(self, work: Callable[[Cancelled, Tell], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self.destroyed.connect(self._cancelled.set)  # nobody wants the answer
        self._courier = Courier(self)
        self._courier.told.connect(self.told)
        self._courier.finished.connect(self.finished)
        self._courier.failed.connect(self.failed)
        arguments = (work, self._cancelled, self._courier.words)
        self._thread = threading.Thread(target=_run, args=arguments, name="cancellable work", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._courier.start()

    def cancel(self) -> None:
        """Nothing but `called_off` is heard of it any more."""
        if not self._cancelled.is_set():
            self._cancelled.set()
            self._courier.stop()
            self.called_off.emit()


def _run(work: Callable[[Cancelled, Tell], Any], cancelled: threading.Event, words: Words) -> None:
    try:
        result = work(cancelled.is_set, words.tell)
    except FronteiraError as fault:
        words.fail(fault)
    else:
        words.finish(result)


def awaited(make: Callable[[], Coroutine[Any, Any, Any]]) -> Callable[[Cancelled, Tell], Any]:
    """Work that awaits a coroutine on a loop of its own thread; calling it off cancels the coroutine."""

    def work(cancelled: Cancelled, _tell: Tell) -> Any:
        return asyncio.run(_until_cancelled(make(), cancelled))

    return work


async def _until_cancelled(coroutine: Coroutine[Any, Any, Any], cancelled: Cancelled) -> Any:
    task = asyncio.ensure_future(coroutine)
    while not task.done():
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
        if cancelled():
            task.cancel()
    return None if task.cancelled() else task.result()
