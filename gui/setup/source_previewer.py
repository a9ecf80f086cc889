"""What the chosen source would bring: asked for by a click, shown with examples, called off at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gui.cancellable import Cancellable, awaited
from gui.foreign_text import shown
from gui.labels import plain_label
from gui.setup.source_preview import previewed
from gui.setup.source_values import Source, address_of, preview_words
from gui.theme import code_font

if TYPE_CHECKING:
    from pathlib import Path

    from core.errors import FronteiraError
    from core.preview import SourcePreview
    from core.settings import CrawlSettings

MOST_EXAMPLE_LINES = 7


class SourcePreviewer(QWidget):
    """Keeps what every source of this crawl was seen to bring. `wanted` on the click; `brought` when there is news."""

    wanted = Signal()
    brought = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: Source | None = None
        self._seen: dict[Source, SourcePreview | str] = {}
        self._running: Cancellable | None = None
        self._build()
        self._lay_out()
        self.button.clicked.connect(self._on_clicked)
        self._show()

    def _build(self) -> None:
        self.button = QPushButton()
        self.button.setToolTip(self.tr("Fetches the source now and says how many URLs it would bring"))
        self._said = plain_label("", "muted", wrap=True)
        self.examples = QPlainTextEdit()
        self.examples.setReadOnly(True)
        self.examples.setFont(code_font())
        self.examples.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.examples.setTabChangesFocus(True)
        self.examples.setFixedHeight((MOST_EXAMPLE_LINES + 1) * self.examples.fontMetrics().lineSpacing())
        self.examples.setAccessibleName(self.tr("Examples of new URLs"))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.button)
        row.addWidget(self._said, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(self.examples)

    @property
    def said(self) -> str:
        """What is told about the chosen source."""
        return self._said.text()

    def words(self, source: Source) -> str:
        """What was seen of a source, in one line; empty where nothing was."""
        seen = self._seen.get(source, "")
        return seen if isinstance(seen, str) else preview_words(seen)

    def choose(self, source: Source | None) -> None:
        """The source whose preview is shown, and asked for by the button."""
        self._source = source
        self._show()

    def start(self, path: Path, settings: CrawlSettings) -> None:
        """Fetch the chosen source with these settings, and compare it with the file at that path."""
        source = self._source
        if source is None or self._running is not None:
            return
        self._running = Cancellable(awaited(lambda: previewed(path, source, settings)), self)
        self._running.finished.connect(lambda found: self._settle(source, found))
        self._running.failed.connect(lambda fault: self._on_failed(source, fault))
        self._running.called_off.connect(lambda: self._settle(source, self.tr("called off")))
        self._seen[source] = self.tr("fetching…")
        self._running.start()
        self._tell()

    def stop(self) -> None:
        """Call off what runs."""
        if self._running is not None:
            self._running.cancel()

    def forget(self) -> None:
        """Another crawl: what was seen counts for nothing."""
        self.stop()
        self._seen.clear()
        self._show()

    def _on_failed(self, source: Source, fault: FronteiraError) -> None:
        self._settle(source, str(fault))

    def _settle(self, source: Source, seen: SourcePreview | str) -> None:
        self._running = None
        self._seen[source] = seen
        self._tell()

    def _tell(self) -> None:
        self._show()
        self.brought.emit()

    def _show(self) -> None:
        source, busy = self._source, self._running is not None
        self.setVisible(source is not None or busy)
        self.button.setText(self.tr("Cancel") if busy else self.tr("Preview"))
        self.button.setEnabled(busy or (source is not None and bool(address_of(source).strip())))
        self._said.setText(self.words(source) if source is not None else "")
        seen = self._seen.get(source, "") if source is not None else ""
        examples = () if isinstance(seen, str) else seen.examples
        self.examples.setPlainText("\n".join(shown(url) for url in examples))
        self.examples.setVisible(bool(examples))

    @Slot()
    def _on_clicked(self) -> None:
        if self._running is not None:
            self._running.cancel()
        else:
            self.wanted.emit()
