"""The re-parse as a process of its own: it may take long, it holds the engine lock, and it can be ended at any moment.

It is the command line's `reparse`, which tells how far it is in lines of JSON, and ends when its input is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, Slot

from core.store.reparsed import ReparseReport
from gui.engine_process import Purpose, engine_command, environment

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_COMPLAINT = 2000  # characters


class _Far(msgspec.Struct, frozen=True):
    done: int
    of: int


class ReparseProcess(QObject):
    """`started` once; then `told(done, of)`, and at the end `reported(report)` or `failed(sentence)`."""

    told = Signal(int, int)
    reported = Signal(object)  # ReparseReport
    failed = Signal(str)

    def __init__(self, path: Path, *, dry_run: bool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report: ReparseReport | None = None
        self._ended = False
        self._process = QProcess(self)
        program, *arguments = engine_command(path, Purpose.REPARSE_DRY if dry_run else Purpose.REPARSE)
        self._process.setProgram(program)
        self._process.setArguments(arguments)
        variables = QProcessEnvironment()
        for name, value in environment().items():
            variables.insert(name, value)
        self._process.setProcessEnvironment(variables)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    def start(self) -> None:
        """Begin."""
        self._process.start()

    def stop(self) -> None:
        """End soon; what is done stays done, and a report comes."""
        self._process.closeWriteChannel()

    @Slot()
    def _on_output(self) -> None:
        while self._process.canReadLine():
            self._read(bytes(self._process.readLine().data()))

    def _read(self, line: bytes) -> None:
        try:
            far = msgspec.json.decode(line, type=_Far)
        except msgspec.ValidationError:
            self._report = msgspec.json.decode(line, type=ReparseReport)
        else:
            self.told.emit(far.done, far.of)

    @Slot()
    def _on_finished(self) -> None:
        self._on_output()
        if self._report is not None:
            self._end(self._report)
            return
        words = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        self._end(words.removeprefix("fronteira: ")[:LONGEST_COMPLAINT] or self.tr("It ended without a word."))

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._end(self.tr("It could not be started: {0}").format(self._process.errorString()))

    def _end(self, with_what: ReparseReport | str) -> None:
        if self._ended:
            return
        self._ended = True
        if isinstance(with_what, str):
            self.failed.emit(with_what)
        else:
            self.reported.emit(with_what)
