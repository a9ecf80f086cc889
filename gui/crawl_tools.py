"""The windows beside the window: Explain URL, the robots tester and the check of the file, for the crawl shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.check.dialog import CertificateDialog
from gui.explain.dialog import ExplainDialog
from gui.robots.tester import RobotsTester
from gui.tables.grid import Grid

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from gui.crawl_page import CrawlPage
    from gui.menu import Menu
    from gui.open_crawls import OpenCrawls
    from gui.session import OpenCrawl
    from gui.theme import Theme


class CrawlTools(QObject):
    """Listens to the menu and to the tables; each window belongs to the crawl it was opened for."""

    def __init__(self, window: QMainWindow, theme: Theme, crawls: OpenCrawls, menu: Menu, page: CrawlPage) -> None:
        super().__init__(window)
        self._window, self._theme, self._crawls, self._menu = window, theme, crawls, menu
        menu.explain.triggered.connect(self._on_explain)
        menu.robots_tester.triggered.connect(self._on_robots_tester)
        menu.check.triggered.connect(self._on_check)
        for view in page.views.values():
            view.explain_wanted.connect(self.explain)
            view.robots_wanted.connect(self.try_robots)

    def enable(self, crawl: OpenCrawl | None) -> None:
        """Follow whether a crawl is shown."""
        for action in (self._menu.explain, self._menu.robots_tester, self._menu.check):
            action.setEnabled(crawl is not None)

    @Slot(str)
    def explain(self, url: str) -> None:
        """Explain a URL of the crawl that is shown; an empty one leaves the field to be typed in."""
        crawl = self._crawls.shown
        if crawl is not None:
            dialog = ExplainDialog(crawl.path, crawl.name, self._window)
            crawl.closed.connect(dialog.close)
            dialog.show()
            dialog.explain(url)

    @Slot(int)
    def try_robots(self, version: int) -> None:
        """Open the tester, on a kept version where the number is not 0."""
        crawl = self._crawls.shown
        if crawl is not None and crawl.settings is not None:
            dialog = RobotsTester(crawl, crawl.settings, self._theme, self._window)
            crawl.closed.connect(dialog.close)
            dialog.show()
            if version:
                dialog.open_version(version)

    @Slot()
    def _on_explain(self) -> None:
        """From the menu or by its keys: the row of the table that has the focus, if one has."""
        focused = self._window.focusWidget()
        self.explain(focused.address() if isinstance(focused, Grid) else "")

    @Slot()
    def _on_check(self) -> None:
        crawl = self._crawls.shown
        if crawl is not None:
            dialog = CertificateDialog(crawl.path, crawl.name, self._window)
            crawl.closed.connect(dialog.close)
            dialog.show()

    @Slot()
    def _on_robots_tester(self) -> None:
        self.try_robots(0)
