from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QPushButton

from gui.style_sheet import style_sheet
from gui.theme import Theme, ThemeChoice
from gui.tokens import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_every_token_is_a_colour(tokens: Tokens) -> None:
    for field in fields(tokens):
        value = getattr(tokens, field.name)
        for colour in value if isinstance(value, tuple) else (value,):
            assert field.name == "name" or QColor(colour).isValid()


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_text_can_be_read_on_its_ground(tokens: Tokens) -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1 for text."""
    pairs = [("text", "background"), ("muted", "card"), ("muted", "sidebar"), ("accent_text", "accent")]
    pairs += [("good", "good_tint"), ("warning", "warning_tint"), ("bad", "bad_tint"), ("text", "selection")]
    for front, ground in pairs:
        assert contrast(getattr(tokens, front), getattr(tokens, ground)) >= 4.5, (front, ground)


def test_a_choice_takes_effect_at_once(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.choose(ThemeChoice.DARK)
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.background)
    assert qapp.styleSheet() == style_sheet(DARK)


def test_icons_are_drawn_in_the_new_colour(theme: Theme, qtbot: QtBot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    theme.dress(button, "plus")
    before = button.icon().pixmap(16).toImage()
    theme.choose(ThemeChoice.DARK)
    assert button.icon().pixmap(16).toImage() != before


def test_a_deleted_button_does_not_break_a_change(theme: Theme) -> None:
    from shiboken6 import delete

    button = QPushButton()
    theme.dress(button, "plus")
    delete(button)
    theme.choose(ThemeChoice.DARK)
    assert theme.tokens is DARK


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(QColor(one)), luminance(QColor(other))), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: QColor) -> float:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])
