"""The view in which a crawl is described: a draft of its settings, checked as typed, applied as a whole.

Parts show and change their share of the draft. Nothing reaches the crawl file before Apply, and then all of it does.
Drafts of other crawls are kept until the window closes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.errors import FronteiraError
from core.store.words import quantity
from gui.file_worker import ACTIVE
from gui.labels import plain_label, set_tone
from gui.latest import Latest
from gui.setup import forms
from gui.setup.checking import Question, Verdict, judge
from gui.setup.checks import content_checks
from gui.setup.credentials import Credentials
from gui.setup.form import Form
from gui.setup.part import Finding, Part
from gui.setup.patterns_panel import PatternsPanel
from gui.setup.permissions import authorisations, robots_overrides, unchecked_certificates
from gui.setup.problem_words import in_words
from gui.setup.records_editor import RecordsEditor
from gui.setup.seeds_editor import SeedsEditor
from gui.setup.side_by_side import SideBySide
from gui.setup.sources_editor import SourcesEditor
from gui.setup.toml_editor import TomlEditor
from gui.view import View

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings
    from core.store.rows import Status
    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.theme import Theme

RECENT_URLS = 500
SOURCES = 1  # the page
URLS_MS = 2000  # between two looks at them: a list that moves all the time cannot be read


class SetupView(View):
    """Five pages of parts over one draft."""

    def __init__(self, theme: Theme, _preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._crawl: OpenCrawl | None = None
        self._base: CrawlSettings | None = None
        self._draft: CrawlSettings | None = None
        self._kept: dict[Path, CrawlSettings] = {}
        self._verdict: Verdict | None = None
        self._running = False
        self._applying = False
        self._known = -1
        self._checking = Latest(judge, self)
        self._urls_due = QTimer(self)
        self._urls_due.setSingleShot(True)
        self._build()
        self._lay_out()
        self._connect()
        self._show_footer()

    def _build(self) -> None:
        self.seeds = SeedsEditor(self._theme)
        self.budgets = Form(self.tr("Budgets"), self.tr("nothing is fetched beyond them"), forms.BUDGETS)
        self.patterns = PatternsPanel(self._theme)
        self.records = RecordsEditor(self._theme, lambda: self._draft)
        self.toml = TomlEditor(self._theme)
        self.politeness = Form(self.tr("Pace"), self.tr("how fast, and how politely"), forms.POLITENESS)
        self.requests = Form(self.tr("Requests"), "", forms.REQUESTS, columns=1)
        self.limits = Form(self.tr("More limits"), self.tr("against traps and heavy pages"), forms.LIMITS)
        self.scope = Form(self.tr("Scope"), self.tr("which hosts belong to the crawl"), forms.SCOPE, columns=1)
        remark = self.tr("which spellings are one page")
        self.normalise = Form(self.tr("Same page"), remark, forms.NORMALISE, columns=1, needs_stop=True)
        self.page = Form(self.tr("Pages"), self.tr("what is kept of them, and which are alike"), forms.PAGE)
        self.recrawl = Form(self.tr("Runs"), self.tr("when it runs again, and looks at a page"), forms.RECRAWL)
        self.notify = Form(self.tr("Telling others"), self.tr("when records change"), forms.NOTIFY, columns=1)
        self.checks = content_checks(self._theme)
        self.sources = SourcesEditor(self._theme, lambda: self._draft)
        self.authorised = authorisations(self._theme)
        self.overrides = robots_overrides(self._theme)
        self.unchecked = unchecked_certificates(self._theme)
        self.credentials = Credentials()
        self._parts: tuple[Part, ...] = (
            self.sources,
            self.authorised,
            self.overrides,
            self.unchecked,
            self.credentials,
            self.seeds,
            self.budgets,
            self.patterns,
            self.politeness,
            self.requests,
            self.limits,
            self.scope,
            self.normalise,
            self.page,
            self.recrawl,
            self.notify,
            self.checks,
            self.records,
            self.toml,
        )
        self._status = plain_label("", "muted", wrap=True)
        self.revert_button = QPushButton(self.tr("Revert"))
        self.apply_button = QPushButton(self.tr("Apply changes"))
        self.apply_button.setProperty("kind", "primary")
        self.apply_button.setToolTip(self.tr("Ctrl+Return"))
        self.apply_button.setShortcut("Ctrl+Return")
        for button in (self.revert_button, self.apply_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus in the field that was typed in

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._choices = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(4)
        pages = (
            (self.tr("Seeds and patterns"), self._seeds_page()),
            (self.tr("Sources"), self.sources),
            (self.tr("Pace and scope"), self._pace_page()),
            (self.tr("Records"), self.records),
            (self.tr("All settings"), self.toml),
        )
        for at, (title, page) in enumerate(pages):
            button = QPushButton(title)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.setChecked(at == 0)
            self._choices.addButton(button, at)
            row.addWidget(button)
            self._pages.addWidget(page)
        row.addStretch(1)
        footer = QHBoxLayout()
        footer.setSpacing(8)
        footer.addWidget(self._status, 1)
        footer.addWidget(self.revert_button)
        footer.addWidget(self.apply_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addLayout(row)
        layout.addWidget(self._pages, 1)
        layout.addLayout(footer)

    def _seeds_page(self) -> QWidget:
        return SideBySide((self.seeds, self.budgets), (self.patterns,), stretch=True)

    def _pace_page(self) -> QWidget:
        left = (self.politeness, self.limits, self.requests, self.page, self.authorised, self.overrides)
        right = (self.scope, self.normalise, self.recrawl, self.notify, self.checks, self.unchecked, self.credentials)
        return SideBySide(left, right, stretch=False)

    def _connect(self) -> None:
        for part in self._parts:
            part.changed.connect(self._on_part_changed)
        self.seeds.left_out_changed.connect(self._show_footer)
        self.records.key_checked.connect(self._show_footer)
        self._checking.ready.connect(self._on_checked)
        self.seeds.better_wanted.connect(self.sources.find_better)
        self.sources.offers_added.connect(self._on_offers_added)
        self._urls_due.timeout.connect(self._on_urls_due)
        self._choices.idClicked.connect(self._on_page_chosen)
        self.revert_button.clicked.connect(self._on_revert)
        self.apply_button.clicked.connect(self._on_apply)

    def set_crawl(self, crawl: OpenCrawl | None) -> None:
        self._put_aside()
        self._crawl, self._base, self._draft, self._verdict = crawl, None, None, None
        self._known, self._applying = -1, False
        self._urls_due.stop()
        self.patterns.set_urls(())
        self.patterns.set_file(crawl.path if crawl else None)
        self.sources.set_file(crawl.path if crawl else None)
        self.records.set_file(crawl.path if crawl else None)
        self.setEnabled(crawl is not None)
        if crawl is None:
            return
        crawl.settings_changed.connect(self._on_settings_changed)
        crawl.settings_applied.connect(self._on_applied)
        crawl.error_raised.connect(self._on_error)
        if crawl.settings is not None:
            self._take_base(crawl.settings)

    def refresh(self, status: Status) -> None:
        self._set_running(status.state in ACTIVE)
        known = sum(status.urls.values())
        if self._crawl is not None and known != self._known:
            first, self._known = self._known < 0, known
            self.patterns.known.set_known(known - status.urls.get("refused", 0))
            if not self._urls_due.isActive():
                self._urls_due.start(0 if first else URLS_MS)

    def has_unsaved(self) -> bool:
        return self._is_dirty() or bool(self._kept)

    @property
    def draft(self) -> CrawlSettings | None:
        """What is typed, applied or not."""
        return self._draft

    def take(self, settings: CrawlSettings) -> None:
        """Make these settings (a profile's) the draft; they are not in force before Apply."""
        self._draft = settings
        self._show_draft()
        self._check()

    def propose_exclusion(self, pattern: str) -> None:
        """Add a pattern to the draft and show what it would take out."""
        self.select_page(0)
        self.patterns.add("scope.exclude", pattern)

    def select_page(self, page: int) -> None:
        self._choices.button(page).setChecked(True)
        self._on_page_chosen(page)

    def _put_aside(self) -> None:
        crawl = self._crawl
        if crawl is None:
            return
        crawl.settings_changed.disconnect(self._on_settings_changed)
        crawl.settings_applied.disconnect(self._on_applied)
        crawl.error_raised.disconnect(self._on_error)
        if self._is_dirty() and self._draft is not None:
            self._kept[crawl.path] = self._draft
        else:
            self._kept.pop(crawl.path, None)

    def _take_base(self, settings: CrawlSettings) -> None:
        self._base = settings
        kept = self._kept.pop(self._crawl.path, None) if self._crawl else None
        self._draft = kept or settings
        self._show_draft()
        self._check()

    def _is_dirty(self) -> bool:
        return self._draft is not None and (self._draft != self._base or self._wrong_texts() > 0)

    def _wrong_texts(self) -> int:
        return sum(part.wrong_texts() for part in self._parts)

    def _show_draft(self, without: Part | None = None) -> None:
        if self._draft is not None:
            for part in self._parts:
                if part is not without:
                    part.show_settings(self._draft)

    def _check(self) -> None:
        if self._draft is not None and self._base is not None:
            self._checking.ask(Question(self._draft, self._base, self._running))
        self._show_footer()

    def _set_running(self, running: bool) -> None:
        if running != self._running:
            self._running = running
            for part in self._parts:
                part.set_running(running)
            self._check()

    @Slot()
    def _show_footer(self) -> None:
        dirty = self._is_dirty()
        errors = self._verdict.errors if self._verdict else 0
        leaves_focus = not dirty and (self.revert_button.hasFocus() or self.apply_button.hasFocus())
        self.revert_button.setEnabled(dirty)
        self.apply_button.setEnabled(dirty and not errors and not self._wrong_texts())
        if leaves_focus:
            self._choices.button(self._pages.currentIndex()).setFocus()
        text, tone = self._sentence(dirty)
        self._status.setText(text)
        set_tone(self._status, tone)

    def _sentence(self, dirty: bool) -> tuple[str, str]:
        findings = self._verdict.findings if self._verdict else ()
        wrong = [part for part in self._parts if part.wrong_texts()]
        if wrong:
            tone = "muted" if wrong[0].is_being_typed() else "bad"
            return wrong[0].complaint() or self.tr("A field holds a text that is no value for it."), tone
        for tone in ("bad", "warning"):
            said = [self._said(finding) for finding in findings if finding.tone == tone]
            if said:
                more = self.tr(" (and {0} more)").format(len(said) - 1) if len(said) > 1 else ""
                return said[0] + more, tone
        if dirty and self._draft is not None and self.records.key_warning():
            return self.records.key_warning(), "warning"
        if dirty and self._running:
            return self.tr(
                "The running crawl takes changes up within a second. Seeds are added, never removed."
            ), "muted"
        return self._applied_words(dirty)

    def _said(self, finding: Finding) -> str:
        return in_words(finding.problem, self._draft) if self._draft is not None else str(finding.problem)

    def _applied_words(self, dirty: bool) -> tuple[str, str]:
        left_out = self.seeds.left_out
        if left_out:
            done = self.tr("Not applied yet") if dirty else self.tr("Everything else is applied")
            verb = self.tr("is") if left_out == 1 else self.tr("are")
            return self.tr("{0}; {1} of Seeds {2} left out.").format(done, quantity(left_out, "line"), verb), "warning"
        return (self.tr("Not applied yet."), "muted") if dirty else (self.tr("Everything is applied."), "muted")

    @Slot()
    def _on_part_changed(self) -> None:
        part = self.sender()
        if isinstance(part, Part) and self._draft is not None:
            self._draft = part.apply_to(self._draft)
            self._show_share(part)
            self._check()

    def _show_share(self, changed: Part) -> None:
        """Text and fields show the same draft: whichever was typed in, the others follow."""
        if changed is self.toml:
            self._show_draft(without=self.toml)
        elif changed is self.seeds and self._draft is not None:
            self.patterns.set_seeds(self._draft.seeds.urls)
            self.sources.show_settings(self._draft)
        elif changed is self.sources and self._draft is not None:
            self.seeds.show_settings(self._draft)
        elif self._draft is not None and self._pages.currentWidget() is self.toml:
            self.toml.show_settings(self._draft)

    @Slot()
    def _on_offers_added(self) -> None:
        self.select_page(SOURCES)

    @Slot()
    def _on_urls_due(self) -> None:
        if self._crawl is None:
            return
        try:
            self.patterns.set_urls(tuple(self._crawl.reader.recent_urls(RECENT_URLS)))
        except FronteiraError as fault:
            self._crawl.error_raised.emit(str(fault))

    @Slot(int)
    def _on_page_chosen(self, page: int) -> None:
        self._pages.setCurrentIndex(page)
        if self._pages.currentWidget() is self.toml and self._draft is not None and not self.toml.wrong_texts():
            self.toml.show_settings(self._draft)

    @Slot(object)
    def _on_checked(self, verdict: Verdict) -> None:
        if verdict.draft is not self._draft:
            return
        self._verdict = verdict
        left: tuple[Finding, ...] = verdict.findings
        for part in self._parts:
            left = part.show_findings(left)
        self._show_footer()
        if self._applying:
            self._on_apply()

    @Slot()
    def _on_apply(self) -> None:
        """Apply once what was typed last has been read and checked; refuse while anything is wrong."""
        settling = self.seeds.is_settling() or self.toml.is_settling() or self._checking.is_waiting
        if settling:
            self._applying = True
            return
        self._applying = False
        fine = self._verdict is not None and self._verdict.draft is self._draft and not self._verdict.errors
        if fine and not self._wrong_texts() and self._crawl is not None and self._draft is not None:
            self._crawl.apply(self._draft)
            self._status.setText(self.tr("Applying…"))

    @Slot()
    def _on_revert(self) -> None:
        if self._base is not None:
            self._draft = self._base
            self._show_draft()
            self._check()

    @Slot(object)
    def _on_settings_changed(self, settings: CrawlSettings) -> None:
        """Ours was applied, or another window or a command wrote others: a draft in work is kept."""
        if self._base is None or not self._is_dirty():
            self._take_base(settings)
        else:
            self._base = settings
            self._check()

    @Slot(int)
    def _on_applied(self, _version: int) -> None:
        self._show_footer()

    @Slot(str)
    def _on_error(self, _sentence: str) -> None:
        self._show_footer()
