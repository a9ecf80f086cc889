"""The look in force: tokens, palette, style sheet and icons, changed together and at once.

The choice is System, Light or Dark. Where the system does not say (bare X11), System is light. Icons are drawn
in the theme's colours and drawn again when it changes.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import qtawesome
from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPalette

import resources
from gui.style_sheet import style_sheet
from gui.tokens import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

POINT_SIZE = 9.75


class ThemeChoice(StrEnum):
    """What the person chose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """The look of one application. `changed` is sent after everything was dressed anew.

    Nothing has the look before the first `apply`: a window that is built before it costs a sixth of one built after,
    because Qt polishes a widget at every step up into its window.
    """

    changed = Signal()

    def __init__(self, app: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._dressed: WeakKeyDictionary[QObject, tuple[str, str]] = WeakKeyDictionary()
        app.setStyle("Fusion")
        app.setFont(interface_font())
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self.tokens: Tokens = self._chosen_tokens()

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Take another look, at once."""
        self._choice = choice
        self.apply()

    def colour(self, role: str) -> QColor:
        """The colour of a token, such as `"accent"`."""
        return QColor(getattr(self.tokens, role))

    def icon(self, name: str, role: str = "text") -> QIcon:
        """A drawn icon in a token's colour; `name` is one of Material Design Icons."""
        disabled = self.tokens.faint
        return QIcon(qtawesome.icon(f"mdi6.{name}", color=getattr(self.tokens, role), color_disabled=disabled))

    def dress(self, target: QObject, name: str, role: str = "text") -> None:
        """Give a button or an action an icon that follows the theme."""
        self._dressed[target] = (name, role)
        set_icon(target, self.icon(name, role))

    @Slot()
    def _on_system_changed(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self.apply()

    def apply(self) -> None:
        """Dress everything there is."""
        self.tokens = self._chosen_tokens()
        self._app.setPalette(palette(self.tokens))
        sheet = style_sheet(self.tokens)
        if sheet != self._app.styleSheet():  # Qt polishes every widget anew, whether anything changed or not
            self._app.setStyleSheet(
                ""
            )  # replacing a sheet takes eight times as long as taking it off and putting one on
            self._app.setStyleSheet(sheet)
        for target, (name, role) in list(self._dressed.items()):
            set_icon(target, self.icon(name, role))
        self.changed.emit()

    def _chosen_tokens(self) -> Tokens:
        if self._choice is ThemeChoice.SYSTEM:
            return DARK if self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT
        return DARK if self._choice is ThemeChoice.DARK else LIGHT


def set_icon(target: QObject, icon: QIcon) -> None:
    """Set it, unless Qt has already deleted the widget behind the Python object."""
    from shiboken6 import isValid

    if isValid(target):
        target.setIcon(icon)  # type: ignore[attr-defined]  # buttons and actions share the method, not a base class
        if hasattr(target, "setIconSize"):
            target.setIconSize(QSize(16, 16))


def interface_font() -> QFont:
    """Inter. Its tabular figures come with wide hyphens: they are for numbers only, see `tabular`."""
    for face in resources.fonts():
        QFontDatabase.addApplicationFont(str(face))
    font = QFont("Inter")
    font.setPointSizeF(POINT_SIZE)
    return font


def tabular(font: QFont) -> QFont:
    """The same font with figures of one width, so that counting numbers do not tremble."""
    made = QFont(font)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def code_font() -> QFont:
    """The system's fixed-width font, for URLs, patterns and settings."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(POINT_SIZE)
    return font


def palette(tokens: Tokens) -> QPalette:
    """The palette for everything that a style sheet does not reach."""
    roles = QPalette.ColorRole
    colours = {
        roles.Window: tokens.background,
        roles.WindowText: tokens.text,
        roles.Base: tokens.field,
        roles.AlternateBase: tokens.background,
        roles.Text: tokens.text,
        roles.Button: tokens.card,
        roles.ButtonText: tokens.text,
        roles.ToolTipBase: tokens.card,
        roles.ToolTipText: tokens.text,
        roles.Highlight: tokens.selection,
        roles.HighlightedText: tokens.text,
        roles.PlaceholderText: tokens.faint,
        roles.Link: tokens.accent,
        roles.Mid: tokens.line,
        roles.Dark: tokens.line_strong,
    }
    made = QPalette()
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.faint))
    return made
