"""Where the tester's robots.txt comes from: a version the crawl has kept, or the site itself, asked by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.policy.robots import RobotsAnswer
from core.preview.robots import FetchedRobots, fetch_robots
from core.store.read.robots_ledger import KeptRobots, kept_robots, robots_text
from core.urls import Url, parse
from gui.cancellable import Cancellable, awaited
from gui.foreign_text import shown
from gui.labels import plain_label, set_tone
from gui.robots.readable import readable
from gui.tables.cells import moment_text
from gui.task import Task
from gui.theme import code_font

if TYPE_CHECKING:
    from pathlib import Path

    from core.errors import FronteiraError
    from core.settings import CrawlSettings


class RobotsSource(QWidget):
    """An origin, its kept versions, and a button that asks it. `text_came(text)`; `origin_changed` as it is typed."""

    text_came = Signal(str)
    origin_changed = Signal()

    def __init__(self, path: Path, settings: CrawlSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._settings = path, settings
        self._kept: tuple[KeptRobots, ...] = ()
        self._wanted = 0  # version to choose once the ledger is read
        self._running: Cancellable | None = None
        self._build()
        self._lay_out()
        self._connect()
        self._read_ledger()

    def _build(self) -> None:
        self.address = QComboBox()
        line = QLineEdit()
        line.setPlaceholderText("https://shop.example")
        self.address.setLineEdit(line)  # makes it editable
        self.address.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.address.setFont(code_font())
        self.address.setAccessibleName(self.tr("Origin"))
        self.address.setMinimumWidth(300)
        self.versions = QComboBox()
        self.versions.setAccessibleName(self.tr("Kept version"))
        self.versions.setMinimumWidth(250)
        self.fetch_button = QPushButton(self.tr("Fetch now"))
        self.fetch_button.setToolTip(self.tr("Asks the site for its robots.txt, once, with the crawl's settings"))
        self.fetch_button.setAutoDefault(False)
        self._said = plain_label(
            self.tr("Paste a robots.txt below, choose a kept one, or fetch it."), "muted", wrap=True
        )

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for title, box in ((self.tr("Origin"), self.address), (self.tr("Kept version"), self.versions)):
            label = plain_label(title)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box, 1)
        row.addWidget(self.fetch_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self._said)

    def _connect(self) -> None:
        self.address.editTextChanged.connect(self._on_address_typed)
        self.versions.activated.connect(self._on_version_chosen)
        self.address.activated.connect(self._on_address_chosen)
        self.fetch_button.clicked.connect(self._on_fetch)

    @property
    def said(self) -> str:
        """What is told about the text."""
        return self._said.text()

    def origin(self) -> str:
        """`scheme://host[:port]` of what is typed; empty while it is none."""
        url = parse(self.address.currentText().strip())
        return url.origin if isinstance(url, Url) else ""

    def choose(self, number: int) -> None:
        """Take a version of the ledger, as soon as that is read."""
        self._wanted = number
        version = next((each for each in self._kept if each.id == number), None)
        if version is not None:
            self.address.setEditText(version.origin)
            self.versions.setCurrentIndex(self.versions.findData(number))
            self._take(version)

    def cancel(self) -> None:
        """Let go of a request on its way."""
        if self._running is not None:
            self._running.cancel()

    def _read_ledger(self) -> None:
        task = Task(lambda: kept_robots(self._path), self)
        task.finished.connect(self._on_ledger)
        task.failed.connect(self.show_fault)
        task.start()

    @Slot(object)
    def _on_ledger(self, kept: tuple[KeptRobots, ...]) -> None:
        self._kept = kept
        typed = self.address.currentText()
        self.address.addItems([shown(origin) for origin in dict.fromkeys(each.origin for each in kept)])
        self.address.setEditText(typed)
        self._show_versions()
        if self._wanted:
            self.choose(self._wanted)

    @Slot(str)
    def _on_address_typed(self, _text: str) -> None:
        self._show_versions()
        self.origin_changed.emit()

    def _show_versions(self) -> None:
        origin = self.origin()
        mine = [each for each in self._kept if each.origin == origin]
        self.versions.clear()
        for each in mine:
            self.versions.addItem(self._words(each), each.id)
        self.versions.setEnabled(bool(mine))
        if not mine:
            self.versions.addItem(self.tr("none kept"))

    def _words(self, each: KeptRobots) -> str:
        when = self.tr("since {0}").format(moment_text(each.first_seen))
        return f"{when} · {each.status or '–'}" + (self.tr(" · in force") if each.in_force else "")

    @Slot(int)
    def _on_address_chosen(self, _index: int) -> None:
        newest = next((each for each in self._kept if each.origin == self.origin()), None)
        if newest is not None:
            self._take(newest)

    @Slot(int)
    def _on_version_chosen(self, _index: int) -> None:
        version = next((each for each in self._kept if each.id == self.versions.currentData()), None)
        if version is not None:
            self._take(version)

    def _take(self, version: KeptRobots) -> None:
        task = Task(lambda: robots_text(self._path, version.id), self)
        task.finished.connect(lambda text: self._on_text_read(version, text))
        task.failed.connect(self.show_fault)
        task.start()

    def _on_text_read(self, version: KeptRobots, text: str) -> None:
        words = self.tr("Kept version of {0}, seen {1} to {2} UTC, answer {3}.")
        seen = (moment_text(version.first_seen), moment_text(version.last_seen))
        self._say(words.format(shown(version.origin), *seen, version.status or "–"))
        self.text_came.emit(readable(text))

    @Slot()
    def _on_fetch(self) -> None:
        if self._running is not None:
            self._running.cancel()
            return
        address, settings = self.address.currentText().strip(), self._settings
        self._running = Cancellable(awaited(lambda: fetch_robots(address, settings)), self)
        self._running.finished.connect(self._on_fetched)
        self._running.failed.connect(self.show_fault)
        self._running.called_off.connect(self._on_called_off)
        self.fetch_button.setText(self.tr("Cancel"))
        self._say(self.tr("Asking {0}…").format(shown(address)))
        self._running.start()

    @Slot(object)
    def _on_fetched(self, fetched: FetchedRobots) -> None:
        self._settle()
        self._say(self._meaning(fetched), "bad" if fetched.access is RobotsAnswer.DISALLOW else "muted")
        if fetched.access is RobotsAnswer.RULES:
            self.text_came.emit(readable(fetched.text))

    def _meaning(self, fetched: FetchedRobots) -> str:
        answer = str(fetched.status) if fetched.status else fetched.problem
        if fetched.access is RobotsAnswer.RULES:
            return self.tr("Fetched just now from {0}.").format(shown(fetched.address))
        if fetched.access is RobotsAnswer.ALLOW:
            words = self.tr("{0} has no robots.txt ({1}): everything may be fetched. The text below is unchanged.")
        else:
            words = self.tr("{0} could not be asked ({1}): nothing may be fetched. The text below is unchanged.")
        return words.format(shown(fetched.origin), shown(answer))

    @Slot(object)
    def show_fault(self, fault: FronteiraError) -> None:
        """Say what went wrong."""
        self._settle()
        self._say(str(fault), "bad")

    @Slot()
    def _on_called_off(self) -> None:
        self._settle()
        self._say(self.tr("Called off."))

    def _settle(self) -> None:
        self._running = None
        self.fetch_button.setText(self.tr("Fetch now"))

    def _say(self, text: str, tone: str = "muted") -> None:
        self._said.setText(text)
        set_tone(self._said, tone)
