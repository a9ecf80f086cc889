"""The bottom line of the window: the engine's process, the file and its size, and the time in UTC."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout

from gui.figures import clock, size, span
from gui.labels import ElidedLabel, plain_label
from gui.theme import tabular

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.store.rows import Status
    from gui.session import OpenCrawl

SECOND_MS = 1000


class Footer(QFrame):
    """Ticks once a second; everything else it is told."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("footer")
        self._crawl: OpenCrawl | None = None
        self._seen = 0.0
        self._event: tuple[object, ...] = ()
        self._engine = ElidedLabel()
        self._file = ElidedLabel()
        self._clock = plain_label()
        self._clock.setFont(tabular(self.font()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 4)
        layout.setSpacing(20)
        layout.addWidget(self._engine)
        layout.addStretch(1)
        layout.addWidget(self._file)
        layout.addWidget(self._clock)
        self._timer = QTimer(self)
        self._timer.setInterval(SECOND_MS)
        self._timer.timeout.connect(self._on_tick)
        self._timer.start()
        self._on_tick()

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        self._crawl = crawl
        self._seen = time.monotonic()
        self.show_status(crawl.status if crawl else None)

    def show_status(self, status: Status | None) -> None:
        """The file was looked at; an event is what moved a count or the state."""
        event = () if status is None else (status.state, status.requests, status.pages, status.frontier)
        if event != self._event:
            self._event, self._seen = event, time.monotonic()
        if self._crawl is None or status is None:
            self._file.set_foreign_text("")
        else:
            parts = [self._crawl.path.name, size(status.file_bytes)]
            if status.wal_bytes:
                parts.append(self.tr("WAL {0}").format(size(status.wal_bytes)))
            self._file.set_foreign_text(" · ".join(parts))
        self._on_tick()

    @Slot()
    def _on_tick(self) -> None:
        self._clock.setText(f"UTC {clock(time.time())}")
        self._engine.set_foreign_text(self._engine_line())

    def _engine_line(self) -> str:
        if self._crawl is None:
            return self.tr("No crawl is open")
        status = self._crawl.status
        pid = self._crawl.engine.pid or (status.engine.pid if status and status.engine else None)
        if pid is None:
            return self.tr("No engine runs")
        ago = span(time.monotonic() - self._seen)
        return self.tr("Engine pid {0} · last event {1} ago").format(pid, ago)
