"""The window: places its parts and joins their signals, nothing more.

Sidebar, page, menu and footer say what is wanted; OpenCrawls opens, OpenCrawl acts, FileCommands asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from core.errors import FronteiraError
from core.store.crawl_file import create
from core.store.names import WishKind
from gui.advice.advice_dialog import AdviceDialog
from gui.crawl_page import CrawlPage
from gui.crawl_tools import CrawlTools
from gui.dialogs.about import AboutDialog
from gui.dialogs.kill import KILL, kill_question
from gui.dialogs.new_crawl import SUFFIX, NewCrawlDialog
from gui.dialogs.shortcuts import ShortcutsDialog
from gui.file_commands import FileCommands
from gui.files.remedies import Remedies
from gui.files.standing import COPY, UPDATE
from gui.footer import Footer
from gui.foreign_text import shown
from gui.known_crawls import KnownCrawls
from gui.leaving import Leaving
from gui.menu import Menu
from gui.open_crawls import OpenCrawls
from gui.schedule import Schedule
from gui.session import OpenCrawl, may_stop
from gui.setup.setup_view import SetupView
from gui.sidebar.sidebar import Sidebar
from gui.sidebar.watch import SidebarWatch
from gui.starting import Starting
from gui.views import VIEWS
from gui.welcome import Welcome, dropped_file

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent

    from core.settings import CrawlSettings
    from core.store.rows import Status
    from gui.preferences import Preferences
    from gui.sample import Sample
    from gui.theme import Theme, ThemeChoice


class MainWindow(QMainWindow):
    """The single window of the program."""

    gone = Signal()  # closed for good

    def __init__(self, theme: Theme, preferences: Preferences, sample: Sample) -> None:
        super().__init__()
        self._theme = theme
        self._preferences = preferences
        self._sample = sample
        self._build()
        self._lay_out()
        self._connect()
        self._connect_menu()
        self._restore()

    def _build(self) -> None:
        self.crawls = OpenCrawls(self)
        self._watch = SidebarWatch(self)
        self._files = FileCommands(self, self._preferences)
        self._remedies = Remedies(self, self._preferences)
        self._starting = Starting(self)
        self._schedule = Schedule(self._preferences, self)
        self.known = KnownCrawls(self._preferences, self)
        self.menu = Menu(self, [self.tr(spec.title) for spec in VIEWS])
        self.sidebar = Sidebar(self._theme)
        self.page = CrawlPage(self._theme, self._preferences)
        self.tools = CrawlTools(self, self._theme, self.crawls, self.menu, self.page)
        self.welcome = Welcome(self._theme)
        self.footer = Footer()
        self._leaving = Leaving(self, self._preferences, self.crawls, tuple(self.page.views.values()))
        self._stack = QStackedWidget()

    def _lay_out(self) -> None:
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.page)
        across = QHBoxLayout()
        across.setSpacing(0)
        across.addWidget(self.sidebar)
        across.addWidget(self._stack, 1)
        whole = QWidget()
        layout = QVBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(across, 1)
        layout.addWidget(self.footer)
        self.setCentralWidget(whole)
        self.setMinimumSize(1000, 640)
        self.setAcceptDrops(True)
        self.setWindowTitle("Fronteira")

    def _connect(self) -> None:
        self.sidebar.crawl_chosen.connect(self.open_crawl)
        self.sidebar.new_wanted.connect(self._on_new)
        self.sidebar.open_wanted.connect(self._files.ask_open)
        self.sidebar.forget_wanted.connect(self._on_forget)
        self.sidebar.locate_wanted.connect(self._files.ask_locate)
        self.sidebar.group_wanted.connect(self.known.ask_group)
        self.sidebar.group_chosen.connect(self.known.put_into)
        self.known.changed.connect(self._on_known_changed)
        self.welcome.new_wanted.connect(self._on_new)
        self.welcome.open_wanted.connect(self._files.ask_open)
        self.welcome.sample_wanted.connect(self.open_sample)
        self.welcome.file_dropped.connect(self.open_crawl)
        self.page.header.start_wanted.connect(self._on_start)
        self.page.header.stop_wanted.connect(self._on_stop)
        self.page.header.kill_wanted.connect(self._on_kill)
        self.page.view_chosen.connect(self._preferences.set_view)
        self.page.banner.exclude_wanted.connect(self._on_exclude)
        self.crawls.glanced.connect(self.sidebar.see)
        self.crawls.changed.connect(self._on_open_changed)
        self._watch.seen.connect(self.sidebar.see)
        self.crawls.glanced.connect(self._schedule.see)
        self._watch.seen.connect(self._schedule.see)
        self._schedule.seen.connect(self.sidebar.see)
        self._schedule.due.connect(self._on_due)
        self._files.file_chosen.connect(self.open_crawl)
        self._remedies.file_ready.connect(self.open_crawl)
        self._remedies.other_wanted.connect(self._files.ask_open)
        self._remedies.locate_wanted.connect(self._files.ask_locate)
        self.page.banner.offer_taken.connect(self._on_offer_taken)
        self._files.file_located.connect(self._on_located)
        self._files.profile_loaded.connect(self._on_profile_loaded)
        self._files.done.connect(self.page.banner.show_note)
        self._leaving.settled.connect(self.close, Qt.ConnectionType.QueuedConnection)
        self._leaving.told.connect(self.page.banner.show_note)
        self._leaving.failed.connect(self.page.banner.show_fault)

    def _connect_menu(self) -> None:
        menu = self.menu
        menu.new.triggered.connect(self._on_new)
        menu.open.triggered.connect(self._files.ask_open)
        menu.sample.triggered.connect(self.open_sample)
        menu.save_copy.triggered.connect(self._on_save_copy)
        menu.load_profile.triggered.connect(self._files.ask_load_profile)
        menu.save_profile.triggered.connect(self._on_save_profile)
        menu.close_crawl.triggered.connect(self._on_close_crawl)
        menu.quit.triggered.connect(self.close)
        menu.start.triggered.connect(self._on_start)
        menu.stop.triggered.connect(self._on_stop)
        menu.kill.triggered.connect(self._on_kill)
        menu.scheduled.triggered.connect(self._on_scheduled)
        menu.advice.triggered.connect(self._on_advice)
        menu.find.triggered.connect(self.sidebar.focus_filter)
        menu.shortcuts.triggered.connect(self._on_shortcuts)
        menu.ask_again.triggered.connect(self._leaving.ask_again)
        menu.about.triggered.connect(self._on_about)
        for index, action in enumerate(menu.views):
            action.triggered.connect(lambda _on=False, tab=index: self.page.header.focus_tab(tab))
        for choice, action in menu.themes.items():
            action.triggered.connect(lambda _on=False, chosen=choice: self._on_theme(chosen))

    def _restore(self) -> None:
        self.menu.themes[self._theme.choice].setChecked(True)
        if not self.restoreGeometry(self._preferences.bytes_of("window")):
            self.resize(QSize(1440, 900).boundedTo(self.screen().availableSize()))
        self._show_crawl(None)
        self.welcome.new_button.setFocus()

    @property
    def setup(self) -> SetupView:
        view = self.page.views["setup"]
        assert isinstance(view, SetupView)  # noqa: S101  # the tuple of views says so
        return view

    @Slot(object)
    def open_crawl(self, path: Path) -> bool:
        """Show a crawl file. A file that cannot be opened is told, and what is shown stays as it is."""
        path = path.expanduser().absolute()
        try:
            crawl = self.crawls.show(path)
            if self._sample.covers(path):
                self._sample.serve(path)
        except FronteiraError as fault:
            self._remedies.offer(path, fault)
            self.sidebar.select(self.crawls.shown.path if self.crawls.shown else None)
            return False
        self._show_crawl(crawl)
        self.known.add(path)
        return True

    @Slot()
    def open_sample(self) -> bool:
        """Show the sample crawl, with its site up."""
        try:
            path = self._sample.open()
        except FronteiraError as fault:
            self._files.show_fault(self.tr("The sample could not be opened"), fault)
            return False
        return self.open_crawl(path)

    def _show_crawl(self, crawl: OpenCrawl | None) -> None:
        self.page.show_crawl(crawl, self.known.group_of(crawl.path) if crawl else "")
        self._stack.setCurrentWidget(self.page if crawl else self.welcome)
        self.footer.set_crawl(crawl)
        self.sidebar.set_known(self.known.crawls, crawl.path if crawl else None)
        self.setWindowTitle(f"{shown(crawl.name, 120)} – Fronteira" if crawl else "Fronteira")
        self.setWindowFilePath("")
        if crawl is not None:
            crawl.status_changed.connect(self._on_status, Qt.ConnectionType.UniqueConnection)
            crawl.engine_changed.connect(self._on_engine_changed, Qt.ConnectionType.UniqueConnection)
            crawl.refused.connect(self._on_refused, Qt.ConnectionType.UniqueConnection)
            self.page.select_view(self._preferences.view or VIEWS[0].key)
        self._on_open_changed()
        self._enable_actions()

    def _enable_actions(self) -> None:
        crawl = self.crawls.shown
        status = crawl.status if crawl else None
        self.menu.start.setEnabled(crawl is not None and crawl.may_start)
        self.menu.start.setText(self.page.header.start_button.text())
        self.menu.stop.setEnabled(may_stop(status))
        self.menu.kill.setEnabled(crawl is not None and crawl.is_active)
        self.menu.advice.setEnabled(crawl is not None)
        self.menu.scheduled.setEnabled(crawl is not None)
        self.menu.scheduled.setChecked(crawl is not None and self._preferences.runs_on_schedule(crawl.path))
        for action in (self.menu.save_copy, self.menu.load_profile, self.menu.save_profile, self.menu.close_crawl):
            action.setEnabled(crawl is not None)
        for action in self.menu.views:
            action.setEnabled(crawl is not None)
        self.tools.enable(crawl)

    @Slot(object)
    def _on_status(self, status: Status) -> None:
        if self.sender() is self.crawls.shown:
            self.footer.show_status(status)
            self._enable_actions()

    @Slot(object)
    def _on_refused(self, fault: FronteiraError) -> None:
        """Its first bytes were a crawl file's, and the rest is not: nothing of it is shown."""
        crawl = self.sender()
        if isinstance(crawl, OpenCrawl) and crawl is self.crawls.shown:
            self._on_close_crawl()
            self._remedies.offer(crawl.path, fault)

    @Slot(str)
    def _on_offer_taken(self, key: str) -> None:
        crawl = self.crawls.shown
        if crawl is not None and key == WishKind.CONFIRM:
            crawl.confirm_vanished()
        elif crawl is not None and key == COPY:
            self._files.ask_copy(crawl.path)
        elif crawl is not None and key == UPDATE:
            crawl.closed.connect(lambda path=crawl.path: self._remedies.update(path))
            self._on_close_crawl()

    @Slot()
    def _on_engine_changed(self) -> None:
        self._enable_actions()

    @Slot()
    def _on_open_changed(self) -> None:
        shut = (crawl.path for crawl in self.known.crawls if crawl.path not in self.crawls.paths)
        self._watch.set_paths(tuple(shut))

    @Slot()
    def _on_start(self) -> None:
        if self.crawls.shown is not None:
            self._starting.begin(self.crawls.shown)

    @Slot(object)
    def _on_due(self, path: Path) -> None:
        """A scheduled run begins; one that cannot is told, and stays overdue."""
        try:
            self.crawls.begin_due(path)
        except FronteiraError as fault:
            self.page.banner.show_fault(str(fault))

    @Slot(bool)
    def _on_scheduled(self, begin: bool) -> None:
        if self.crawls.shown is not None:
            self._preferences.set_runs_on_schedule(self.crawls.shown.path, begin)

    @Slot()
    def _on_stop(self) -> None:
        if self.crawls.shown is not None:
            self.crawls.shown.stop()

    @Slot()
    def _on_kill(self) -> None:
        crawl = self.crawls.shown
        if crawl is not None and crawl.is_active:
            question = kill_question(self, crawl.name, crawl.requests_in_flight)
            question.answered.connect(lambda answer: crawl.kill() if answer == KILL else None)
            question.open()

    @Slot()
    def _on_advice(self) -> None:
        if self.crawls.shown is not None:
            AdviceDialog(self.crawls.shown, self).open()

    @Slot()
    def _on_new(self) -> None:
        dialog = NewCrawlDialog(self, self._preferences.folder)
        dialog.crawl_wanted.connect(lambda path, settings: self._create(dialog, path, settings))
        dialog.open()

    def _create(self, dialog: NewCrawlDialog, path: Path, settings: CrawlSettings) -> None:
        try:
            create(path, settings)
        except FronteiraError as fault:
            self._files.show_fault(self.tr("The crawl could not be made"), fault)
            return
        dialog.accept()
        self._preferences.set_folder(path.parent)
        if self.open_crawl(path):
            self.page.select_view("setup")

    @Slot()
    def _on_known_changed(self) -> None:
        shown = self.crawls.shown
        self.sidebar.set_known(self.known.crawls, shown.path if shown else None)
        if shown is not None:
            self.page.set_group(self.known.group_of(shown.path))
        self._on_open_changed()

    @Slot(object)
    def _on_forget(self, path: Path) -> None:
        if self.crawls.shown is not None and self.crawls.shown.path == path:
            self._on_close_crawl()
        self._schedule.forget(path)
        self.known.forget(path)

    @Slot(object, object)
    def _on_located(self, old: Path, new: Path) -> None:
        if self.open_crawl(new):
            self.known.move(old, new)

    @Slot()
    def _on_save_copy(self) -> None:
        if self.crawls.shown is not None:
            self._files.ask_copy(self.crawls.shown.path)

    @Slot()
    def _on_save_profile(self) -> None:
        crawl = self.crawls.shown
        if crawl is not None and crawl.settings is not None:
            self._files.ask_save_profile(crawl.settings, crawl.path.stem)

    @Slot(object)
    def _on_profile_loaded(self, settings: CrawlSettings) -> None:
        self.page.select_view("setup")
        self.setup.take(settings)

    @Slot(str)
    def _on_exclude(self, pattern: str) -> None:
        self.page.select_view("setup")
        self.setup.propose_exclusion(pattern)

    @Slot()
    def _on_close_crawl(self) -> None:
        self._show_crawl(self.crawls.show(None))

    @Slot()
    def _on_shortcuts(self) -> None:
        ShortcutsDialog(self, self.menu.all_actions()).open()

    @Slot()
    def _on_about(self) -> None:
        AboutDialog(self).open()

    def _on_theme(self, choice: ThemeChoice) -> None:
        self._theme.choose(choice)
        self._preferences.set_theme(choice)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A crawl file may be dropped on any part of the window that takes no files itself."""
        path = dropped_file(event)
        if path is not None and path.suffix == SUFFIX:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            self.open_crawl(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._leaving.is_settled:
            event.ignore()
            self._leaving.begin()
            return
        self._preferences.keep_bytes("window", self.saveGeometry())
        self._schedule.stop()
        self.page.show_crawl(None, "")
        self._watch.close()
        self.crawls.close()
        self._sample.close()
        event.accept()
        self.gone.emit()
