"""The bundled files: found by name, readable by Qt, and with their licence beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QIcon, QImage, QPixmap

import resources

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

IMAGES = [f"icons/{shape}-{theme}.svg" for shape in ("down", "up", "check", "dash") for theme in ("light", "dark")]


def test_missing_file_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match=r"icons/nothing\.svg"):
        resources.path("icons/nothing.svg")


def test_typeface_carries_its_licence() -> None:
    assert "SIL Open Font License, Version 1.1" in resources.path("fonts/OFL.txt").read_text(encoding="utf-8")


def test_figures_of_every_weight_can_be_tabular(qtbot: QtBot) -> None:
    for face in resources.fonts():
        assert "Inter" in QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(face)))
    assert {"Regular", "Medium", "SemiBold", "Bold"} <= set(QFontDatabase.styles("Inter"))
    for weight in (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold, QFont.Weight.Bold):
        font = QFont("Inter", 20, weight)
        assert len({QFontMetrics(font).horizontalAdvance(figure * 10) for figure in "0123456789"}) > 1
        font.setFeature(QFont.Tag("tnum"), 1)
        assert len({QFontMetrics(font).horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1


@pytest.mark.parametrize("name", IMAGES)
def test_style_sheet_image_draws_something(qtbot: QtBot, name: str) -> None:
    image = QPixmap(str(resources.path(name))).toImage().convertToFormat(QImage.Format.Format_ARGB32)
    assert any(image.pixelColor(x, y).alpha() > 0 for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("name", ["icons/fronteira.svg", "icons/fronteira.png", "icons/fronteira.ico"])
def test_mark_can_be_a_window_icon(qtbot: QtBot, name: str) -> None:
    assert not QIcon(str(resources.path(name))).pixmap(32, 32).isNull()
