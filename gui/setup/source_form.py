"""The fields of one seed source: its address, and how it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from core.settings import Archive, Feed
from gui.foreign_text import tooltip
from gui.labels import plain_label, set_tone
from gui.setup.source_values import FORMATS, FORMS, Source, address_of, kind_of
from gui.theme import code_font

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

TITLES = {"sitemap": "Sitemap", "feed": "Feed or API", "archive": "Web archive (CDX API)"}
EXAMPLES = {
    "sitemap": "https://shop.example/sitemap.xml",
    "feed": "https://partner.example/offers.json",
    "archive": "https://archive.example/cdx/search/cdx",
}


class SourceForm(QWidget):
    """Shows a source and gives it back as typed; only the fields that its kind and format have are shown."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: Source = ""
        self._build()
        self._lay_out()
        self._connect()
        self.show_source("")

    def _build(self) -> None:
        self.address, self.path, self.column, self.query = (QLineEdit() for _ in range(4))
        for field in (self.address, self.path, self.column, self.query):
            field.setFont(code_font())
        self.path.setPlaceholderText("$.items[*].url")
        self.column.setPlaceholderText("url")
        self.query.setPlaceholderText("shop.example/*")
        self.format, self.form = QComboBox(), QComboBox()
        for box, words in ((self.format, FORMATS), (self.form, FORMS)):
            for key, title in words.items():
                box.addItem(title, key)
        self.title = plain_label("", "heading")
        self._problem = plain_label("", "bad", wrap=True)
        self._labels: dict[QWidget, QLabel] = {}

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[QWidget, str, str], ...] = (
            (self.address, self.tr("Address"), self.tr("what is fetched")),
            (self.format, self.tr("Format"), ""),
            (self.path, self.tr("Path"), self.tr("where the URLs stand, as in $.items[*].url or offers.url")),
            (self.column, self.tr("Column"), self.tr("the column that holds the URLs")),
            (self.form, self.tr("Form"), self.tr("how this archive answers")),
            (
                self.query,
                self.tr("Asked for"),
                self.tr("a host or prefix: shop.example, *.shop.example, shop.example/a/*"),
            ),
        )
        for number, (field, title, hint) in enumerate(rows):
            label = plain_label(title)
            label.setBuddy(field)
            field.setAccessibleName(title)
            field.setAccessibleDescription(hint)
            field.setToolTip(tooltip(hint))
            self._labels[field] = label
            grid.addWidget(label, number, 0)
            grid.addWidget(field, number, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.title)
        layout.addLayout(grid)
        layout.addWidget(self._problem)

    def _connect(self) -> None:
        for field in (self.address, self.path, self.column, self.query):
            field.textEdited.connect(self._on_edited)
        for box in (self.format, self.form):
            box.activated.connect(self._on_edited)

    @property
    def source(self) -> Source:
        """As typed."""
        return self._source

    @property
    def problem(self) -> str:
        return self._problem.text()

    def show_source(self, source: Source) -> None:
        """Show this one."""
        self._source = source
        kind = kind_of(source)
        self.title.setText(TITLES[kind])
        self.address.setPlaceholderText(EXAMPLES[kind])
        _set_text(self.address, address_of(source))
        if isinstance(source, Feed):
            self.format.setCurrentIndex(self.format.findData(source.format))
            _set_text(self.path, source.path)
            _set_text(self.column, source.column)
        elif isinstance(source, Archive):
            self.form.setCurrentIndex(self.form.findData(source.form))
            _set_text(self.query, source.query)
        self._show_fields()

    def show_finding(self, message: str, tone: str = "bad") -> None:
        """What the check says about it; empty for nothing."""
        self._problem.setText(message)
        self._problem.setVisible(bool(message))
        set_tone(self._problem, tone)

    def _show_fields(self) -> None:
        source = self._source
        feed, archive = isinstance(source, Feed), isinstance(source, Archive)
        form = source.format if isinstance(source, Feed) else ""
        there = {
            self.format: feed,
            self.path: form in {"json", "jsonl"},
            self.column: form == "csv",
            self.form: archive,
            self.query: archive,
        }
        for field, is_there in there.items():
            field.setVisible(is_there)
            self._labels[field].setVisible(is_there)

    @Slot()
    def _on_edited(self) -> None:
        address = self.address.text().strip()
        if isinstance(self._source, Feed):
            self._source = msgspec.structs.replace(
                self._source,
                url=address,
                format=self.format.currentData(),
                path=self.path.text().strip(),
                column=self.column.text().strip(),
            )
        elif isinstance(self._source, Archive):
            query = self.query.text().strip()
            form = self.form.currentData()
            self._source = msgspec.structs.replace(self._source, endpoint=address, form=form, query=query)
        else:
            self._source = address
        self._show_fields()
        self.changed.emit()


def _set_text(field: QLineEdit, text: str) -> None:
    if field.text() != text:
        field.setText(text)
        field.setCursorPosition(0)
