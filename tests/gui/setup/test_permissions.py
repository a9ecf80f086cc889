"""Authorisations and robots overrides as rows: typed, dated, checked, removed; nothing of them lost."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtCore import QDate

from core.errors import Problem
from core.settings import Authorisation, CrawlSettings, Politeness, RobotsOverride, Scope, Seeds
from gui.setup.checking import Question, judge
from gui.setup.part import Finding
from gui.setup.permissions import AuthorisationRow, OverrideRow, authorisations, robots_overrides

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.setup.row_list import RowList
    from gui.theme import Theme

TODAY = date(2027, 1, 15)
ONE = Authorisation(host="shop.example", by="M. Ortiz", until=date(2027, 6, 30))
PAST = Authorisation(host="old.example", by="K. Lund", until=date(2027, 1, 14))
SETTINGS = CrawlSettings(seeds=Seeds(urls=("https://shop.example/",)), scope=Scope(authorised=(ONE, PAST)))


@pytest.fixture
def listed(theme: Theme, qtbot: QtBot) -> RowList:
    made = authorisations(theme, lambda: TODAY)
    qtbot.addWidget(made)
    made.show_settings(SETTINGS)
    return made


def row(part: RowList, number: int) -> AuthorisationRow:
    found = part.rows[number]
    assert isinstance(found, AuthorisationRow)
    return found


def test_what_is_shown_is_what_is_given_back(listed: RowList) -> None:
    assert listed.apply_to(SETTINGS) == SETTINGS
    assert [row(listed, number).host.text() for number in (0, 1)] == ["shop.example", "old.example"]


def test_a_day_that_is_past_is_told(listed: RowList) -> None:
    assert row(listed, 0).problem.isHidden()
    assert "past" in row(listed, 1).problem.text()


def test_another_day_is_another_draft(listed: RowList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(listed.changed):
        row(listed, 1).until.setDate(QDate(2028, 2, 29))
    listed.show_findings(())
    assert listed.apply_to(SETTINGS).scope.authorised[1].until == date(2028, 2, 29)
    assert row(listed, 1).problem.isHidden()


def test_an_added_row_counts_once_something_is_typed(listed: RowList) -> None:
    listed.add_button.click()
    listed.add_button.click()
    assert len(listed.rows) == 3
    assert listed.apply_to(SETTINGS) == SETTINGS
    added = row(listed, 2)
    added.host.setText("new.example")
    added.host.textEdited.emit("new.example")
    made = listed.apply_to(SETTINGS).scope.authorised[2]
    assert (made.host, made.by, made.until) == ("new.example", "", date(2027, 4, 15))


def test_a_missing_name_is_told_beside_its_row(listed: RowList) -> None:
    row(listed, 0).by.setText("")
    draft = listed.apply_to(SETTINGS)
    verdict = judge(Question(draft, SETTINGS, False))
    assert listed.show_findings(verdict.findings) == ()
    assert row(listed, 0).problem.text() == "Every field of the row is needed."


def test_a_wrong_host_is_told_beside_its_row_and_others_pass_by(listed: RowList) -> None:
    row(listed, 1).host.setText("no host")
    verdict = judge(Question(listed.apply_to(SETTINGS), SETTINGS, False))
    other = Finding(Problem("seeds", "x"), "bad")
    left = listed.show_findings((*verdict.findings, other))
    assert other in left
    assert not any(finding.problem.key.startswith("scope.authorised") for finding in left)
    assert "is no host" in row(listed, 1).problem.text()


def test_a_removed_row_is_gone(listed: RowList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(listed.changed):
        row(listed, 0).remove_button.click()
    assert listed.apply_to(SETTINGS).scope.authorised == (PAST,)


def test_showing_the_same_settings_keeps_a_row_being_typed(listed: RowList) -> None:
    listed.add_button.click()
    listed.show_settings(SETTINGS)
    assert len(listed.rows) == 3
    listed.show_settings(msgspec.structs.replace(SETTINGS, scope=Scope()))
    assert len(listed.rows) == 0


def test_overrides_keep_their_reason(theme: Theme, qtbot: QtBot) -> None:
    part = robots_overrides(theme)
    qtbot.addWidget(part)
    override = RobotsOverride(host="shop.example", reason="our own shop")
    settings = CrawlSettings(politeness=Politeness(robots_override=(override,)))
    part.show_settings(settings)
    (shown,) = part.rows
    assert isinstance(shown, OverrideRow)
    assert shown.reason.text() == "our own shop"
    assert part.apply_to(CrawlSettings()) == settings
