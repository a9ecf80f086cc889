"""The button that chooses which columns of a table are shown, and in which zone its times are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QPushButton

from gui.foreign_text import on_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.read.columns import Column
    from gui.theme import Theme


class ColumnsButton(QPushButton):
    """`toggled_column(name, shown)`; `reset_wanted`; `local_chosen(bool)` for the times."""

    toggled_column = Signal(str, bool)
    reset_wanted = Signal()
    local_chosen = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setText(self.tr("Columns"))
        self.setToolTip(self.tr("Choose the columns; drag headers to move them"))
        theme.dress(self, "view-column-outline")
        self._columns: tuple[Column, ...] = ()
        self._shown: frozenset[str] = frozenset()
        self._local = False
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._on_about_to_show)
        self.setMenu(self._menu)

    def set_columns(self, columns: Sequence[Column], shown: Sequence[str], *, local: bool) -> None:
        """What the menu offers and what is ticked."""
        self._columns, self._shown, self._local = tuple(columns), frozenset(shown), local

    @Slot()
    def _on_about_to_show(self) -> None:
        self._menu.clear()
        for column in self._columns:
            action = self._menu.addAction(on_button(column.title, 60))
            action.setCheckable(True)
            action.setChecked(column.name in self._shown)
            action.setEnabled(column.name not in self._shown or len(self._shown) > 1)
            action.triggered.connect(lambda on, name=column.name: self.toggled_column.emit(name, on))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Back to the usual columns")).triggered.connect(self.reset_wanted)
        if any(column.kind == "time" for column in self._columns):
            local = self._menu.addAction(self.tr("Times of this computer instead of UTC"))
            local.setCheckable(True)
            local.setChecked(self._local)
            local.triggered.connect(self.local_chosen)
