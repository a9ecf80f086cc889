"""One piece of work off the GUI thread, with its result or its fault brought back by a signal."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError
from gui.courier import Courier

if TYPE_CHECKING:
    from collections.abc import Callable

    from gui.courier import Words


class Task(QObject):
    """Runs `work` in a thread once. A fault of the world comes back as `failed`; one of ours crashes loudly."""

    finished = Signal(object)
    failed = Signal(object)  # FronteiraError

    def __init__(self, work: Callable[[], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._courier = Courier(self)
        self._courier.finished.connect(self.finished)
        self._courier.failed.connect(self.failed)
        arguments = (work, self._courier.words)
        self._thread = threading.Thread(target=_run, args=arguments, name="background task", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._courier.start()


def _run(work: Callable[[], Any], words: Words) -> None:
    try:
        result = work()
    except FronteiraError as fault:
        words.fail(fault)
    else:
        words.finish(result)
