"""One record type: what it is called, on which pages it is looked for, what makes it the same thing, its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from core.preview.naming import free_name
from core.settings import FieldRule, RecordType
from gui.foreign_text import tooltip
from gui.labels import ElidedLabel, plain_label
from gui.setup.field_rule import FieldRuleRow
from gui.theme import code_font

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.extract.trial import Trial, TriedField
    from gui.theme import Theme

BEGINNING = {"title": FieldRule(css="h1")}  # what a new type has, until it has something of its own

TEXTS = (
    ("name", "Name", "product", "Letters, digits, - and _"),
    ("match", "On pages", "/product/*", "A pattern, as in exclusions"),
    ("key", "Natural key", "sku", "Fields, by commas; empty: the page's URL"),
    ("rows", "Rows", "table.items tr", "CSS of a row; empty: one record a page"),
    ("source", "Source", "", "Whose they are; empty: the page's host"),
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
        self.key_remark = plain_label("", "warning", wrap=True)
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
        self.history.setToolTip(self.tr("What a record was before each change stays in the file, with its time"))
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
            grid.addWidget(label, 3 * row, 0)
            grid.addWidget(self.texts[key], 3 * row, 1)
            grid.addWidget(ElidedLabel(hint, "muted"), 3 * row, 2)
            grid.addWidget(self.problems[key], 3 * row + 1, 1, 1, 2)
            self.problems[key].hide()
            if key == "key":
                grid.addWidget(self.key_remark, 3 * row + 2, 1, 1, 2)
        self.key_remark.hide()
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        head = QHBoxLayout()
        head.addWidget(plain_label(self.tr("Fields"), "heading"))
        remark = self.tr("a field without a match is empty; a page whose key is empty gives no record")
        head.addWidget(ElidedLabel(remark, "muted"), 1)
        head.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.setSpacing(8)
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
        self._clear()
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

    def take(self, fields: Iterable[tuple[str, FieldRule]], *, rows: str = "", key: str = "") -> None:
        """Add fields that the page offered, each under a name that is free; rows and key where none is written yet.

        A field that is there already is not added twice, and what a new type begins with gives way.
        """
        offered = list(fields)
        if self._rows and self.record().fields == BEGINNING:
            self._clear()
        if rows and not self.texts["rows"].text().strip():
            self.texts["rows"].setText(rows)
        names: dict[str, str] = {}
        for name, rule in offered:
            there = dict(row.rule() for row in self._rows)
            names[name] = next((known for known, its in there.items() if its == rule), free_name(name, there))
            if names[name] not in there:
                self._append(names[name], rule)
        if key in names and not self.texts["key"].text().strip():
            self.texts["key"].setText(names[key])
        self.changed.emit()

    def show_trial(self, trial: Trial | None) -> None:
        """What each field reads from the page that is tried: of the first record that has it."""
        tried: dict[str, TriedField] = {}
        for row in trial.rows if trial is not None else ():
            for field in row.fields:
                if field.name not in tried or (tried[field.name].value is None and field.value is not None):
                    tried[field.name] = field
        for each in self._rows:
            name, _ = each.rule()
            each.show_tried(tried.get(name) if each.is_complete else None)

    def show_key_remark(self, text: str) -> None:
        """What speaks against the natural key on stored pages; empty for nothing."""
        self.key_remark.setText(text)
        self.key_remark.setVisible(bool(text))

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

    def _clear(self) -> None:
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = []

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
