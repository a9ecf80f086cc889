"""One record type: what it is called, on which pages it is looked for, what makes it the same thing, its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.settings import FieldRule, RecordType
from gui.foreign_text import tooltip
from gui.labels import ElidedLabel, plain_label
from gui.setup.field_rule import FieldRuleRow
from gui.theme import code_font

if TYPE_CHECKING:
    from gui.theme import Theme

TEXTS = (
    ("name", "Name", "product", "Letters, digits, - and _"),
    ("match", "On pages", "/product/*", "A pattern, as in exclusions"),
    ("key", "Natural key", "sku", "A field, or several separated by commas; empty: the page's canonical URL"),
    ("rows", "Rows", "table.items tr", "CSS selector of a row, when a page holds many; empty: one record a page"),
    ("source", "Source", "", "What the records belong to; empty: the page's host"),
)


class RecordForm(QWidget):
    """Shows one record type and gives it back as typed."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._record = RecordType(name="record", match="/")
        self._rows: list[FieldRuleRow] = []
        self._build()
        self._lay_out()
        self._connect()

    def _build(self) -> None:
        self.texts: dict[str, QLineEdit] = {}
        self.problems = {key: plain_label("", "bad", wrap=True) for key in (*(text[0] for text in TEXTS), "fields")}
        for key, title, example, hint in TEXTS:
            field = QLineEdit()
            field.setPlaceholderText(example)
            field.setToolTip(tooltip(hint))
            field.setAccessibleName(title)
            field.setAccessibleDescription(hint)
            if key in ("match", "rows"):
                field.setFont(code_font())
            self.texts[key] = field
        self.history = QCheckBox(self.tr("Keep every version"))
        self.add_button = QPushButton(self.tr("Add field"))
        self.add_button.setProperty("kind", "quiet")
        self._theme.dress(self.add_button, "plus")
        self._fields = QVBoxLayout()
        self._fields.setSpacing(6)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        for row, (key, title, _, hint) in enumerate(TEXTS):
            label = plain_label(title)
            label.setBuddy(self.texts[key])
            grid.addWidget(label, 2 * row, 0)
            grid.addWidget(self.texts[key], 2 * row, 1)
            grid.addWidget(ElidedLabel(hint, "muted"), 2 * row, 2)
            grid.addWidget(self.problems[key], 2 * row + 1, 1, 1, 2)
            self.problems[key].hide()
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(2, 3)
        head = QHBoxLayout()
        head.addWidget(plain_label(self.tr("Fields"), "heading"))
        remark = self.tr("a field without a match is empty; a page whose key is empty gives no record")
        head.addWidget(ElidedLabel(remark, "muted"), 1)
        head.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.setSpacing(10)
        layout.addLayout(grid)
        layout.addWidget(self.history)
        layout.addLayout(head)
        layout.addWidget(self.problems["fields"])
        self.problems["fields"].hide()
        layout.addLayout(self._fields)
        layout.addStretch(1)

    def _connect(self) -> None:
        for field in self.texts.values():
            field.textEdited.connect(self.changed)
        self.history.toggled.connect(self.changed)
        self.add_button.clicked.connect(self._on_add)

    def show_record(self, record: RecordType) -> None:
        """Show this type instead."""
        self._record = record
        for key, field in self.texts.items():
            field.setText(", ".join(record.key_fields) if key == "key" else getattr(record, key))
        blocked = self.history.blockSignals(True)
        self.history.setChecked(record.history)
        self.history.blockSignals(blocked)
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = []
        for name, rule in record.fields.items():
            self._append(name, rule)
        self.set_problems({})

    def record(self) -> RecordType:
        """The record type as typed. Of two fields with one name the first counts; the other says so.

        A field that is not complete is left out until it is.
        """
        texts = {key: field.text().strip() for key, field in self.texts.items()}
        keys = tuple(part.strip() for part in texts.pop("key").split(",") if part.strip())
        fields: dict[str, FieldRule] = {}
        for row in self._rows:
            name, rule = row.rule()
            if row.is_complete:
                fields.setdefault(name, rule)
        key: str | tuple[str, ...] = keys if len(keys) > 1 else "".join(keys)
        return msgspec.structs.replace(self._record, key=key, history=self.history.isChecked(), fields=fields, **texts)

    def set_problems(self, problems: dict[str, str]) -> dict[str, str]:
        """Messages by the rest of their key (`name`, `fields.sku.css`); gives back those without a place here."""
        left = dict(problems)
        for key, label in self.problems.items():
            message = left.pop(key, "")
            label.setText(message)
            label.setVisible(bool(message))
        seen: set[str] = set()
        for row in self._rows:
            name, _ = row.rule()
            start = f"fields.{name}"
            mine = [key for key in left if key == start or key.startswith((start + ".", f'fields."{name}"'))]
            message = "; ".join(dict.fromkeys(left.pop(key) for key in mine))
            twice = self.tr("Another field has this name.") if name and name in seen else ""
            row.set_problem(twice or row.complaint() or message)
            seen.add(name)
        return left

    def unkept(self) -> int:
        """How many fields cannot be kept: another has their name, or they are not complete."""
        names = [row.rule()[0] for row in self._rows if row.is_complete]
        return len(self._rows) - len(set(names))

    def complaint(self) -> str:
        """The first thing that is missing or doubled, as it stands beside its field."""
        said = (row.problem.text() for row in self._rows)
        return next((text for text in said if text), "")

    def _append(self, name: str, rule: FieldRule, *, new: bool = False) -> FieldRuleRow:
        row = FieldRuleRow(self._theme, name, rule, new=new)
        row.changed.connect(self.changed)
        row.left.connect(self.changed)
        row.remove_wanted.connect(self._on_remove)
        self._rows.append(row)
        self._fields.addWidget(row)
        return row

    @Slot()
    def _on_add(self) -> None:
        self._append("", FieldRule(), new=True).name.setFocus()
        self.changed.emit()

    @Slot()
    def _on_remove(self) -> None:
        row = self.sender()
        if isinstance(row, FieldRuleRow):
            self._rows.remove(row)
            row.hide()
            row.deleteLater()
            self.changed.emit()
