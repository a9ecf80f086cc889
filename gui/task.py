"""One piece of work off the GUI thread, with its result or its fault brought back by a signal."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError

if TYPE_CHECKING:
    from collections.abc import Callable


class Task(QObject):
    """Runs `work` in a thread once. A fault of the world comes back as `failed`; one of ours crashes loudly."""

    finished = Signal(object)
    failed = Signal(object)  # FronteiraError

    def __init__(self, work: Callable[[], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._thread = threading.Thread(target=self._run, name="background task", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        try:
            result = self._work()
        except FronteiraError as fault:
            self.failed.emit(fault)
        else:
            self.finished.emit(result)
