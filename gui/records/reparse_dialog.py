"""Re-parse: what the record types in force would change over the stored pages, and then, if wanted, doing it.

Only settings that are applied count. Nothing is requested; a cancelled one goes on where it was the next time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.dialogs.button_row import button_row
from gui.figures import count
from gui.foreign_text import shown, tooltip
from gui.labels import plain_label, set_tone
from gui.records.reparse_process import ReparseProcess
from gui.records.reparse_words import left_words, report_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.store.reparsed import Collision, Example, ReparseReport

    Start = Callable[[Path, bool, QWidget], ReparseProcess]

COUNTS = ("created", "unchanged", "updated", "gone", "conflicts", "unread")


def _process(path: Path, dry_run: bool, parent: QWidget) -> ReparseProcess:
    return ReparseProcess(path, dry_run=dry_run, parent=parent)


class ReparseDialog(QDialog):
    """Begins with the dry run as soon as it is made. Open it with `.open()`."""

    def __init__(self, path: Path, parent: QWidget | None = None, start: Start = _process) -> None:
        super().__init__(parent)
        self._path, self._start = path, start
        self._running: ReparseProcess | None = None
        self._closing = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Re-parse stored pages"))
        self.resize(820, 600)
        self._build()
        self._lay_out()
        self._connect()
        self._begin(dry_run=True)

    def _build(self) -> None:
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.words = plain_label("", "muted", wrap=True)
        self.left = plain_label("", "warning", wrap=True)
        self.left.hide()
        self.counts = _tree(
            (self.tr("Type"), *(name.capitalize() for name in COUNTS)), self.tr("Records of each type"), 130
        )
        self.examples = _tree(
            (self.tr("Record or field"), self.tr("Now"), self.tr("By these rules")), self.tr("Examples of changes")
        )
        self.apply_button = QPushButton(self.tr("Apply to the records"))
        self.apply_button.setProperty("kind", "primary")
        self.apply_button.setEnabled(False)
        self.close_button = QPushButton(self.tr("Cancel"))

    def _lay_out(self) -> None:
        text = self.tr(
            "The record types as they are applied, over the responses that are kept: without a request, and the "
            "records keep their ids. Changes in Setup that are not applied yet do not count."
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        layout.addWidget(plain_label(self.windowTitle(), "title"))
        layout.addWidget(plain_label(text, "muted", wrap=True))
        layout.addWidget(self.bar)
        layout.addWidget(self.words)
        layout.addWidget(self.left)
        layout.addWidget(self.counts)
        layout.addWidget(self.examples, 1)
        layout.addLayout(button_row(self.close_button, self.apply_button))

    def _connect(self) -> None:
        self.apply_button.clicked.connect(self._on_apply)
        self.close_button.clicked.connect(self.reject)

    def reject(self) -> None:
        """End what runs first; then close."""
        if self._running is None:
            super().reject()
            return
        self._closing = self._closing or self._is_dry
        self.close_button.setEnabled(False)
        self._say(self.tr("Ending…"))
        self._running.stop()

    def _begin(self, *, dry_run: bool) -> None:
        self._is_dry = dry_run
        self._running = self._start(self._path, dry_run, self)
        self._running.told.connect(self._on_told)
        self._running.reported.connect(self._on_reported)
        self._running.failed.connect(self._on_failed)
        self.bar.setRange(0, 0)
        self.bar.show()
        self.apply_button.setEnabled(False)
        self.close_button.setText(self.tr("Cancel"))
        self._say(self.tr("Looking what would change…") if dry_run else self.tr("Applying…"))
        self._running.start()

    @Slot()
    def _on_apply(self) -> None:
        self._begin(dry_run=False)

    @Slot(int, int)
    def _on_told(self, done: int, of: int) -> None:
        self.bar.setRange(0, max(1, of))
        self.bar.setValue(done)
        self._say(self.tr("{0} of {1} pages").format(count(done), count(of)))

    @Slot(object)
    def _on_reported(self, report: ReparseReport) -> None:
        self._show(report)
        again = report.finished if report.dry_run else not report.finished
        self._end(may_apply=again and bool(report.records))

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._say(shown(sentence, 600), "bad")
        self._end(may_apply=False)

    def _end(self, *, may_apply: bool) -> None:
        self._running = None
        self.bar.hide()
        self.apply_button.setEnabled(may_apply)
        self.close_button.setEnabled(True)
        self.close_button.setText(self.tr("Close"))
        if self._closing:
            self.reject()

    def _show(self, report: ReparseReport) -> None:
        self._say(*report_words(report))
        self.left.setText(left_words(report))
        self.left.setVisible(bool(self.left.text()))
        self.counts.clear()
        for name, counts in report.records.items():
            self.counts.addTopLevelItem(
                QTreeWidgetItem([shown(name, 60), *(count(getattr(counts, each)) for each in COUNTS)])
            )
        self.examples.clear()
        if report.collisions:
            self.examples.addTopLevelItem(_collisions(self.tr("One key, different data"), report.collisions))
        for example in report.examples:
            self.examples.addTopLevelItem(_example(example))
        self.examples.expandAll()

    def _say(self, text: str, tone: str = "muted") -> None:
        self.words.setText(text)
        set_tone(self.words, tone)


def _tree(titles: tuple[str, ...], name: str, height: int = 0) -> QTreeWidget:
    tree = QTreeWidget()
    tree.setHeaderLabels(list(titles))
    tree.setAccessibleName(name)
    tree.setUniformRowHeights(True)
    tree.setRootIsDecorated(not height)
    tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    if height:
        tree.setMaximumHeight(height)
    return tree


def _collisions(title: str, collisions: list[Collision]) -> QTreeWidgetItem:
    group = QTreeWidgetItem([title, "", ""])
    for each in collisions:
        item = QTreeWidgetItem([f"{each.type}: {shown(each.key, 60)}", shown(each.url, 120), shown(each.other, 120)])
        item.setToolTip(1, tooltip(each.url))
        item.setToolTip(2, tooltip(each.other))
        group.addChild(item)
    return group


def _example(example: Example) -> QTreeWidgetItem:
    group = QTreeWidgetItem([f"{example.type}, {example.action}", shown(example.url, 120), ""])
    group.setToolTip(1, tooltip(example.url))
    for change in example.fields:
        texts = [shown(text, 200) if text is not None else "" for text in (change.before, change.after)]
        group.addChild(QTreeWidgetItem([shown(change.field, 60), *texts]))
    return group
