"""The seeds of a crawl: typed, pasted, dropped or imported, each bad line with its message beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.seeds.files import read_seed_file
from core.seeds.text import SeedText, read_seed_text
from core.store.words import quantity
from core.urls import Rejected, parse_seed_line
from gui.dialogs.fault import fault_dialog
from gui.figures import count
from gui.file_dialog import file_dialog
from gui.labels import ElidedLabel, card, plain_label, set_tone
from gui.latest import Latest
from gui.setup.draft import put
from gui.setup.import_dialog import ImportDialog
from gui.setup.line_editor import LineEditor, Mark
from gui.setup.part import Finding, Part
from gui.setup.problem_words import message_words
from gui.setup.seed_lines import SeedLines, read_seed_lines
from gui.task import Task
from gui.theme import code_font

if TYPE_CHECKING:
    from core.errors import FronteiraError
    from core.settings import CrawlSettings
    from gui.theme import Theme

AUTO = "auto"


class SeedField(LineEditor):
    """The editor; what is pasted or dropped and is more than a list of lines is offered for a look first."""

    material_dropped = Signal(str, str)  # text, where from
    file_dropped = Signal(object)  # Path

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        local = [Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile()]
        if local:
            self.file_dropped.emit(local[0])
        elif source.hasHtml() and source.text().count("\n") > 0 and not is_list(source.text()):
            self.material_dropped.emit(source.html(), self.tr("pasted page"))
        elif source.hasText() and not is_list(source.text()):
            self.material_dropped.emit(source.text(), self.tr("pasted text"))
        else:
            self.insertPlainText(source.text().replace("\r\n", "\n").replace("\r", "\n"))


class SeedsEditor(Part):
    """Good lines are applied, bad ones stay in the editor with their message and are left out."""

    better_wanted = Signal(str)  # of the site of this seed

    left_out_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = SeedLines()
        self._extra: dict[int, Mark] = {}
        self._reading = Latest(read_seed_lines, self)
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self.editor = SeedField(self._theme)
        self.editor.setAccessibleName(self.tr("Seeds, one URL per line"))
        self.editor.setPlaceholderText("https://shop.example/")
        self.editor.setMinimumHeight(120)
        self._import = QPushButton(self.tr("Import…"))
        self._import.setProperty("kind", "quiet")
        self._import.setToolTip(self.tr("Text, CSV or HTML files with URLs in them; or paste or drop them here"))
        self._theme.dress(self._import, "file-import-outline")
        self.better_button = QPushButton(self.tr("Better sources…"))
        self.better_button.setProperty("kind", "quiet")
        self.better_button.setToolTip(self.tr("Looks for sitemaps and feeds of the site in the line of the cursor"))
        self._theme.dress(self.better_button, "magnify")
        self._verdict = plain_label("", "muted", wrap=True)
        self._sitemaps = QLineEdit()
        self._sitemaps.setFont(code_font())
        self._sitemaps.setPlaceholderText("https://shop.example/sitemap.xml")
        self._sitemaps.setAccessibleName(self.tr("Sitemaps"))
        self._auto = QCheckBox(self.tr("Find in robots.txt"))
        self._sitemap_problem = plain_label("", "bad", wrap=True)
        self._sitemap_problem.hide()

    def _lay_out(self) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self.tr("Seeds"), "heading"))
        head.addWidget(ElidedLabel(self.tr("one URL per line"), "muted"), 1)
        head.addWidget(self.better_button)
        head.addWidget(self._import)
        inner.addLayout(head)
        inner.addWidget(self.editor, 1)
        inner.addWidget(self._verdict)
        row = QHBoxLayout()
        row.setSpacing(10)
        label = plain_label(self.tr("Sitemaps"))
        label.setBuddy(self._sitemaps)
        row.addWidget(label)
        row.addWidget(self._sitemaps, 1)
        row.addWidget(self._auto)
        inner.addLayout(row)
        inner.addWidget(self._sitemap_problem)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._on_text_changed)
        self.editor.material_dropped.connect(self._on_material)
        self.editor.file_dropped.connect(self._on_file)
        self._reading.ready.connect(self._on_read)
        self._import.clicked.connect(self._on_import)
        self.better_button.clicked.connect(self._on_better)
        self._sitemaps.textEdited.connect(self.changed)
        self._auto.toggled.connect(self.changed)

    @property
    def left_out(self) -> int:
        """How many lines are no seed; they stay in the editor."""
        return len(self._lines.problems)

    def is_settling(self) -> bool:
        return self._reading.is_waiting

    def show_settings(self, settings: CrawlSettings) -> None:
        if self._lines.good != settings.seeds.urls or self._reading.is_waiting:
            blocked = self.editor.blockSignals(True)
            self.editor.setPlainText("\n".join(settings.seeds.urls))
            self.editor.blockSignals(blocked)
            self._take(read_seed_lines(self.editor.toPlainText()))
            self._reading.ask(self.editor.toPlainText())
        blocked = self._auto.blockSignals(True)
        self._auto.setChecked(AUTO in settings.seeds.sitemaps)
        self._auto.blockSignals(blocked)
        self._sitemaps.setText(" ".join(text for text in settings.seeds.sitemaps if text != AUTO))
        self._sitemaps.setCursorPosition(0)

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        sitemaps = tuple(self._sitemaps.text().replace(",", " ").split())
        if self._auto.isChecked():
            sitemaps = (AUTO, *sitemaps)
        return put(put(settings, "seeds.urls", self._lines.good), "seeds.sitemaps", sitemaps)

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        self._extra, left, about_maps = {}, [], ""
        for finding in findings:
            key, message = finding.problem.key, finding.problem.message
            line = self._line_of(key)
            if line:
                self._extra[line] = Mark(message_words(message), finding.tone)
            elif key.startswith("seeds.sitemaps"):
                about_maps = message_words(message)
            else:
                left.append(finding)
        self._sitemap_problem.setText(about_maps)
        self._sitemap_problem.setVisible(bool(about_maps))
        self._show_marks()
        return tuple(left)

    def add(self, seeds: tuple[str, ...]) -> None:
        """Append lines to what is typed."""
        text = self.editor.toPlainText().rstrip("\n")
        self.editor.setPlainText("\n".join((*([text] if text else []), *seeds)))

    def _line_of(self, key: str) -> int:
        index = key.removeprefix("seeds.urls[").rstrip("]")
        if not key.startswith("seeds.urls[") or not index.isdigit():
            return 0
        return self._lines.places[int(index)] if int(index) < len(self._lines.places) else 0

    def _take(self, lines: SeedLines) -> None:
        self._lines = lines
        self._extra = {}
        self._show_marks()
        parts = [quantity(len(lines.good), self.tr("valid seed"))]
        if lines.problems:
            number, message = lines.problems[0]
            left_out = self.tr("{0} left out").format(count(len(lines.problems)))
            parts += [left_out, self.tr("line {0}: {1}").format(number, message)]
        self._verdict.setText(" · ".join(parts))
        set_tone(self._verdict, "bad" if lines.problems else "muted")

    def _show_marks(self) -> None:
        marks = {line: Mark("", "faint") for line in self._lines.comments}
        marks |= {
            line: Mark(self.tr("the same as line {0}").format(first), "warning") for line, first in self._lines.doubles
        }
        marks |= {line: Mark(message) for line, message in self._lines.problems}
        self.editor.set_marks(marks | self._extra)

    def _known_hosts(self) -> frozenset[str]:
        urls = (parse_seed_line(seed) for seed in self._lines.good)
        return frozenset(url.host for url in urls if not isinstance(url, Rejected))

    @Slot()
    def _on_text_changed(self) -> None:
        self._reading.ask(self.editor.toPlainText())

    @Slot(object)
    def _on_read(self, lines: SeedLines) -> None:
        moved, before = lines.good != self._lines.good, self.left_out
        self._take(lines)
        if before != self.left_out:
            self.left_out_changed.emit()
        if moved:
            self.changed.emit()

    @Slot()
    def _on_better(self) -> None:
        here = self.editor.textCursor().block().text().strip()
        self.better_wanted.emit(here or next(iter(self._lines.good), ""))

    @Slot()
    def _on_import(self) -> None:
        dialog = file_dialog(self, self.tr("Import seeds"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Text, CSV, HTML (*.txt *.csv *.tsv *.html *.htm *.md);;All files (*)"))
        dialog.fileSelected.connect(lambda name: self._on_file(Path(name)))
        dialog.open()

    @Slot(object)
    def _on_file(self, path: Path) -> None:
        task = Task(lambda: read_seed_file(path), self)
        task.finished.connect(lambda found: self._offer(path.name, found))
        task.failed.connect(self._on_unreadable)
        task.start()

    @Slot(str, str)
    def _on_material(self, text: str, source: str) -> None:
        task = Task(lambda: read_seed_text(text), self)
        task.finished.connect(lambda found: self._offer(source, found))
        task.start()

    @Slot(object)
    def _on_unreadable(self, fault: FronteiraError) -> None:
        fault_dialog(self, self.tr("The seeds could not be read"), fault).open()

    def _offer(self, source: str, found: SeedText) -> None:
        dialog = ImportDialog(self._theme, source, found, self._known_hosts(), self)
        dialog.seeds_wanted.connect(self.add)
        dialog.open()


def is_list(text: str) -> bool:
    """Whether a pasted text is just a list of URLs, or a single line being typed together."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) <= 1 and not any(mark in text for mark in ("<", ",", ";", "\t")):
        return True
    sample = lines[:1000]
    return all(line.startswith("#") or not isinstance(parse_seed_line(line), Rejected) for line in sample)
