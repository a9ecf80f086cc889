"""All settings as text, exactly as a profile holds them: for everything that has no field of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.errors import Problem, SettingsError
from core.profile import read_profile, write_profile
from gui.labels import card, plain_label, set_tone
from gui.latest import Latest
from gui.setup.line_editor import LineEditor, Mark
from gui.setup.part import Finding, Part

if TYPE_CHECKING:
    from core.settings import CrawlSettings
    from gui.theme import Theme


@dataclass(frozen=True, slots=True)
class Read:
    """What a text says: settings, or why not."""

    settings: CrawlSettings | None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()


class TomlEditor(Part):
    """Read as typed; a text that cannot be read changes nothing and is kept."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings: CrawlSettings | None = None
        self._read = Read(None)
        self._reading = Latest(read_text, self)
        self.editor = LineEditor(theme)
        self.editor.setAccessibleName(self.tr("All settings as TOML"))
        self._verdict = plain_label("", "muted", wrap=True)
        self._lay_out()
        self.editor.textChanged.connect(self._on_text_changed)
        self._reading.ready.connect(self._on_read)

    def _lay_out(self) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self.tr("All settings"), "heading"))
        remark = self.tr("TOML, as in a profile; what is not written here has its usual value")
        head.addWidget(plain_label(remark, "muted"), 1)
        inner.addLayout(head)
        inner.addWidget(self.editor, 1)
        inner.addWidget(self._verdict)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def is_settling(self) -> bool:
        return self._reading.is_waiting

    def show_settings(self, settings: CrawlSettings) -> None:
        if settings == self._settings and not self._read.problems:
            return
        self._settings = settings
        self._read = Read(settings)
        blocked = self.editor.blockSignals(True)
        self.editor.setPlainText(write_profile(settings))
        self.editor.blockSignals(blocked)
        self._show_read()

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        return self._settings or settings

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return findings  # they come without lines; the parts and the footer say them

    def wrong_texts(self) -> int:
        return int(bool(self._read.problems))

    def _show_read(self) -> None:
        marks = {warning.line: Mark(warning.message, "warning") for warning in self._read.warnings if warning.line}
        marks |= {problem.line: Mark(problem.message) for problem in self._read.problems if problem.line}
        self.editor.set_marks(marks)
        said = [str(problem) for problem in (*self._read.problems, *self._read.warnings)]
        self._verdict.setText("\n".join(said[:4]) if said else self.tr("Every line is understood."))
        set_tone(self._verdict, "bad" if self._read.problems else "warning" if said else "muted")

    @Slot()
    def _on_text_changed(self) -> None:
        self._reading.ask(self.editor.toPlainText())

    @Slot(object)
    def _on_read(self, read: Read) -> None:
        self._read = read
        self._show_read()
        if read.settings is not None:
            self._settings = read.settings
        self.changed.emit()


def read_text(text: str) -> Read:
    """The settings that a text describes, or all its problems."""
    try:
        settings, warnings = read_profile(text)
    except SettingsError as fault:
        return Read(None, fault.problems)
    return Read(settings, (), tuple(warnings))
