"""What a thread says to a window that may be gone by then.

The thread touches no object of Qt's: a signal sent across threads while its listener is being deleted crashed the
program, seldom and beyond any catching. It leaves its words in a queue, into which the window's own thread looks.
"""

from __future__ import annotations

from enum import Enum
from queue import SimpleQueue
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

LOOK_MILLISECONDS = 15  # a person sees no delay below 50


class _Kind(Enum):
    TOLD = "told"
    FINISHED = "finished"
    FAILED = "failed"


class Words:
    """The thread's end: what it says here is heard in the window's thread, or by nobody."""

    def __init__(self) -> None:
        self._said: SimpleQueue[tuple[_Kind, Any]] = SimpleQueue()

    def tell(self, progress: object) -> None:
        self._said.put((_Kind.TOLD, progress))

    def finish(self, result: object) -> None:
        self._said.put((_Kind.FINISHED, result))

    def fail(self, fault: Exception) -> None:
        self._said.put((_Kind.FAILED, fault))

    def said_so_far(self) -> list[tuple[_Kind, Any]]:
        return [self._said.get() for _ in range(self._said.qsize())]


class Courier(QObject):
    """The window's end: from `start` it brings a thread's words, until they end with a result or a fault, or `stop`."""

    told = Signal(object)
    finished = Signal(object)
    failed = Signal(object)  # FronteiraError

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.words = Words()
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MILLISECONDS)
        self._look.timeout.connect(self._on_look)

    def start(self) -> None:
        self._look.start()

    def stop(self) -> None:
        """Nothing more is brought."""
        self._look.stop()

    @Slot()
    def _on_look(self) -> None:
        for kind, word in self.words.said_so_far():
            if not self._look.isActive():  # a listener of the word before wants no more
                return
            if kind is _Kind.TOLD:
                self.told.emit(word)
            else:
                self._look.stop()
                (self.finished if kind is _Kind.FINISHED else self.failed).emit(word)
