"""The robots tester: a robots.txt that was pasted, kept by the crawl or just asked for, and URLs tried against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.policy import product_token
from core.store.read.known_reader import KnownReader
from gui.figures import count
from gui.foreign_text import shown, tooltip
from gui.labels import plain_label
from gui.latest import Latest
from gui.robots.source import RobotsSource
from gui.robots.trial import Answer, Decision, Question, try_urls
from gui.setup.line_editor import LineEditor, Mark
from gui.task import Task
from gui.theme import code_font

if TYPE_CHECKING:
    from pathlib import Path

    from core.settings import CrawlSettings
    from gui.session import OpenCrawl
    from gui.theme import Theme

PLACE = Qt.ItemDataRole.UserRole
MOST_KNOWN = 200


class RobotsTester(QDialog):
    """Everything is tried again as it is typed. Nothing is asked of a site but by the button that says so."""

    def __init__(self, crawl: OpenCrawl, settings: CrawlSettings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Robots tester – {0}").format(shown(crawl.name, 120)))
        self.resize(1060, 700)
        self._path, self._settings, self._theme = crawl.path, settings, theme
        self._answer = Answer()
        self._trying = Latest(try_urls, self)
        self._build()
        self._lay_out()
        self._connect()
        self._on_changed()

    def _build(self) -> None:
        self.source = RobotsSource(self._path, self._settings, self)
        self.text = LineEditor(self._theme)
        self.text.setAccessibleName(self.tr("Text of the robots.txt"))
        self.text.setPlaceholderText("User-agent: *\nDisallow: /private/")
        self.token = QLineEdit(product_token(self._settings.fetch.user_agent))
        self.token.setFont(code_font())
        self.token.setAccessibleName(self.tr("User agent token"))
        self.token.setToolTip(self.tr("The name a robots.txt calls the crawler by; from the crawl's user agent"))
        self.urls = QPlainTextEdit()
        self.urls.setFont(code_font())
        self.urls.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.urls.setTabChangesFocus(True)
        self.urls.setAccessibleName(self.tr("URLs or paths to try, one a line"))
        self.urls.setPlaceholderText("https://shop.example/private/1\n/search?q=x")
        self.known_button = QPushButton(self.tr("Latest known URLs"))
        self.decisions = QTreeWidget()
        self.decisions.setRootIsDecorated(False)
        self.decisions.setUniformRowHeights(True)
        self.decisions.setHeaderLabels([self.tr("Decision"), self.tr("URL"), self.tr("Line"), self.tr("Rule")])
        self.decisions.setAccessibleName(self.tr("Decisions"))
        self._verdict = plain_label("", "heading", wrap=True)
        self._remark = plain_label("", "muted", wrap=True)
        self._close = QPushButton(self.tr("Close"))
        for button in (self.known_button, self._close):
            button.setAutoDefault(False)

    def _lay_out(self) -> None:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(14)
        split.setChildrenCollapsible(False)
        split.addWidget(self._left())
        split.addWidget(self._right())
        split.setSizes([480, 560])
        buttons = QHBoxLayout()
        buttons.addWidget(self._remark, 1)
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(self.source)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)

    def _left(self) -> QWidget:
        token = QGridLayout()
        label = plain_label(self.tr("User agent"))
        label.setBuddy(self.token)
        token.addWidget(label, 0, 0)
        token.addWidget(self.token, 0, 1)
        return _column(plain_label(self.tr("robots.txt"), "heading"), self.text, token)

    def _right(self) -> QWidget:
        head = QHBoxLayout()
        head.addWidget(plain_label(self.tr("URLs to try"), "heading"))
        head.addWidget(plain_label(self.tr("one a line"), "muted"), 1)
        head.addWidget(self.known_button)
        for column, width in enumerate((92, 238, 56)):
            self.decisions.setColumnWidth(column, width)
        self.urls.setMaximumHeight(170)
        return _column(head, self.urls, self._verdict, self.decisions)

    def _connect(self) -> None:
        self.source.text_came.connect(self._on_text_came)
        self.text.textChanged.connect(self._on_changed)
        self.token.textChanged.connect(self._on_changed)
        self.urls.textChanged.connect(self._on_changed)
        self.source.origin_changed.connect(self._on_changed)
        self.known_button.clicked.connect(self._on_known)
        self.decisions.currentItemChanged.connect(self._on_decision_chosen)
        self._trying.ready.connect(self._show)
        self._theme.changed.connect(self._on_theme_changed)
        self._close.clicked.connect(self.reject)

    def open_version(self, number: int) -> None:
        """Take this version of the ledger; its origin's latest URLs are tried."""
        self.source.choose(number)

    def done(self, result: int) -> None:
        self.source.cancel()
        super().done(result)

    @Slot()
    def _on_changed(self) -> None:
        lines, origin = self.urls.toPlainText(), self.source.origin()
        token = self.token.text().strip()
        self._trying.ask(Question(self.text.toPlainText(), token, lines, origin, self._settings.normalise))

    @Slot(str)
    def _on_text_came(self, text: str) -> None:
        self.text.setPlainText(text)
        if not self.urls.toPlainText().strip():
            self._on_known()

    @Slot()
    def _on_known(self) -> None:
        path, origin = self._path, self.source.origin()
        task = Task(lambda: latest_urls(path, origin), self)
        task.finished.connect(self._on_known_read)
        task.failed.connect(self.source.show_fault)
        task.start()

    @Slot(object)
    def _on_known_read(self, urls: list[str]) -> None:
        self.urls.setPlainText("\n".join(urls))

    @Slot(object)
    def _show(self, answer: Answer) -> None:
        self._answer = answer
        self._show_decisions(answer.decisions)
        marks = {}
        for line, (allows, number) in answer.lines().items():
            words = self.tr("allows {0}") if allows else self.tr("forbids {0}")
            marks[line] = Mark(words.format(count(number)), "good" if allows else "bad")
        self.text.set_marks(marks)
        asked = [each for each in answer.decisions if not each.problem]
        forbidden = sum(not each.allowed for each in asked)
        words = self.tr("{0} of {1} forbidden").format(count(forbidden), count(len(asked)))
        self._verdict.setText(words if asked else self.tr("Write URLs above to try them."))
        self._remark.setText(self._said_beside(answer))

    def _show_decisions(self, decisions: tuple[Decision, ...]) -> None:
        place = self.decisions.currentIndex().row()
        self.decisions.blockSignals(True)
        self.decisions.clear()
        self.decisions.addTopLevelItems([self._item(each) for each in decisions])
        if 0 <= place < len(decisions):
            self.decisions.setCurrentIndex(self.decisions.model().index(place, 0))
        self.decisions.blockSignals(False)

    def _item(self, each: Decision) -> QTreeWidgetItem:
        word = self.tr("✓ allowed") if each.allowed else self.tr("✕ forbidden")
        no_rule = self.tr("no line applies")
        rule = each.problem or (each.rule if each.line else no_rule)
        cells = ["–" if each.problem else word, shown(each.url), str(each.line or ""), shown(rule)]
        item = QTreeWidgetItem(cells)
        tone = "warning" if each.problem else "good" if each.allowed else "bad"
        item.setForeground(0, self._theme.colour(tone))
        item.setToolTip(1, tooltip(each.url))
        item.setToolTip(3, tooltip(rule))
        item.setData(0, PLACE, each.line)
        return item

    def _said_beside(self, answer: Answer) -> str:
        said = []
        if answer.crawl_delay is not None:
            said.append(self.tr("Crawl-delay {0:g} s").format(answer.crawl_delay))
        if answer.sitemaps:
            named = self.tr("1 sitemap named") if len(answer.sitemaps) == 1 else self.tr("{0} sitemaps named")
            said.append(named.format(count(len(answer.sitemaps))))
        if answer.left_out:
            said.append(self.tr("{0} lines left out").format(count(answer.left_out)))
        return " · ".join(said)

    @Slot(QTreeWidgetItem, QTreeWidgetItem)
    def _on_decision_chosen(self, item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        line = item.data(0, PLACE) if item is not None else 0
        if line:
            self.text.setTextCursor(QTextCursor(self.text.document().findBlockByNumber(line - 1)))
            self.text.centerCursor()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._show_decisions(self._answer.decisions)


def latest_urls(path: Path, origin: str) -> list[str]:
    """What the crawl found last, of that origin where there is one; for a thread."""
    reader = KnownReader(path)
    try:
        return reader.latest(origin, MOST_KNOWN)
    finally:
        reader.close()


def _column(*parts: QWidget | QHBoxLayout | QGridLayout) -> QWidget:
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)
    return whole
