"""The list of crawls the window knows, kept in the preferences: added, forgotten, moved, grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.dialogs.group import GroupDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from gui.preferences import KnownCrawl, Preferences


class KnownCrawls(QObject):
    """`changed` after every change; the files themselves are never touched."""

    changed = Signal()

    def __init__(self, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self._preferences = preferences
        self._window = window

    @property
    def crawls(self) -> tuple[KnownCrawl, ...]:
        return self._preferences.known

    def group_of(self, path: Path) -> str:
        """The group it stands under, "" for none."""
        return next((crawl.group for crawl in self.crawls if crawl.path == path), "")

    def add(self, path: Path) -> None:
        self._preferences.remember(path)
        self.changed.emit()

    def forget(self, path: Path) -> None:
        """Take it off the list."""
        self._preferences.forget(path)
        self.changed.emit()

    def move(self, old: Path, new: Path) -> None:
        """A file was found in another place: it keeps its group."""
        group = self.group_of(old)
        self._preferences.forget(old)
        self._preferences.remember(new, group)
        self.changed.emit()

    @Slot(object)
    def ask_group(self, path: Path) -> None:
        """Put it into a group whose name is asked for."""
        dialog = GroupDialog(self._window)
        dialog.named.connect(lambda group: self.put_into(path, group))
        dialog.open()

    @Slot(object, str)
    def put_into(self, path: Path, group: str) -> None:
        self._preferences.remember(path, group)
        self.changed.emit()
