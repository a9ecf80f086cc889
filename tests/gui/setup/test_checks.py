"""Content checks as rows: what is shown is given back, blanks are left out, problems stand below their row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from core.settings import Check, CrawlSettings, Pages, Seeds
from gui.setup.checking import Question, judge
from gui.setup.checks import CheckRow, content_checks

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.setup.row_list import RowList
    from gui.theme import Theme

CHECKS = (Check("/p/", must='class="sku"'), Check("/", must_not=" Access denied "))
SETTINGS = CrawlSettings(seeds=Seeds(urls=("https://shop.example/",)), pages=Pages(checks=CHECKS))


@pytest.fixture
def listed(theme: Theme, qtbot: QtBot) -> RowList:
    made = content_checks(theme)
    qtbot.addWidget(made)
    made.show_settings(SETTINGS)
    return made


def row(part: RowList, number: int) -> CheckRow:
    found = part.rows[number]
    assert isinstance(found, CheckRow)
    return found


def test_checks_are_given_back_as_they_were_shown(listed: RowList) -> None:
    assert listed.apply_to(SETTINGS) == SETTINGS
    assert row(listed, 1).must_not.text() == " Access denied "


def test_typed_marker_is_another_draft_and_a_blank_row_is_none(listed: RowList, qtbot: QtBot) -> None:
    listed.add_button.click()
    assert listed.apply_to(SETTINGS) == SETTINGS
    with qtbot.waitSignal(listed.changed):
        QTest.keyClicks(row(listed, 2).pattern, "/c/")
    QTest.keyClicks(row(listed, 2).must, "price")
    assert listed.apply_to(SETTINGS).pages.checks[2] == Check("/c/", must="price")


def test_check_without_a_marker_says_so_below_its_row(listed: RowList) -> None:
    row(listed, 0).must.clear()
    draft = listed.apply_to(SETTINGS)
    verdict = judge(Question(draft, SETTINGS, running=False))
    left = listed.show_findings(verdict.findings)
    assert left == ()
    assert "must" in row(listed, 0).problem.text()
    assert row(listed, 1).problem.isHidden()
