"""The audit that follows an unclean end, while the engine is at work again."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from core.errors import FronteiraError

if TYPE_CHECKING:
    from pathlib import Path

AFTER = 2.0  # seconds: the first requests of a start are not kept waiting
LARGEST = 1_000_000_000  # bytes; the WAL grows while a file is audited, so a larger one is left to `check`
SMALL = 64_000_000  # bytes; audited in a fraction of a second, for which the end of a run can wait


class AuditBeside:
    """Looks into the file in a thread of its own, once, if that is due. End it before the lock is let go."""

    def __init__(self, path: Path, after: float = AFTER) -> None:
        self._path = path
        self._after = after
        self._over = threading.Event()
        self._called_off = False
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def finish(self) -> None:
        """The run has ended in order: an audit that is due, and quickly done, is done now."""
        self._called_off = self._size() > SMALL
        self._end()

    def call_off(self) -> None:
        """An audit that is not done stays due: the next start or look at the file does it."""
        self._called_off = True
        self._end()

    def _end(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        self._over.wait(self._after)
        if self._called_off or self._size() > LARGEST:
            return
        from core.store.read.snapshot import Interrupted
        from core.store.rescue.certify import certify, is_due

        with suppress(FronteiraError, Interrupted):  # the crawl itself meets every fault that matters, and tells it
            if is_due(self._path):
                certify(self._path, time.time(), lambda: self._called_off)

    def _size(self) -> int:
        try:
            return self._path.stat().st_size
        except OSError:  # it was moved while it ran
            return LARGEST + 1
