"""One field of a record type as a row: name, how it is found, the expression, what it becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QGridLayout, QLineEdit, QPushButton, QWidget

from gui.foreign_text import shown
from gui.labels import plain_label
from gui.theme import code_font

if TYPE_CHECKING:
    from core.settings import FieldRule
    from gui.theme import Theme

KINDS = {"css": "CSS", "xpath": "XPath", "regex": "Expression", "jsonld": "JSON-LD", "meta": "Meta tag"}
PASSING = (  # the focus comes back by itself
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
CASTS = ("text", "number", "money", "date", "list")
EXAMPLES = {
    "css": ".price",
    "xpath": "//p[@id='note']",
    "regex": r"SKU:\s*(\w+)",
    "jsonld": "Product.offers.price",
    "meta": "og:title",
}


class FieldRuleRow(QWidget):
    """Keeps what it does not show (`unordered`) as it was."""

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
        self.counts = QCheckBox(self.tr("Change"))
        self.counts.setToolTip(self.tr("Another value of this field makes a new version of the record"))
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
        parts = (self.name, self.kind, self.expression, self.cast, self.counts, self._remove)
        for column, part in enumerate(parts):
            grid.addWidget(part, 0, column)
        grid.addWidget(self.problem, 1, 0, 1, len(parts))
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(2, 8)
        self.kind.setFixedWidth(112)
        self.cast.setFixedWidth(92)
        self.name.setMinimumWidth(60)
        self.expression.setMinimumWidth(60)

    def _connect(self) -> None:
        self.name.textEdited.connect(self.changed)
        self.expression.textEdited.connect(self.changed)
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.cast.currentIndexChanged.connect(self.changed)
        self.counts.toggled.connect(self.changed)
        self._remove.clicked.connect(self.remove_wanted)
        for part in (self.name, self.kind, self.expression, self.cast, self.counts, self._remove):
            part.installEventFilter(self)

    def _show(self, name: str, rule: FieldRule) -> None:
        kind = next((key for key in KINDS if getattr(rule, key)), "css")
        self.name.setText(name)
        self.kind.setCurrentIndex(list(KINDS).index(kind))
        self.expression.setText(getattr(rule, kind))
        self.expression.setPlaceholderText(EXAMPLES[kind])
        self.cast.setCurrentText(rule.cast)
        self.counts.setChecked(rule.fingerprint)

    def rule(self) -> tuple[str, FieldRule]:
        """The name and the rule as typed."""
        expressions = dict.fromkeys(KINDS, "") | {self.kind.currentData(): self.expression.text().strip()}
        shown = {"cast": self.cast.currentText(), "fingerprint": self.counts.isChecked()}
        return self.name.text().strip(), msgspec.structs.replace(self._rule, **expressions, **shown)

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
    def _on_kind_changed(self) -> None:
        self.expression.setPlaceholderText(EXAMPLES[self.kind.currentData()])
        self.changed.emit()
