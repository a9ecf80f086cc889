"""A card of fields made from their specs: the simple sections of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.labels import ElidedLabel, card, plain_label
from gui.setup.draft import get, put
from gui.setup.field import Field, FieldSpec
from gui.setup.part import Finding, Part
from gui.setup.problem_words import message_words

if TYPE_CHECKING:
    from core.settings import CrawlSettings


class Form(Part):
    """A title, a remark, and fields in one or two columns.

    `needs_stop` greys the fields while the crawl runs and says why.
    """

    def __init__(
        self,
        title: str,
        remark: str,
        specs: tuple[FieldSpec, ...],
        *,
        columns: int = 2,
        needs_stop: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields = {spec.key: Field(spec) for spec in specs}
        self._needs_stop = needs_stop
        self._hint = plain_label(
            self.tr("Stop the crawl to change these: they decide which pages are the same."), "warning", wrap=True
        )
        self._hint.hide()
        self._lay_out(title, remark, columns)
        for field in self.fields.values():
            field.changed.connect(self.changed)

    def _lay_out(self, title: str, remark: str, columns: int) -> None:
        frame, inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(title, "heading"))
        head.addWidget(ElidedLabel(remark, "muted"), 1)
        inner.addLayout(head)
        inner.addWidget(self._hint)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        for at, field in enumerate(self.fields.values()):
            row, column = divmod(at, columns)
            label = field.label()
            label.setMinimumHeight(28)
            if field.spec.kind == "flag":
                grid.addWidget(field, row, 2 * column, 1, 2)
            else:
                grid.addWidget(label, row, 2 * column, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(field, row, 2 * column + 1)
        for column in range(columns):
            grid.setColumnStretch(2 * column + 1, 1)
        inner.addLayout(grid)
        inner.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    def show_settings(self, settings: CrawlSettings) -> None:
        for key, field in self.fields.items():
            field.set_value(get(settings, key))

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        for key, field in self.fields.items():
            settings = put(settings, key, field.value())
        return settings

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        left: list[Finding] = []
        messages: dict[str, tuple[str, str]] = {}
        for finding in findings:
            key = finding.problem.key.partition("[")[0]
            if key in self.fields:
                messages.setdefault(key, (message_words(finding.problem.message), finding.tone))
            else:
                left.append(finding)
        for key, field in self.fields.items():
            field.set_finding(*messages.get(key, ("", "")))
        return tuple(left)

    def wrong_texts(self) -> int:
        return sum(field.is_wrong for field in self.fields.values())

    def set_running(self, running: bool) -> None:
        if self._needs_stop:
            self._hint.setVisible(running)
            for field in self.fields.values():
                field.setEnabled(not running)
