"""An export beside the window's thread, with progress, and an end when it is not wanted any more."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.errors import FronteiraError
from core.export.base import Cancelled, export

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.read.columns import TableQuery

TELL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Order:
    """What is exported, and how."""

    path: Path
    query: TableQuery
    to: Path
    format: str
    raw: bool = False
    bom: bool = False
    about: bool = False


class ExportJob(QObject):
    """`run` is called in a thread of its own."""

    progressed = Signal(int, int)
    finished = Signal(int)  # rows
    cancelled = Signal()
    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._unwanted = threading.Event()
        self._told = 0.0

    def run(self, order: Order) -> None:
        """Write the file: whole, or not at all."""
        try:
            rows = export(
                order.path,
                order.query,
                order.to,
                order.format,
                raw=order.raw,
                bom=order.bom,
                about=order.about,
                progress=self._progress,
                cancelled=self._unwanted.is_set,
            )
        except Cancelled:
            self.cancelled.emit()
        except FronteiraError as fault:
            self.failed.emit(str(fault))
        else:
            self.finished.emit(rows)

    def renew(self) -> None:
        """Another export is about to be asked for; called from the window's thread."""
        self._unwanted.clear()

    def interrupt(self) -> None:
        """Give up; called from the window's thread."""
        self._unwanted.set()

    def end(self) -> None:
        """Nothing stays open."""

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done == total or now - self._told >= TELL_SECONDS:
            self._told = now
            self.progressed.emit(done, total)
