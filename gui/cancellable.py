"""Work off the window's thread that takes a while: it tells how far it is, and can be called off at any moment."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtCore import SignalInstance

    Cancelled = Callable[[], bool]
    Tell = Callable[[object], None]


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
        self._work = work
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="cancellable work", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Nothing but `called_off` is heard of it any more."""
        if not self._cancelled.is_set():
            self._cancelled.set()
            self.called_off.emit()

    def _run(self) -> None:
        try:
            result = self._work(self._cancelled.is_set, self._tell)
        except FronteiraError as fault:
            self._send(self.failed, fault)
        else:
            self._send(self.finished, result)

    def _tell(self, progress: object) -> None:
        self._send(self.told, progress)

    def _send(self, signal: SignalInstance, value: object) -> None:
        if self._cancelled.is_set():
            return
        try:
            signal.emit(value)
        except RuntimeError:  # the widget that asked was deleted meanwhile: nobody wants the answer
            self._cancelled.set()


def awaited(make: Callable[[], Coroutine[Any, Any, Any]]) -> Callable[[Cancelled, Tell], Any]:
    """Work that awaits a coroutine on a loop of its own thread; calling it off cancels the coroutine."""

    def work(cancelled: Cancelled, _tell: Tell) -> Any:
        return asyncio.run(_until_cancelled(make(), cancelled))

    return work


LOOK_SECONDS = 0.05


async def _until_cancelled(coroutine: Coroutine[Any, Any, Any], cancelled: Cancelled) -> Any:
    task = asyncio.ensure_future(coroutine)
    while not task.done():
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
        if cancelled():
            task.cancel()
    return None if task.cancelled() else task.result()
