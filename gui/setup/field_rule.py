"""One field of a record type: name, how it is found, the expression; below what it becomes, and what it reads now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from gui.foreign_text import shown, tooltip
from gui.labels import ElidedLabel, plain_label, set_tone
from gui.records.words import value_words
from gui.theme import code_font

if TYPE_CHECKING:
    from core.extract.trial import TriedField
    from core.settings import FieldRule
    from gui.theme import Theme

KINDS = {"css": "CSS", "xpath": "XPath", "regex": "Expression", "jsonld": "JSON-LD", "meta": "Meta tag"}
PASSING = (  # the focus comes back by itself
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
CASTS = ("text", "number", "money", "date", "list")
CAST_HINT = (
    "text: as it stands. number: 1,299.50, 1.299,50 and 1 299,50. money: with its currency, as 1299.5 EUR. date: as "
    "2026-03-12, from many languages; 03/12/2026 means two days and stays empty. list: every value that matches."
)
EXAMPLES = {
    "css": ".price",
    "xpath": "//p[@id='note']",
    "regex": r"SKU:\s*(\w+)",
    "jsonld": "Product.offers.price",
    "meta": "og:title",
}


class FieldRuleRow(QWidget):
    """Two lines. What the rule reads from the page that is tried stands in the second."""

    changed = Signal()
    remove_wanted = Signal()
    left = Signal()  # a new row, by the focus

    def __init__(
        self, theme: Theme, name: str, rule: FieldRule, *, new: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rule = rule
        self._new = self._silent = new
        self._build(theme)
        self._lay_out()
        self._show(name, rule)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("name"))
        self.name.setAccessibleName(self.tr("Field name"))
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("How it is found"))
        for key, title in KINDS.items():
            self.kind.addItem(title, key)
        self.expression = QLineEdit()
        self.expression.setFont(code_font())
        self.expression.setAccessibleName(self.tr("Expression"))
        self.cast = QComboBox()
        self.cast.setAccessibleName(self.tr("Becomes"))
        self.cast.addItems(list(CASTS))
        self.cast.setToolTip(tooltip(CAST_HINT))
        self.counts = QCheckBox(self.tr("Change counts"))
        self.counts.setToolTip(self.tr("Another value of this field is a change of the record: it makes a new version"))
        self.counts.setAccessibleName(self.tr("A change of this field counts"))
        self.unordered = QCheckBox(self.tr("Any order"))
        self.unordered.setToolTip(self.tr("Another order, or other case, of the list is no change of the record"))
        self.unordered.setAccessibleName(self.tr("The order of the list does not count"))
        self.value = ElidedLabel("", "muted")
        self._remove = QPushButton()
        self._remove.setProperty("kind", "quiet")
        self._remove.setAccessibleName(self.tr("Remove this field"))
        self._remove.setToolTip(self.tr("Remove this field"))
        theme.dress(self._remove, "close", "muted")
        self.problem = plain_label("", "bad", wrap=True)
        self.problem.hide()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        parts = (self.name, self.kind, self.expression, self._remove)
        for column, part in enumerate(parts):
            grid.addWidget(part, 0, column)
        below = QHBoxLayout()
        below.setSpacing(10)
        for part in (self.cast, self.counts, self.unordered):
            below.addWidget(part)
        below.addWidget(self.value, 1)
        grid.addLayout(below, 1, 0, 1, len(parts))
        grid.addWidget(self.problem, 2, 0, 1, len(parts))
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(2, 6)
        self.kind.setFixedWidth(112)
        self.cast.setFixedWidth(92)
        self.name.setMinimumWidth(60)
        self.expression.setMinimumWidth(60)

    def _connect(self) -> None:
        self.name.textEdited.connect(self.changed)
        self.expression.textEdited.connect(self.changed)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.cast.currentIndexChanged.connect(self.changed)
        self.cast.currentIndexChanged.connect(self._show_order)
        self.counts.toggled.connect(self.changed)
        self.unordered.toggled.connect(self.changed)
        self._remove.clicked.connect(self.remove_wanted)
        for part in (self.name, self.kind, self.expression, self.cast, self.counts, self.unordered, self._remove):
            part.installEventFilter(self)

    def _show(self, name: str, rule: FieldRule) -> None:
        kind = next((key for key in KINDS if getattr(rule, key)), "css")
        self.name.setText(name)
        self.kind.setCurrentIndex(list(KINDS).index(kind))
        self.expression.setText(getattr(rule, kind))
        self.expression.setPlaceholderText(EXAMPLES[kind])
        self.cast.setCurrentText(rule.cast)
        self.counts.setChecked(rule.fingerprint)
        self.unordered.setChecked(rule.unordered)
        self._show_order()

    def rule(self) -> tuple[str, FieldRule]:
        """The name and the rule as typed."""
        expressions = dict.fromkeys(KINDS, "") | {self.kind.currentData(): self.expression.text().strip()}
        rest = {
            "cast": self.cast.currentText(),
            "fingerprint": self.counts.isChecked(),
            "unordered": self.unordered.isChecked(),
        }
        return self.name.text().strip(), msgspec.structs.replace(self._rule, **expressions, **rest)

    @property
    def is_complete(self) -> bool:
        """Whether there is a name and an expression: without them it is no field yet."""
        return bool(self.name.text().strip() and self.expression.text().strip())

    def complaint(self) -> str:
        """What is missing; empty while a new row is still being typed."""
        if self._silent or self.is_complete:
            return ""
        name = self.name.text().strip()
        if name:
            return self.tr("The field “{0}” needs an expression, such as {1}").format(
                shown(name, 60), self.expression.placeholderText()
            )
        return self.tr("The new field needs a name.") if self._new else self.tr("A field needs a name.")

    def show_tried(self, field: TriedField | None) -> None:
        """What the rule reads from the page that is tried; None where nothing is known."""
        self.value.set_foreign_text("" if field is None else value_words(field))
        remark = "" if field is None else field.remark
        set_tone(self.value, "warning" if remark and (field is None or field.value is None) else "muted")
        if field is not None and remark:
            self.value.setToolTip(tooltip(f"{value_words(field)}\n{remark}"))

    def set_problem(self, message: str) -> None:
        self.problem.setText(message)
        self.problem.setVisible(bool(message))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if self._silent and isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in PASSING:
            focused = QApplication.focusWidget()
            if focused is not None and not self.isAncestorOf(focused):
                self._silent = False
                self.left.emit()
        return False

    @Slot()
    def _show_order(self) -> None:
        self.unordered.setVisible(self.cast.currentText() == "list")

    @Slot()
    def _on_kind_changed(self) -> None:
        self.expression.setPlaceholderText(EXAMPLES[self.kind.currentData()])
        self.changed.emit()
