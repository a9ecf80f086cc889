"""Beside the table: everything about the current row; of a URL its way from the seed and both sides of its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayoutItem,
    QScrollArea,
    QStackedWidget,
    QTabBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.changes.version_list import VersionList
from gui.figures import count
from gui.foreign_text import shown, tooltip
from gui.labels import plain_label
from gui.tables.cells import cell_text, moment_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.store.read.columns import Column, TableRow
    from core.store.read.runs import VersionPair
    from core.store.rows import LinkRow, UrlDetails

LONGEST_FACT = 2000
FACTS, IN, OUT, VERSIONS = range(4)
LONG = frozenset(("text", "url", "hash"))


class Details(QFrame):
    """A card with tabs. `url_chosen(id)` when a neighbour is opened by a double click."""

    url_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("class", "card")
        self._build()
        self._lay_out()
        self._connect()
        self.show_nothing()

    def _build(self) -> None:
        self._wanted = FACTS
        self._versions_first = True
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        for title in (self.tr("Details"), self.tr("In-links"), self.tr("Out-links"), self.tr("Versions")):
            self._tabs.addTab(title)
        self._facts = QScrollArea()
        self._facts.setWidgetResizable(True)
        self._facts.setFrameShape(QFrame.Shape.NoFrame)
        self._in = _link_list(self.tr("Pages that link here"))
        self._out = _link_list(self.tr("Links of this page"))
        self._versions = VersionList()
        self._stack = QStackedWidget()

    def _lay_out(self) -> None:
        for widget in (self._facts, self._in, self._out, self._versions):
            self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 4, 8, 8)
        layout.setSpacing(6)
        layout.addWidget(self._tabs)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self._tabs.currentChanged.connect(self._on_tab_changed)
        for links in (self._in, self._out):
            links.itemActivated.connect(self._on_link_activated)

    def show_nothing(self) -> None:
        """No row is chosen."""
        self._show_facts([], [])
        self._show_links_tabs(shown=False)

    def show_row(self, columns: Sequence[Column], row: TableRow, note: str = "", *, local: bool) -> None:
        """Every cell of a row that has one, hidden columns too; `note` is what the settings say about it."""
        pairs = zip(columns, row.cells, strict=True)
        known = [(column, value) for column, value in pairs if value not in (None, "")]
        facts = [(column.kind in LONG, column.title, _fact(column, value, local=local)) for column, value in known]
        noted = [(self.tr("By the settings"), note)] if note else []
        self._show_facts(
            [*(fact[1:] for fact in facts if fact[0]), *noted], [fact[1:] for fact in facts if not fact[0]]
        )
        self._show_links_tabs(shown=False)

    def show_url(self, details: UrlDetails, links_in: Sequence[LinkRow], links_out: Sequence[LinkRow]) -> None:
        """The way from the seed and the links, beside what the row says."""
        _add_fact(self._left, self.tr("Path"), path_words(details), row=1)
        number = self.tr("not kept") if details.in_links is None else count(details.in_links)
        self._tabs.setTabText(IN, self.tr("In-links {0}").format(number))
        self._tabs.setTabText(OUT, self.tr("Out-links {0}").format(count(details.out_links)))
        _fill(self._in, links_in, details.in_links or 0)
        _fill(self._out, links_out, details.out_links)
        self._show_links_tabs(shown=True)
        self._tabs.setCurrentIndex(self._wanted)

    def show_versions(self, pair: VersionPair, *, local: bool) -> None:
        """Both versions of a record side by side, in front until the person turns to another tab."""
        first = self._versions_first
        self._versions.show_pair(pair, local=local)
        self._tabs.setTabVisible(VERSIONS, True)
        self._tabs.setCurrentIndex(VERSIONS if first else FACTS)

    def show_in_links(self) -> None:
        """Bring the in-links to the front, as soon as they are there."""
        self._wanted = IN
        if self._tabs.isTabVisible(IN):
            self._tabs.setCurrentIndex(IN)

    def facts(self) -> list[tuple[str, str]]:
        """What is shown, for tests and screen readers."""
        return [pair for form in (self._left, self._right) for pair in _pairs(form)]

    @Slot(QTreeWidgetItem)
    def _on_link_activated(self, item: QTreeWidgetItem) -> None:
        number = item.data(0, Qt.ItemDataRole.UserRole)
        if number is not None:
            self.url_chosen.emit(number)

    @Slot(int)
    def _on_tab_changed(self, tab: int) -> None:
        """The tab that is chosen stays so for the rows to come; one that is only not there yet does too."""
        self._stack.setCurrentIndex(tab)
        if self._tabs.isTabVisible(IN):
            self._wanted = tab
        if self._tabs.isTabVisible(VERSIONS):
            self._versions_first = tab == VERSIONS

    def _show_links_tabs(self, *, shown: bool) -> None:
        wanted = self._wanted
        for tab in (IN, OUT):
            self._tabs.setTabVisible(tab, shown)
        self._tabs.setTabVisible(VERSIONS, False)
        self._wanted = wanted

    def _show_facts(self, left: Iterable[tuple[str, str]], right: Iterable[tuple[str, str]]) -> None:
        page = QWidget()
        across = QHBoxLayout(page)
        across.setContentsMargins(0, 2, 8, 2)
        across.setSpacing(28)
        self._left, self._right = _form(), _form()
        for form, facts, stretch in ((self._left, left, 3), (self._right, right, 1)):
            across.addLayout(form, stretch)
            for title, text in facts:
                _add_fact(form, title, text)
        self._facts.setWidget(page)


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(18)
    form.setVerticalSpacing(5)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return form


def _add_fact(form: QFormLayout, title: str, text: str, row: int = -1) -> None:
    value = plain_label(text, wrap=True)
    value.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    value.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    form.insertRow(row, plain_label(title, "muted"), value)


def _pairs(form: QFormLayout) -> list[tuple[str, str]]:
    roles = (QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole)
    rows = ([_text(form.itemAt(row, role)) for role in roles] for row in range(form.rowCount()))
    return [(title, text) for title, text in rows]


def _text(item: QLayoutItem | None) -> str:
    label = item.widget() if item else None
    return label.text() if isinstance(label, QLabel) else ""


def path_words(details: UrlDetails) -> str:
    """The way from the seed to this URL; long ways are shortened in the middle."""
    steps = [shown(step.url, 120) for step in details.chain]
    if len(steps) > 6:
        steps = [*steps[:3], f"… {len(steps) - 5} more …", *steps[-2:]]
    start = "seed" if details.chain or details.seed else "unknown"
    return " → ".join([start, *steps, shown(details.url, 120)])


def _fact(column: Column, value: str | float | None, *, local: bool) -> str:
    if column.kind == "time" and isinstance(value, int | float):
        return moment_text(value, local=local)
    if isinstance(value, str) and column.kind != "state":
        return shown(value, LONGEST_FACT)
    return cell_text(column, value, local=local)


def _link_list(name: str) -> QTreeWidget:
    links = QTreeWidget()
    links.setHeaderLabels(["URL", "Text", "Rel", "State", "Status"])
    links.setRootIsDecorated(False)
    links.setUniformRowHeights(True)
    links.setAccessibleName(name)
    for column, width in enumerate((420, 220, 80, 90)):
        links.setColumnWidth(column, width)
    return links


def _fill(target: QTreeWidget, links: Sequence[LinkRow], number: int) -> None:
    target.clear()
    items = [_item(link) for link in links]
    if number > len(links):
        items.append(QTreeWidgetItem([f"… {count(number - len(links))} more; export the table of links to see all"]))
    target.addTopLevelItems(items)


def _item(link: LinkRow) -> QTreeWidgetItem:
    status = "" if link.status is None else str(link.status)
    item = QTreeWidgetItem([shown(link.url), shown(link.text), shown(link.rel), link.state.capitalize(), status])
    item.setToolTip(0, tooltip(link.url))
    item.setToolTip(1, tooltip(link.text))
    item.setData(0, Qt.ItemDataRole.UserRole, link.url_id)
    return item
