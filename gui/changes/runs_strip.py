"""Above the changes: which runs are compared, how much is new, changed, unchanged and gone between them, bars a run.

At first it is the newest run against the one before. Choosing other runs narrows the table to what happened after the
first and up to the second.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout

from core.store.read.columns import Condition
from gui.changes.parts import PARTS
from gui.changes.run_bars import RunBars
from gui.changes.runs_reader import RunsReader
from gui.figures import count
from gui.labels import ElidedLabel, plain_label, set_tone
from gui.tables.cells import moment_text
from gui.worker_thread import WorkerThread

if TYPE_CHECKING:
    from pathlib import Path

    from core.difference import Counts, Difference
    from core.store.read.runs import RunRow
    from gui.theme import Theme


AGAIN_SECONDS = 20.0  # between two comparisons while a run goes on: each reads whole tables


class RunsStrip(QFrame):
    """`chosen` when other runs are compared; `versions_read(VersionPair)` answers `read_versions`."""

    chosen = Signal()
    versions_read = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("class", "card")
        self._theme = theme
        self._path: Path | None = None
        self._runs: tuple[RunRow, ...] = ()
        self._by_hand = False
        self._compared = 0.0  # monotonic
        self._reader = RunsReader()
        self._thread = WorkerThread(self._reader, "runs")
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self._from, self._to = QComboBox(), QComboBox()
        for box, name in ((self._from, self.tr("Compare from run")), (self._to, self.tr("to run"))):
            box.setAccessibleName(name)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(18)
        self._every = QPushButton(self.tr("All runs"))
        self._every.setToolTip(self.tr("Show what happened in every run"))
        self._words = ElidedLabel("", "muted")
        self._figures: dict[tuple[str, str], ElidedLabel] = {}
        self._bars = RunBars(self._theme)

    def _lay_out(self) -> None:
        choice = QHBoxLayout()
        choice.setSpacing(8)
        first, last = plain_label(self.tr("From"), "muted"), plain_label(self.tr("to"), "muted")
        for widget in (first, self._from, last, self._to):
            choice.addWidget(widget)
        choice.addWidget(self._every)
        choice.addWidget(self._words, 1)
        across = QHBoxLayout()
        across.setSpacing(24)
        across.addLayout(self._figures_grid())
        across.addWidget(self._bars, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.setSpacing(8)
        layout.addLayout(choice)
        layout.addLayout(across)

    def _figures_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(2)
        for column, part in enumerate(PARTS, 1):
            grid.addWidget(plain_label(self.tr(part.word), "muted"), 0, column)
        for row, (key, title) in enumerate((("records", self.tr("Records")), ("pages", self.tr("Pages"))), 1):
            grid.addWidget(plain_label(title, "muted"), row, 0)
            for column, part in enumerate(PARTS, 1):
                label = self._figures[key, part.word] = ElidedLabel("–")
                label.setMinimumWidth(56)
                grid.addWidget(label, row, column)
        return grid

    def _connect(self) -> None:
        self._reader.runs_read.connect(self._on_runs_read)
        self._reader.compared.connect(self._on_compared)
        self._reader.versions_read.connect(self.versions_read)
        self._reader.failed.connect(self._on_failed)
        self._from.activated.connect(self._on_activated)
        self._to.activated.connect(self._on_activated)
        self._every.clicked.connect(self._on_every)
        self._bars.run_chosen.connect(self._on_bar_chosen)

    def set_path(self, path: Path | None) -> None:
        """Another crawl, or none."""
        self._path, self._runs, self._by_hand = path, (), False
        self._reader.wanted += 1
        for box in (self._from, self._to):
            box.clear()
        self._show(None)

    def look(self) -> None:
        """Read the runs anew; what is compared is compared anew where they moved."""
        if self._path is not None:
            self._thread.post(self._reader.read, self._path)

    def read_versions(self, record: str, version: int) -> None:
        """Ask for a version of a record beside the one before it."""
        if self._path is not None:
            self._thread.post(self._reader.read_versions, self._path, record, version)

    def runs(self) -> tuple[int, int]:
        """The two runs that are compared; 0 is before the first."""
        first, last = self._from.currentData(), self._to.currentData()
        return (first or 0, last or 0)

    def conditions(self) -> tuple[Condition, ...]:
        """What of the table is shown: everything, until runs were chosen."""
        if not self._by_hand:
            return ()
        first, last = self.runs()
        return (Condition("run", ">", str(first)), Condition("run", "<", str(last + 1)))

    def figures(self) -> dict[tuple[str, str], str]:
        """The counts as they are shown, by `records` or `pages` and word."""
        return {key: label.text() for key, label in self._figures.items()}

    def choose(self, first: int, last: int) -> None:
        """Compare these runs, and narrow the table to them."""
        self._by_hand = True
        for box, number in ((self._from, first), (self._to, last)):
            box.setCurrentIndex(box.findData(number))
        self._compare()
        self.chosen.emit()

    @Slot(object, object)
    def _on_runs_read(self, path: Path, runs: tuple[RunRow, ...]) -> None:
        if path != self._path or runs == self._runs:
            return
        before, self._runs = self._runs, runs
        if _standing(before) != _standing(runs):
            self._offer()
            self._compare()
            return
        self._bars.show_runs(runs, self.runs())
        if time.monotonic() - self._compared >= AGAIN_SECONDS:
            self._compare()

    def _offer(self) -> None:
        """Runs came or ended: where nobody chose, the newest is compared."""
        chosen = self.runs()
        self._fill()
        if not self._by_hand and self._runs:
            chosen = (self._runs[-1].number - 1, self._runs[-1].number)
        for box, number in zip((self._from, self._to), chosen, strict=True):
            box.setCurrentIndex(box.findData(number))

    @Slot(int)
    def _on_activated(self, _index: int) -> None:
        first, last = self.runs()
        self.choose(min(first, last), max(first, last))

    @Slot()
    def _on_every(self) -> None:
        if self._runs:
            self.choose(0, self._runs[-1].number)

    @Slot(int)
    def _on_bar_chosen(self, number: int) -> None:
        self.choose(number - 1, number)

    @Slot(int, object)
    def _on_compared(self, ticket: int, found: Difference) -> None:
        if ticket == self._reader.wanted:
            self._show(found)
            self._say("")

    @Slot(int, str)
    def _on_failed(self, ticket: int, sentence: str) -> None:
        if ticket == self._reader.wanted:
            self._say(sentence, "bad")

    def _fill(self) -> None:
        self._from.clear()
        self._to.clear()
        self._from.addItem(self.tr("Before the first run"), 0)
        for run in self._runs:
            text = self.tr("Run {0}, {1}").format(run.number, moment_text(run.started, local=False))
            self._from.addItem(text, run.number)
            self._to.addItem(text, run.number)

    def _compare(self) -> None:
        self._bars.show_runs(self._runs, self.runs())
        first, last = self.runs()
        if self._path is None or not self._runs:
            return
        self._reader.wanted += 1
        self._compared = time.monotonic()
        self._say(self.tr("Comparing…"))
        self._thread.post(self._reader.compare, self._reader.wanted, self._path, first, last)

    def _show(self, found: Difference | None) -> None:
        for (key, word), label in self._figures.items():
            counts: Counts | None = None if found is None else getattr(found, key)
            part = next(part for part in PARTS if part.word == word)
            label.set_foreign_text("–" if counts is None else count(part.between(counts)))

    def _say(self, text: str, tone: str = "muted") -> None:
        set_tone(self._words, tone)
        self._words.set_foreign_text(text)


def _standing(runs: tuple[RunRow, ...]) -> list[tuple[int, float | None]]:
    """Which runs there are, and which of them are over."""
    return [(run.number, run.ended) for run in runs]
