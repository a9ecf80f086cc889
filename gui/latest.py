"""Work that is asked for at every keystroke and done off the GUI thread: only the newest answer counts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

PAUSE_MS = 120  # in typing


class Latest(QObject):
    """`ready(answer)` comes once the person pauses and the work is done; older questions are dropped."""

    ready = Signal(object)
    _done = Signal(object)

    def __init__(self, work: Callable[[Any], Any], parent: QObject | None = None, pause_ms: int = PAUSE_MS) -> None:
        super().__init__(parent)
        self._work = work
        self._question: Any = None
        self._busy = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(pause_ms)
        self._timer.timeout.connect(self._on_pause)
        self._done.connect(self._on_done)

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
            threading.Thread(target=self._run, args=(self._question,), name="latest", daemon=True).start()

    def _run(self, question: Any) -> None:
        answer = self._work(question)
        try:
            self._done.emit((question, answer))
        except RuntimeError:  # the widget that asked was deleted meanwhile: nobody wants the answer
            return

    @Slot(object)
    def _on_done(self, pair: tuple[Any, Any]) -> None:
        self._busy = False
        question, answer = pair
        if question is not self._question:
            self._timer.start()
        elif not self._timer.isActive():
            self.ready.emit(answer)
