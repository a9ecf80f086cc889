"""The crawl files that are open: the one shown, and those whose engine this window started and still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from gui.session import OpenCrawl
from gui.sidebar.glance import from_status

if TYPE_CHECKING:
    from pathlib import Path

    from core.store.rows import Status


class OpenCrawls(QObject):
    """Opens each file once. A crawl that is no longer shown is let go when no engine of ours needs it."""

    glanced = Signal(object)  # Glance of an open crawl
    changed = Signal()  # which files are open

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open: dict[Path, OpenCrawl] = {}
        self._closing: list[OpenCrawl] = []
        self._shown: OpenCrawl | None = None

    @property
    def shown(self) -> OpenCrawl | None:
        return self._shown

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(self._open)

    @property
    def with_engines(self) -> tuple[OpenCrawl, ...]:
        """Those whose engine this window started."""
        return tuple(crawl for crawl in self._open.values() if crawl.engine.is_ours)

    def show(self, path: Path | None) -> OpenCrawl | None:
        """Open it, or take the open one; raises the FileError that fits, and then nothing has changed."""
        crawl = None if path is None else self._open.get(path) or self._opened(path)
        before, self._shown = self._shown, crawl
        if before is not None and before is not crawl and not before.engine.is_ours:
            self._let_go(before)
        self.changed.emit()
        return crawl

    def begin_due(self, path: Path) -> None:
        """A run over what is due, shown or not; raises the FileError that fits where it cannot be opened."""
        crawl = self._open.get(path) or self._opened(path)
        crawl.crawl_again(everything=False)
        if crawl is not self._shown and not crawl.engine.is_ours:
            self._let_go(crawl)
        self.changed.emit()

    def close(self) -> None:
        """At the end of the program: let go of everything and wait for the threads."""
        for crawl in tuple(self._open.values()):
            self._let_go(crawl)
        for crawl in tuple(self._closing):
            crawl.wait_closed()

    def _opened(self, path: Path) -> OpenCrawl:
        crawl = OpenCrawl(path, self)
        crawl.status_changed.connect(self._on_status)
        crawl.engine_changed.connect(self._on_engine_changed)
        self._open[path] = crawl
        return crawl

    def _let_go(self, crawl: OpenCrawl) -> None:
        del self._open[crawl.path]
        self._closing.append(crawl)
        crawl.closed.connect(self._on_closed)
        crawl.close()

    @Slot()
    def _on_closed(self) -> None:
        crawl = self.sender()
        if isinstance(crawl, OpenCrawl) and crawl in self._closing:
            self._closing.remove(crawl)
            crawl.wait_closed()
            crawl.deleteLater()

    @Slot(object)
    def _on_status(self, status: Status) -> None:
        crawl = self.sender()
        if isinstance(crawl, OpenCrawl):
            self.glanced.emit(from_status(crawl.path, status))

    @Slot()
    def _on_engine_changed(self) -> None:
        crawl = self.sender()
        if isinstance(crawl, OpenCrawl) and crawl is not self._shown and not crawl.engine.is_ours:
            self._let_go(crawl)
            self.changed.emit()
