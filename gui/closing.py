"""What happens to running engines when the window closes: they go on by wish, or finish what is in flight.

The window stays alive and responsive meanwhile: this waits by signals and one timer, for at most nine seconds (an
engine promises eight), then ends what is left.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gui.session import OpenCrawl

LONGEST_MS = 9000


class CloseChoice(StrEnum):
    """What the person wants when a window with running engines closes."""

    ASK = "ask"
    KEEP = "keep"
    DRAIN = "drain"


class Closing(QObject):
    """One closing of the window. `finished` when nothing holds it any more; `failed` when a wish was not written."""

    finished = Signal()
    failed = Signal(str)

    def __init__(self, crawls: Sequence[OpenCrawl], choice: CloseChoice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._waiting = [crawl for crawl in crawls if crawl.engine.is_ours]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(LONGEST_MS)
        self._timer.timeout.connect(self._on_too_long)

    def begin(self) -> None:
        """Ask every engine of ours; returns at once."""
        self._timer.start()
        for crawl in tuple(self._waiting):
            if self._choice is CloseChoice.KEEP:
                crawl.kept.connect(self._on_kept)
                crawl.error_raised.connect(self._on_error)
                crawl.keep()
            else:
                crawl.engine.ended.connect(self._on_ended)
                crawl.engine.drain()
        self._finish_when_alone()

    @Slot()
    def _on_kept(self) -> None:
        crawl = self.sender()
        self._waiting = [other for other in self._waiting if other is not crawl]
        self._finish_when_alone()

    @Slot()
    def _on_ended(self) -> None:
        self._waiting = [crawl for crawl in self._waiting if crawl.engine.is_ours]
        self._finish_when_alone()

    @Slot(str)
    def _on_error(self, sentence: str) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self.failed.emit(sentence)

    @Slot()
    def _on_too_long(self) -> None:
        if self._choice is CloseChoice.KEEP:
            self.failed.emit(self.tr("The crawl file is busy; the wish to keep crawling was not written."))
            return
        for crawl in self._waiting:
            crawl.engine.kill()
        self._waiting = []
        self.finished.emit()

    def _finish_when_alone(self) -> None:
        if not self._waiting and self._timer.isActive():
            self._timer.stop()
            self.finished.emit()
