"""Starting a crawl: at once, or, where it is finished, after the question what to crawl again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.store.names import CrawlState
from core.store.read.reader import Reader
from gui.dialogs.again import AgainChoice, again_question
from gui.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from core.errors import FronteiraError
    from gui.session import OpenCrawl

Due = tuple[int, float | None]  # how many URLs are due, and when the next is


class Starting(QObject):
    """One start at a time; a second wish while the first is asked about changes nothing."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._crawl: OpenCrawl | None = None

    def begin(self, crawl: OpenCrawl) -> None:
        """The person pressed Start."""
        if self._crawl is not None or not crawl.may_start or crawl.status is None:
            return
        if crawl.status.state != CrawlState.FINISHED:
            crawl.start()
            return
        self._crawl = crawl
        task = Task(lambda: read_due(crawl.path, time.time()), self)
        task.finished.connect(self._on_due_read)
        task.failed.connect(self._on_failed)
        task.start()

    @Slot(object)
    def _on_due_read(self, due: Due) -> None:
        if self._crawl is None:
            return
        question = again_question(self._window, self._crawl.name, *due, time.time())
        question.answered.connect(self._on_answered)
        question.open()

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        if self._crawl is not None:
            self._crawl.error_raised.emit(str(fault))
        self._crawl = None

    @Slot(str)
    def _on_answered(self, answer: str) -> None:
        crawl, self._crawl = self._crawl, None
        if crawl is not None and answer != AgainChoice.NOT_NOW:
            crawl.crawl_again(everything=answer == AgainChoice.EVERYTHING)


def read_due(path: Path, at: float) -> Due:
    """Counted in a thread: of a large crawl this takes longer than a frame."""
    reader = Reader(path)
    try:
        return reader.due(at)
    finally:
        reader.close()
