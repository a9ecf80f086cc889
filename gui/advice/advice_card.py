"""One piece of advice: the rule, its proof with examples, and the button that accepts it or takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.policy.advice import with_rule, without_rule
from gui.advice.words import effect_of, proof_of, title_of
from gui.labels import ElidedLabel, card, plain_label
from gui.theme import code_font

if TYPE_CHECKING:
    from core.policy.advice import Advice
    from core.settings import Normalise

SHOWN = 3  # examples of each kind


class AdviceCard(QWidget):
    """`wanted(normalise)` when the button is pressed: the section with the rule, or without it."""

    wanted = Signal(object)  # Normalise

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button: QPushButton | None = None
        self._normalise: Normalise | None = None
        frame, self._inner = card()
        self._inner.addWidget(plain_label(title, "heading", wrap=True))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)

    @classmethod
    def of_advice(cls, advice: Advice, merged: int, normalise: Normalise) -> AdviceCard:
        """A rule that is not in force; it can be accepted where it is proposed."""
        made = cls(title_of(advice.rule, advice.parameter))
        tone = "good" if advice.is_proposed else "bad" if advice.unlike else "muted"
        made._inner.addWidget(plain_label(proof_of(advice), tone, wrap=True))
        made._add_examples(advice.unlike, made.tr("Different"))
        made._add_examples(advice.alike, made.tr("The same"))
        made._inner.addWidget(made._setting(advice.setting))
        if advice.is_proposed:
            made._inner.addWidget(plain_label(effect_of(merged), "muted", wrap=True))
            made._add_button(made.tr("Accept"), "primary", with_rule(normalise, advice.rule, advice.parameter))
        return made

    @classmethod
    def in_force(cls, rule: str, parameter: str, normalise: Normalise) -> AdviceCard:
        """A rule that is in force; taking it back makes the merged URLs pages of their own again."""
        made = cls(title_of(rule, parameter))
        words = made.tr("In force. Taken back, each URL that counts as another is a page of its own again.")
        made._inner.addWidget(plain_label(words, "muted", wrap=True))
        made._add_button(made.tr("Take back"), "", without_rule(normalise, rule, parameter))
        return made

    def set_enabled(self, enabled: bool) -> None:
        """Whether the crawl is at rest: only then can its rules change."""
        if self.button is not None:
            self.button.setEnabled(enabled)

    def _add_examples(self, pairs: tuple[tuple[str, str], ...], word: str) -> None:
        for first, other in pairs[:SHOWN]:
            row = QHBoxLayout()
            row.setSpacing(8)
            row.addWidget(plain_label(word, "faint"))
            for text in (first, other):
                label = ElidedLabel(text, elide=Qt.TextElideMode.ElideMiddle)
                label.setFont(code_font())
                row.addWidget(label, 1)
            self._inner.addLayout(row)

    def _setting(self, line: str) -> ElidedLabel:
        label = ElidedLabel(self.tr("[normalise] {0}").format(line), "faint")
        label.setFont(code_font())
        return label

    def _add_button(self, text: str, kind: str, normalise: Normalise) -> None:
        self._normalise = normalise
        self.button = QPushButton(text)
        self.button.setProperty("kind", kind)
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._on_clicked)
        self._inner.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight)

    @Slot()
    def _on_clicked(self) -> None:
        self.wanted.emit(self._normalise)
