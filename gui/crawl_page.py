"""The right side of the window for one open crawl: header, notices, and the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from gui.banner import Banner
from gui.check.dialog import CertificateDialog
from gui.check.file_check import FileCheck
from gui.check.words import DETAILS, notice
from gui.exclusions import TAKE_BACK, excluded_notice, unanswered, with_exclusion, without_exclusion
from gui.header import Header
from gui.views import VIEWS

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from core.store.rows import Status
    from gui.banner import Notice
    from gui.check.words import Told
    from gui.files.standing import Standing
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.theme import Theme
    from gui.view import View


class CrawlPage(QWidget):
    """Hands the crawl to every view, and each new status to the one that is seen."""

    view_chosen = Signal(str)  # key

    def __init__(self, theme: Theme, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._crawl: OpenCrawl | None = None
        self._group = ""
        self._build(theme, preferences)
        self._lay_out()
        self._connect()

    def _build(self, theme: Theme, preferences: Preferences) -> None:
        self.header = Header(theme, [self.tr(spec.title) for spec in VIEWS])
        self.banner = Banner(theme)
        self.check = FileCheck(self)
        self._preferences = preferences
        self._checked: tuple[Told, float] | None = None
        self._excluding = ""  # a pattern on its way into the settings
        self.views: dict[str, View] = {spec.key: spec.factory(theme, preferences) for spec in VIEWS}
        self._stack = QStackedWidget()
        for view in self.views.values():
            self._stack.addWidget(view)

    def _lay_out(self) -> None:
        content = QFrame()
        content.setObjectName("content")
        inner = QVBoxLayout(content)
        inner.setContentsMargins(20, 16, 20, 12)
        inner.setSpacing(12)
        inner.addWidget(self.banner)
        inner.addWidget(self._stack, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(content, 1)

    def _connect(self) -> None:
        self.header.tab_chosen.connect(self._on_tab_chosen)
        for view in self.views.values():
            view.exclude_wanted.connect(self.banner.exclude_wanted)
            view.failed.connect(self.banner.show_fault)
        self.check.checked.connect(self._on_checked)
        self.check.failed.connect(self.banner.show_fault)
        self.banner.offer_taken.connect(self._on_offer_taken)
        self.banner.exclusion_wanted.connect(self._on_exclusion_wanted)
        self.banner.dismissed.connect(self._on_dismissed)

    def show_crawl(self, crawl: OpenCrawl | None, group: str) -> None:
        """Show this crawl in every view from now on."""
        if self._crawl is not None:
            self._crawl.status_changed.disconnect(self._on_status_changed)
            self._crawl.settings_changed.disconnect(self._on_settings_changed)
            self._crawl.engine_changed.disconnect(self._on_engine_changed)
            self._crawl.error_raised.disconnect(self.banner.show_fault)
            self._crawl.standing_read.disconnect(self._on_standing_read)
            self.banner.acknowledged.disconnect(self._crawl.acknowledge)
        self._crawl, self._group = crawl, group
        self.banner.clear()
        self._excluding = ""
        self.check.stop()
        self._checked = None
        for view in self.views.values():
            view.set_crawl(crawl)
        if crawl is not None:
            crawl.status_changed.connect(self._on_status_changed)
            crawl.settings_changed.connect(self._on_settings_changed)
            crawl.engine_changed.connect(self._on_engine_changed)
            crawl.error_raised.connect(self.banner.show_fault)
            self.check.forget(crawl.path)
            crawl.standing_read.connect(self._on_standing_read)
            self._on_standing_read(crawl.standing)
            self.banner.acknowledged.connect(crawl.acknowledge)
            self.header.show_crawl(crawl, group)
            if crawl.status is not None:
                self._on_status_changed(crawl.status)

    def set_group(self, group: str) -> None:
        """The crawl was moved to another group of the sidebar."""
        self._group = group
        if self._crawl is not None:
            self.header.show_crawl(self._crawl, group)

    def select_view(self, key: str) -> None:
        """Bring a view to the front; a key of a view that is not there changes nothing."""
        if key in self.views:
            self.header.select_tab(list(self.views).index(key))

    @Slot(object)
    def _on_status_changed(self, status: Status) -> None:
        if self._crawl is not None:
            self.header.show_status(self._crawl, status)
            self.banner.set_alarms(unanswered(status.alarms, self._crawl.settings))
            self._refresh_shown(status)
            self.check.look(self._crawl.path, status)

    @Slot(object)
    def _on_standing_read(self, standing: Standing | None) -> None:
        if standing is not None and self._crawl is not None:
            self.banner.show_notice(standing.notice())
            self.header.show_status(self._crawl, self._crawl.status)

    @Slot(object, float)
    def _on_checked(self, found: Told, at: float) -> None:
        """An audit the person has dismissed before is not told again."""
        if self._crawl is not None and self._crawl.status is not None:
            self._checked = (found, at)
            if at > self._preferences.seen_check(self._crawl.path):
                self.banner.show_notice(notice(found, self._crawl.status))

    @Slot(object)
    def _on_dismissed(self, dismissed: Notice) -> None:
        of_check = dismissed.offer is not None and dismissed.offer.key == DETAILS
        if of_check and self._crawl is not None and self._checked is not None:
            self._preferences.set_seen_check(self._crawl.path, self._checked[1])

    @Slot(str)
    def _on_offer_taken(self, key: str) -> None:
        if key.startswith(TAKE_BACK) and self._crawl is not None and self._crawl.settings is not None:
            self._crawl.apply(without_exclusion(self._crawl.settings, key.removeprefix(TAKE_BACK)))
            self.banner.withdraw(key)
        if key == DETAILS and self._crawl is not None and self._checked is not None:
            CertificateDialog(self._crawl.path, self._crawl.name, self.window(), self._checked[0]).open()

    @Slot(object)
    def _on_settings_changed(self, settings: CrawlSettings) -> None:
        if self._crawl is not None:
            self.header.show_crawl(self._crawl, self._group)
            if self._crawl.status is not None:
                self.banner.set_alarms(unanswered(self._crawl.status.alarms, settings))
        if self._excluding and self._excluding in settings.scope.exclude:
            self.banner.show_notice(excluded_notice(self._excluding))
            self._excluding = ""

    @Slot(str)
    def _on_exclusion_wanted(self, pattern: str) -> None:
        """At once, unless other changes wait in the setup: then it joins them."""
        if self._crawl is None or self._crawl.settings is None:
            return
        if any(view.has_unsaved() for view in self.views.values()):
            self.banner.exclude_wanted.emit(pattern)
            return
        self._excluding = pattern
        self._crawl.apply(with_exclusion(self._crawl.settings, pattern))

    @Slot()
    def _on_engine_changed(self) -> None:
        if self._crawl is not None:
            if self._crawl.engine.is_ours:
                self.banner.forget_faults()
            self.header.show_status(self._crawl, self._crawl.status)

    @Slot(int)
    def _on_tab_chosen(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.view_chosen.emit(VIEWS[index].key)
        if self._crawl is not None and self._crawl.status is not None:
            self._refresh_shown(self._crawl.status)

    def _refresh_shown(self, status: Status) -> None:
        self.views[VIEWS[self._stack.currentIndex()].key].refresh(status)
