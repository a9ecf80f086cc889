"""What the window remembers between two starts: the look, its place, the known crawls and their groups.

Everything here is about the window; nothing here is about a crawl, which keeps its own facts in its file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QStandardPaths

from gui.closing import CloseChoice
from gui.theme import ThemeChoice

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings


@dataclass(frozen=True, slots=True)
class KnownCrawl:
    """A crawl file the window has met, with the group it stands under in the sidebar ("" for none)."""

    path: Path
    group: str = ""


class Preferences:
    """The remembered values, kept by `store`; a value that cannot be read counts as never set."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    @property
    def theme(self) -> ThemeChoice:
        text = self._text("theme")
        return ThemeChoice(text) if text in set(ThemeChoice) else ThemeChoice.SYSTEM

    def set_theme(self, choice: ThemeChoice) -> None:
        self._store.setValue("theme", choice.value)

    @property
    def close_choice(self) -> CloseChoice:
        text = self._text("close")
        return CloseChoice(text) if text in set(CloseChoice) else CloseChoice.ASK

    def set_close_choice(self, choice: CloseChoice) -> None:
        self._store.setValue("close", choice.value)

    @property
    def view(self) -> str:
        return self._text("view")

    def set_view(self, key: str) -> None:
        self._store.setValue("view", key)

    @property
    def local_times(self) -> bool:
        """Whether tables show times in this machine's zone; UTC at first."""
        return self._text("times") == "local"

    def set_local_times(self, local: bool) -> None:
        self._store.setValue("times", "local" if local else "utc")

    def bytes_of(self, name: str) -> QByteArray:
        """Geometry or state of a widget, empty when never kept."""
        value = self._store.value(f"bytes/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep_bytes(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"bytes/{name}", value)

    def columns(self, table: str) -> tuple[str, ...]:
        """The columns chosen for a table, in their order; empty when never chosen."""
        return tuple(part for part in self._text(f"columns/{table}").split(",") if part)

    def keep_columns(self, table: str, columns: tuple[str, ...]) -> None:
        self._store.setValue(f"columns/{table}", ",".join(columns))

    def seen_check(self, path: Path) -> float:
        """The time of the last audit of that file that was dismissed; 0 where none was."""
        try:
            return float(self._text(f"checked/{_key(path)}") or 0)
        except ValueError:
            return 0.0

    def set_seen_check(self, path: Path, at: float) -> None:
        self._store.setValue(f"checked/{_key(path)}", str(at))

    def runs_on_schedule(self, path: Path) -> bool:
        """Whether scheduled runs of that crawl begin by themselves while the window is open; yes at first."""
        return self._text(f"scheduled/{_key(path)}") != "no"

    def set_runs_on_schedule(self, path: Path, begin: bool) -> None:
        self._store.setValue(f"scheduled/{_key(path)}", "yes" if begin else "no")

    @property
    def folder(self) -> Path:
        """Where files were last opened or saved; at first the documents folder, or home where there is none."""
        kept = Path(self._text("folder"))
        if self._text("folder") and kept.is_dir():
            return kept
        documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        return documents if documents.is_absolute() and documents.is_dir() else Path.home()

    def set_folder(self, folder: Path) -> None:
        self._store.setValue("folder", str(folder))

    @property
    def known(self) -> tuple[KnownCrawl, ...]:
        try:
            rows = json.loads(self._text("known") or "[]")
            return tuple(KnownCrawl(Path(row["path"]), str(row["group"])) for row in rows)
        except (ValueError, TypeError, KeyError):
            return ()

    def remember(self, path: Path, group: str | None = None) -> None:
        """Add a crawl file, or move it to another group."""
        before = {crawl.path: crawl for crawl in self.known}
        kept = before.get(path, KnownCrawl(path))
        before[path] = kept if group is None else KnownCrawl(path, group)
        self._keep(tuple(before.values()))

    def forget(self, path: Path) -> None:
        """Take a crawl file off the list; the file itself stays where it is."""
        self._keep(tuple(crawl for crawl in self.known if crawl.path != path))

    def replace(self, old: Path, new: Path) -> None:
        """A file was moved: it keeps its place and group."""
        self._keep(tuple(KnownCrawl(new if crawl.path == old else crawl.path, crawl.group) for crawl in self.known))

    def _keep(self, crawls: tuple[KnownCrawl, ...]) -> None:
        rows = [{"path": str(crawl.path), "group": crawl.group} for crawl in crawls]
        self._store.setValue("known", json.dumps(rows))

    def _text(self, name: str) -> str:
        value = self._store.value(name, "")
        return value if isinstance(value, str) else ""


def _key(path: Path) -> str:
    """A path as a name among the preferences, where slashes would part it."""
    return sha256(str(path).encode(errors="surrogatepass")).hexdigest()[:16]
