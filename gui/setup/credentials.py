"""Which origins are told who we are: headers, passwords and cookies, each only by the name of the place it is kept in.

A secret itself is nowhere in the settings, and never on the screen: a value that is no reference is not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.labels import ElidedLabel, card, plain_label
from gui.setup.part import Finding, Part
from gui.theme import code_font

if TYPE_CHECKING:
    from core.settings import CrawlSettings

REFERENCES = ("env:", "keyring:")  # where a secret may be kept: [fetch] in a settings file
MOST_SHOWN = 50


class Credential(NamedTuple):
    """What one origin is sent, and the reference to it."""

    origin: str
    what: str
    reference: str


class Credentials(Part):
    """A card to look at; written under All settings. Hidden where no origin is told anything."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Credential, ...] = ()
        self._rows = QWidget()
        frame, self._inner = card()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(plain_label(self.tr("Credentials"), "heading"))
        remark = self.tr("each for its origin alone, by reference; written under All settings")
        head.addWidget(ElidedLabel(remark, "muted"), 1)
        self._inner.addLayout(head)
        self._inner.addWidget(self._rows)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(frame)
        self.hide()

    def show_settings(self, settings: CrawlSettings) -> None:
        found = credentials(settings)
        if found == self._shown:
            return
        self._shown = found
        self.setVisible(bool(found))
        rows = _table(found[:MOST_SHOWN])
        self._inner.replaceWidget(self._rows, rows)
        self._rows.deleteLater()
        self._rows = rows

    def apply_to(self, settings: CrawlSettings) -> CrawlSettings:
        return settings

    def show_findings(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return findings


def credentials(settings: CrawlSettings) -> tuple[Credential, ...]:
    """Everything that is sent to one origin alone, in the order of the settings."""
    user, cookie = say("user {0}"), say("cookie {0}")
    fetch = settings.fetch
    return (
        *(Credential(each.origin, each.name, reference(each.value)) for each in fetch.headers),
        *(Credential(each.origin, user.format(each.user), reference(each.password)) for each in fetch.auth),
        *(Credential(each.origin, cookie.format(each.name), reference(each.value)) for each in fetch.cookies),
    )


def reference(value: str) -> str:
    """The value where it names a place; else only that it is written out."""
    return value if value.startswith(REFERENCES) else say("written out, not shown")


def _table(found: tuple[Credential, ...]) -> QWidget:
    rows = QWidget()
    grid = QGridLayout(rows)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(5)
    for column, stretch in enumerate((3, 2, 3)):
        grid.setColumnStretch(column, stretch)
    for row, credential in enumerate(found):
        for column, text in enumerate(credential):
            label = ElidedLabel(text, "muted" if column == 1 else "", Qt.TextElideMode.ElideMiddle)
            if column != 1:
                label.setFont(code_font())
            grid.addWidget(label, row, column)
    return rows


def say(text: str) -> str:
    return QCoreApplication.translate("credentials", text)
