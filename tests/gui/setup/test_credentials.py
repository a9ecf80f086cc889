"""Credentials are shown by the name of their place, never by their value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from core.settings import Auth, Cookie, CrawlSettings, Fetch, Header
from gui.setup.credentials import Credentials, credentials

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

WRITTEN = "hunter2"
SETTINGS = CrawlSettings(
    fetch=Fetch(
        headers=(
            Header(origin="https://a.test", name="Authorization", value="env:TOKEN"),
            Header(origin="https://a.test", name="X-Key", value=WRITTEN),
        ),
        auth=(Auth(origin="https://b.test", user="me", password="keyring:b"),),
        cookies=(Cookie(origin="https://b.test", name="sid", value=WRITTEN),),
    )
)


def test_each_origin_has_its_references() -> None:
    assert [tuple(each) for each in credentials(SETTINGS)] == [
        ("https://a.test", "Authorization", "env:TOKEN"),
        ("https://a.test", "X-Key", "written out, not shown"),
        ("https://b.test", "user me", "keyring:b"),
        ("https://b.test", "cookie sid", "written out, not shown"),
    ]


def test_no_secret_stands_on_the_screen_and_nothing_is_changed(qtbot: QtBot) -> None:
    card = Credentials()
    qtbot.addWidget(card)
    card.show_settings(CrawlSettings())
    assert card.isHidden()
    card.show_settings(SETTINGS)
    assert not card.isHidden()
    said = [text for label in card.findChildren(QLabel) for text in (label.text(), label.toolTip())]
    assert "env:TOKEN" in said
    assert not any(WRITTEN in text for text in said)
    assert card.apply_to(SETTINGS) is SETTINGS
