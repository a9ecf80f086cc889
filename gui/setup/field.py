"""One labelled field of a form, with the message about it right below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QVBoxLayout, QWidget

from gui.foreign_text import tooltip
from gui.labels import plain_label, repolish, set_tone
from gui.setup.amount import Unit, WrongAmount, read_amount, show_amount
from gui.theme import code_font

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

AMOUNT_WIDTH = 106  # 4,000,000 pages


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a form: the settings key, what it is called, how it is typed, and what it is for.

    `kind` is amount, flag, text, words (a list, separated by spaces or commas) or choice.
    """

    key: str
    label: str
    kind: str
    hint: str = ""
    unit: Unit | None = None
    choices: tuple[str, ...] = ()
    code: bool = False


class Field(QWidget):
    """Shows a value, tells when it was changed by hand, and says what is wrong with it."""

    changed = Signal()

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self._value: Any = None
        self._wrong = ""
        self._finding = ("", "")
        self.editor: QLineEdit | QCheckBox | QComboBox = self._make_editor()
        self.editor.setAccessibleName(spec.label)
        self.editor.setToolTip(tooltip(spec.hint))
        self._message = plain_label("", "bad", wrap=True)
        self._message.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.editor)
        layout.addWidget(self._message)

    def label(self) -> QLabel:
        """A label that belongs to the field; a flag carries its own text."""
        label = plain_label("" if self.spec.kind == "flag" else self.spec.label)
        label.setBuddy(self.editor)
        label.setToolTip(tooltip(self.spec.hint))
        return label

    @property
    def is_wrong(self) -> bool:
        """Whether the text is no value at all."""
        return bool(self._wrong)

    @property
    def message(self) -> str:
        return self._message.text() if not self._message.isHidden() else ""

    def value(self) -> Any:
        """What is typed; the last right value while the text is none."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Show a value of the settings."""
        self._value, self._wrong = value, ""
        blocked = self.editor.blockSignals(True)
        if isinstance(self.editor, QCheckBox):
            self.editor.setChecked(bool(value))
        elif isinstance(self.editor, QComboBox):
            self.editor.setCurrentIndex(self.spec.choices.index(value))
        else:
            text = self._text_of(value)
            if text != self.editor.text() and not (self.editor.hasFocus() and self._reads(value)):
                self.editor.setText(text)
                self.editor.setCursorPosition(0)
        self.editor.blockSignals(blocked)
        self._show_message()

    def set_finding(self, message: str, tone: str = "bad") -> None:
        """What the check of the whole says about this field; empty for nothing."""
        self._finding = (message, tone)
        self._show_message()

    def _make_editor(self) -> QLineEdit | QCheckBox | QComboBox:
        if self.spec.kind == "flag":
            flag = QCheckBox(self.spec.label)
            flag.toggled.connect(self._on_toggled)
            return flag
        if self.spec.kind == "choice":
            choice = QComboBox()
            choice.addItems(list(self.spec.choices))
            choice.currentTextChanged.connect(self._on_chosen)
            return choice
        line = QLineEdit()
        if self.spec.code:
            line.setFont(code_font())
        line.textEdited.connect(self._on_edited)
        line.editingFinished.connect(self._on_finished)
        line.setMinimumWidth(AMOUNT_WIDTH if self.spec.kind == "amount" else 64)
        return line

    def _text_of(self, value: Any) -> str:
        if self.spec.unit is not None:
            return show_amount(value, self.spec.unit)
        return " ".join(value) if self.spec.kind == "words" else str(value)

    def _read(self, text: str) -> Any:
        if self.spec.unit is not None:
            return read_amount(text, self.spec.unit)
        return tuple(text.replace(",", " ").split()) if self.spec.kind == "words" else text.strip()

    def _reads(self, value: Any) -> bool:
        """Whether what stands in the line means that value: then the person goes on typing where they were."""
        try:
            return bool(isinstance(self.editor, QLineEdit) and self._read(self.editor.text()) == value)
        except WrongAmount:
            return False

    @Slot(str)
    def _on_edited(self, text: str) -> None:
        try:
            self._value = self._read(text)
            self._wrong = ""
        except WrongAmount as wrong:
            self._wrong = str(wrong)
        self._show_message()
        self.changed.emit()

    @Slot()
    def _on_finished(self) -> None:
        if not self._wrong and isinstance(self.editor, QLineEdit):
            self.editor.setText(self._text_of(self._value))

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self._value = on
        self.changed.emit()

    @Slot(str)
    def _on_chosen(self, text: str) -> None:
        self._value = text
        self.changed.emit()

    def _show_message(self) -> None:
        message, tone = (self._wrong, "bad") if self._wrong else self._finding
        self._message.setText(message)
        self._message.setVisible(bool(message))
        set_tone(self._message, tone or "bad")
        wrong = "true" if message and tone == "bad" else "false"
        if self.editor.property("wrong") != wrong:
            self.editor.setProperty("wrong", wrong)
            repolish(self.editor)
        self.editor.setAccessibleDescription(message or self.spec.hint)
