"""Work that is asked for at every keystroke and done off the GUI thread: only the newest answer counts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gui.courier import Courier

if TYPE_CHECKING:
    from collections.abc import Callable

    from gui.courier import Words

PAUSE_MS = 120  # in typing


class Latest(QObject):
    """`ready(answer)` comes once the person pauses and the work is done; older questions are dropped."""

    ready = Signal(object)

    def __init__(self, work: Callable[[Any], Any], parent: QObject | None = None, pause_ms: int = PAUSE_MS) -> None:
        super().__init__(parent)
        self._work = work
        self._question: Any = None
        self._busy = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(pause_ms)
        self._timer.timeout.connect(self._on_pause)
        self._courier = Courier(self)
        self._courier.finished.connect(self._on_done)

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._busy or self._timer.isActive()

    def ask(self, question: Any) -> None:
        """Answer this, and nothing that was asked before."""
        self._question = question
        self._timer.start()

    @Slot()
    def _on_pause(self) -> None:
        if not self._busy:
            self._busy = True
            self._courier.start()
            arguments = (self._work, self._question, self._courier.words)
            threading.Thread(target=_run, args=arguments, name="latest", daemon=True).start()

    @Slot(object)
    def _on_done(self, pair: tuple[Any, Any]) -> None:
        self._busy = False
        question, answer = pair
        if question is not self._question:
            self._timer.start()
        elif not self._timer.isActive():
            self.ready.emit(answer)


def _run(work: Callable[[Any], Any], question: Any, words: Words) -> None:
    words.finish((question, work(question)))
