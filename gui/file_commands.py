"""The commands that ask for a file: open, locate, save a copy, load and save a profile.

Each opens a file dialog and goes on when a file was chosen; nothing waits. Faults are shown and change nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from core.errors import FronteiraError, SettingsError
from core.profile import read_profile, write_profile
from core.store.crawl_file import backup
from gui.dialogs.fault import FaultDialog, fault_dialog
from gui.file_dialog import file_dialog
from gui.file_names import file_name
from gui.files.work_dialog import WorkDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from core.settings import CrawlSettings
    from gui.preferences import Preferences

LONGEST_PROFILE = 4_000_000  # bytes
MOST_PROBLEMS = 12


class FileCommands(QObject):
    """Dialogs over the window that owns it."""

    file_chosen = Signal(object)  # Path to open
    file_located = Signal(object, object)  # old Path, new Path
    profile_loaded = Signal(object)  # CrawlSettings
    done = Signal(str)  # a sentence: what was written where

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences

    def ask_open(self) -> None:
        self._ask(self.tr("Open a crawl"), self.tr("Crawl files (*.crawl);;All files (*)"), self.file_chosen.emit)

    def ask_locate(self, missing: Path) -> None:
        """A known file is not where it was."""
        title = self.tr("Where is {0} now?").format(missing.name)
        filters = self.tr("Crawl files (*.crawl);;All files (*)")
        self._ask(title, filters, lambda path: self.file_located.emit(missing, path))

    def ask_copy(self, path: Path) -> None:
        """A consistent copy, also while the crawl runs."""
        suggested = f"{file_name(path.stem)} copy.crawl"
        filters = self.tr("Crawl files (*.crawl)")
        self._ask_save(self.tr("Save a copy"), suggested, filters, lambda to: self._copy(path, to))

    def ask_load_profile(self) -> None:
        self._ask(self.tr("Load a profile"), self.tr("Profiles (*.toml);;All files (*)"), self._load_profile)

    def ask_save_profile(self, settings: CrawlSettings, name: str) -> None:
        filters = self.tr("Profiles (*.toml)")
        self._ask_save(
            self.tr("Save the profile"), f"{file_name(name)}.toml", filters, lambda to: self._save_profile(settings, to)
        )

    def show_fault(self, title: str, fault: FronteiraError) -> None:
        fault_dialog(self._window, title, fault).open()

    def _copy(self, path: Path, to: Path) -> None:
        text = self.tr("The crawl may go on meanwhile: the copy is of this moment.")
        dialog = WorkDialog(self._window, self.tr("Saving a copy"), text, lambda progress: backup(path, to, progress))
        dialog.done_with.connect(lambda _none: self.done.emit(self.tr("A copy was saved as {0}.").format(to)))
        dialog.failed.connect(lambda fault: self.show_fault(self.tr("The copy could not be saved"), fault))
        dialog.open()

    def _load_profile(self, path: Path) -> None:
        title = self.tr("The profile could not be loaded")
        try:
            settings, _warnings = read_profile(_text_of(path))
        except SettingsError as fault:
            lines = [str(problem) for problem in fault.problems[:MOST_PROBLEMS]]
            left = len(fault.problems) - len(lines)
            more = self.tr("… and {0} more.").format(left) if left > 0 else ""
            FaultDialog(self._window, title, "\n".join([path.name, *lines, more]).strip(), "").open()
        except FronteiraError as fault:
            self.show_fault(title, fault)
        else:
            self.profile_loaded.emit(settings)

    def _save_profile(self, settings: CrawlSettings, to: Path) -> None:
        temporary = to.with_name(f".{to.name}.new")
        try:
            temporary.write_text(write_profile(settings), encoding="utf-8")
            temporary.replace(to)
        except OSError as error:
            fault = FronteiraError(f"{to} could not be written: {error.strerror}.", "Choose another folder.")
            self.show_fault(self.tr("The profile could not be saved"), fault)
        else:
            self.done.emit(self.tr("The profile was saved as {0}.").format(to))

    def _ask(self, title: str, filters: str, then: Callable[[Path], object]) -> None:
        dialog = self._dialog(title, filters, then)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.open()

    def _ask_save(self, title: str, name: str, filters: str, then: Callable[[Path], object]) -> None:
        dialog = self._dialog(title, filters, then)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(Path(name).suffix[1:])
        dialog.selectFile(name)
        dialog.open()

    def _dialog(self, title: str, filters: str, then: Callable[[Path], object]) -> QFileDialog:
        dialog = file_dialog(self._window, title, self._preferences.folder, filters)
        dialog.fileSelected.connect(lambda name: self._on_chosen(Path(name), then))
        return dialog

    def _on_chosen(self, path: Path, then: Callable[[Path], object]) -> None:
        self._preferences.set_folder(path.parent)
        then(path)


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > LONGEST_PROFILE:
            raise FronteiraError(f"{path.name} is too long to be a profile.")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FronteiraError(f"{path.name} is not a text file in UTF-8.", "Choose a profile (.toml).") from error
    except OSError as error:
        raise FronteiraError(f"{path.name} could not be read: {error.strerror}.") from error
