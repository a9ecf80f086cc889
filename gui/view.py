"""What every view of the window is: a widget that is given a crawl, and told when its status changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from core.store.rows import Status
    from gui.session import OpenCrawl


class View(QWidget):
    """A tab of the window. It shows one crawl at a time.

    `exclude_wanted(pattern)` hands a pattern to the setup; `failed(sentence)` when something could not be done;
    `explain_wanted(url)` and `robots_wanted(version)` open the windows for them.
    """

    exclude_wanted = Signal(str)
    explain_wanted = Signal(str)
    robots_wanted = Signal(int)
    failed = Signal(str)

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        """Show this crawl from now on, or nothing."""
        raise NotImplementedError

    def refresh(self, status: Status) -> None:
        """The crawl's file changed; called at most four times a second, only while the view is shown."""
        raise NotImplementedError

    def has_unsaved(self) -> bool:
        """Whether leaving the crawl now would lose something that was typed."""
        return False
