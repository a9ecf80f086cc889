"""The lines of the sidebar as a model: group headings and the crawls under them, filtered by name or group."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from core.store.words import quantity
from gui.crawl_words import state_words
from gui.figures import day, since
from gui.foreign_text import shown, tooltip
from gui.sidebar.glance import Glance

if TYPE_CHECKING:
    from pathlib import Path

    from gui.preferences import KnownCrawl

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Row:
    """A heading (no glance) or a crawl."""

    title: str
    glance: Glance | None = None


class CrawlList(QAbstractListModel):
    """All known crawls, by group and name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: tuple[KnownCrawl, ...] = ()
        self._glances: dict[Path, Glance] = {}
        self._filter = ""
        self._rows: tuple[Row, ...] = ()

    def set_known(self, known: tuple[KnownCrawl, ...]) -> None:
        self._known = known
        self._arrange()

    def set_filter(self, text: str) -> None:
        self._filter = text.casefold().strip()
        self._arrange()

    def see(self, glance: Glance) -> None:
        """Take a newer look at a crawl."""
        before = self._glances.get(glance.path)
        self._glances[glance.path] = glance
        if before is None or before.name != glance.name:
            self._arrange()
        elif before != glance:
            self._change(glance)

    def row_of(self, path: Path) -> int:
        """Its line, -1 when it is not shown."""
        places = (at for at, row in enumerate(self._rows) if row.glance and row.glance.path == path)
        return next(places, -1)

    def glance_at(self, index: Index) -> Glance | None:
        return self._rows[index.row()].glance if index.isValid() else None

    def group_of(self, path: Path) -> str:
        return next((crawl.group for crawl in self._known if crawl.path == path), "")

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({crawl.group for crawl in self._known if crawl.group}, key=str.casefold))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.glance_at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}, {summary(row.glance)}" if row.glance else row.title
        if role == Qt.ItemDataRole.ToolTipRole and row.glance:
            return tooltip(row.glance.fault or str(row.glance.path))
        return None

    def _change(self, glance: Glance) -> None:
        at = self.row_of(glance.path)
        if at >= 0:
            changed = replace(self._rows[at], glance=glance)
            self._rows = (*self._rows[:at], changed, *self._rows[at + 1 :])
            self.dataChanged.emit(self.index(at), self.index(at))

    def _arrange(self) -> None:
        self.beginResetModel()
        rows: list[Row] = []
        for group in ("", *self.groups):
            crawls = self._crawls_of(group)
            if crawls and group:
                rows.append(Row(shown(group)))
            rows.extend(Row(self._title(glance), glance) for glance in crawls)
        self._rows = tuple(rows)
        self.endResetModel()

    def _title(self, glance: Glance) -> str:
        """Its name; with the file's where another crawl has the same."""
        named = [self._glance_of(crawl.path).name for crawl in self._known]
        alone = named.count(glance.name) < 2
        return shown(glance.name if alone else f"{glance.name} · {glance.path.name}")

    def _glance_of(self, path: Path) -> Glance:
        return self._glances.get(path, Glance(path, path.stem))

    def _crawls_of(self, group: str) -> list[Glance]:
        members = (crawl for crawl in self._known if crawl.group == group)
        glances = [self._glance_of(crawl.path) for crawl in members]
        wanted = [glance for glance in glances if self._filter in f"{glance.name} {group}".casefold()]
        return sorted(wanted, key=lambda glance: glance.name.casefold())


def summary(glance: Glance) -> str:
    """The second line of a crawl: its state and what is most worth knowing in it."""
    if glance.missing:
        return "File not found"
    if glance.fault:
        return "Cannot be opened"
    words = state_words(glance.state, glance.reason)
    if glance.state == "idle":
        return words.label
    if glance.overdue and glance.next_run is not None:
        return f"{words.label} · overdue since {since(glance.next_run, time.time())}"
    if words.label == "Killed":
        return "Killed · can resume"
    if glance.state == "finished" and glance.ended:
        return f"Finished {day(glance.ended)} · {quantity(glance.pages, 'page')}"
    return f"{words.label} · {quantity(glance.pages, 'page')}"
