"""Work with a whole file, seen: how far it is, and a button that gives it up and leaves nothing half behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QDialog, QProgressBar, QPushButton, QVBoxLayout, QWidget

from core.errors import FronteiraError
from gui.cancellable import Cancellable
from gui.foreign_text import shown
from gui.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[float], None]
    Job = Callable[[Progress], Any]

WHOLE = 1000


class GivenUp(FronteiraError):
    """The person gave the work up: raised out of it where it tells how far it is. Nothing was written."""


class WorkDialog(QDialog):
    """Runs `job(progress)` in a thread; `done_with(result)` or `failed(fault)`, neither when it was given up."""

    done_with = Signal(object)
    failed = Signal(object)  # FronteiraError

    def __init__(self, parent: QWidget, title: str, text: str, job: Job) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(shown(title, 120))
        self.setMinimumWidth(440)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(title)
        self._cancel = QPushButton(self.tr("Cancel"))
        self._lay_out(title, text)
        self._work = Cancellable(lambda cancelled, tell: job(_told(cancelled, tell)), self)
        self._work.told.connect(self._on_told)
        self._work.finished.connect(self._on_finished)
        self._work.failed.connect(self._on_failed)
        self._cancel.clicked.connect(self.reject)
        self._work.start()

    def _lay_out(self, title: str, text: str) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(plain_label(title, "title", wrap=True))
        layout.addWidget(plain_label(text, "muted", wrap=True))
        layout.addWidget(self._bar)
        layout.addWidget(self._cancel, 0, Qt.AlignmentFlag.AlignRight)

    def done(self, result: int) -> None:
        self._work.cancel()
        super().done(result)

    @Slot(object)
    def _on_told(self, share: float) -> None:
        self._bar.setRange(0, WHOLE)
        self._bar.setValue(round(min(1.0, share) * WHOLE))

    @Slot(object)
    def _on_finished(self, result: object) -> None:
        self.done_with.emit(result)
        self.accept()

    @Slot(object)
    def _on_failed(self, fault: FronteiraError) -> None:
        self.failed.emit(fault)
        self.accept()


def _told(cancelled: Callable[[], bool], tell: Callable[[object], None]) -> Progress:
    def progress(share: float) -> None:
        if cancelled():
            raise GivenUp("It was given up; nothing was written.")
        tell(share)

    return progress
