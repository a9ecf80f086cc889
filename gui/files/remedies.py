"""Asks what to do about a file that cannot be opened, and does it: rescue it, bring it up to date, find it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from core.store.migrations.upgrade import bring_up_to_date
from core.store.rescue.salvage import salvage
from gui.dialogs.fault import fault_dialog
from gui.dialogs.question import Answer, Question
from gui.file_dialog import file_dialog
from gui.file_names import file_name, free_place
from gui.files.offers import CLOSE, LOCATE, OTHER, SALVAGE, UPDATE, remedy
from gui.files.work_dialog import WorkDialog
from gui.foreign_text import shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from core.errors import FronteiraError
    from core.store.rescue.salvage import Salvage
    from gui.preferences import Preferences

OPEN = "open"
MOST_SENTENCES = 12


class Remedies(QObject):
    """Dialogs over the window that owns it; nothing is changed before an answer, and the old file never."""

    file_ready = Signal(object)  # Path to open
    other_wanted = Signal()
    locate_wanted = Signal(object)  # Path that is not there

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences

    def offer(self, path: Path, fault: FronteiraError) -> None:
        """Say what is wrong, and ask."""
        found = remedy(fault)
        question = Question(
            self._window,
            found.title,
            tuple(text for text in (fault.sentence, found.text) if text),
            found.answers,
            harmless=CLOSE,
        )
        question.answered.connect(lambda answer: self._on_answered(path, answer))
        question.open()

    def update(self, path: Path) -> None:
        """Bring an older file up to date, and open it."""
        title = self.tr("Bringing {0} up to date").format(shown(path.name, 60))
        text = self.tr("On a copy, which takes its place when it has proved sound.")
        dialog = WorkDialog(self._window, title, text, lambda progress: bring_up_to_date(path, progress))
        dialog.done_with.connect(lambda _kept: self.file_ready.emit(path))
        dialog.failed.connect(lambda fault: self._show(self.tr("It could not be brought up to date"), fault))
        dialog.open()

    def ask_salvage(self, path: Path) -> None:
        """Ask for the name of the new file."""
        title = self.tr("Rescue into a new file")
        dialog = file_dialog(self._window, title, self._preferences.folder, self.tr("Crawl files (*.crawl)"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("crawl")
        proposed = free_place(self._preferences.folder / f"{file_name(path.stem)} rescued.crawl")
        dialog.selectFile(str(proposed))
        dialog.fileSelected.connect(lambda name: self.salvage(path, Path(name)))
        dialog.open()

    def salvage(self, path: Path, to: Path) -> None:
        """Rescue what can be read, and report."""
        title = self.tr("Rescuing {0}").format(shown(path.name, 60))
        text = self.tr("Every row that can be read goes into the new file; the old one stays as it is.")
        dialog = WorkDialog(
            self._window, title, text, lambda progress: salvage(path, to, time.time(), progress=progress)
        )
        dialog.done_with.connect(lambda found: self._report(to, found))
        dialog.failed.connect(lambda fault: self._show(self.tr("Nothing could be rescued"), fault))
        dialog.open()

    def _report(self, to: Path, found: Salvage) -> None:
        sentences = found.sentences()
        left = len(sentences) - MOST_SENTENCES
        more = (self.tr("… and {0} more.").format(left),) if left > 0 else ()
        question = Question(
            self._window,
            self.tr("Rescued into {0}").format(shown(to.name, 60)),
            ("\n".join((*sentences[:MOST_SENTENCES], *more)), *self._settings_words(found)),
            (Answer(CLOSE, self.tr("Close"), "quiet"), Answer(OPEN, self.tr("Open the new file"), "primary")),
            harmless=CLOSE,
        )
        question.answered.connect(lambda answer: self.file_ready.emit(to) if answer == OPEN else None)
        question.open()

    def _settings_words(self, found: Salvage) -> tuple[str, ...]:
        if not found.left_out:
            return ()
        return (self.tr("The settings named above were left out: look at them before you start, under Setup."),)

    def _on_answered(self, path: Path, answer: str) -> None:
        if answer == SALVAGE:
            self.ask_salvage(path)
        elif answer == UPDATE:
            self.update(path)
        elif answer == LOCATE:
            self.locate_wanted.emit(path)
        elif answer == OTHER:
            self.other_wanted.emit()

    def _show(self, title: str, fault: FronteiraError) -> None:
        fault_dialog(self._window, title, fault).open()
