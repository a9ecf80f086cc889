from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.rows import AlarmRow
from gui.banner import Banner

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

TRAP = AlarmRow(7, "trap", "/calendar/*", "news.example", "94 % of new URLs come from there.", 1.0)
LOGIN = AlarmRow(8, "login-wall", "", "<b>shop</b>.example", "Many pages lead to one.", 2.0)


@pytest.fixture
def banner(theme: Theme, qtbot: QtBot) -> Banner:
    made = Banner(theme)
    qtbot.addWidget(made)
    return made


def test_nothing_to_say_takes_no_place(banner: Banner) -> None:
    assert banner.isHidden()


def test_an_alarm_with_a_pattern_offers_to_exclude_it(banner: Banner, qtbot: QtBot) -> None:
    banner.set_alarms((TRAP,))
    with qtbot.waitSignal(banner.exclude_wanted) as wanted:
        banner._exclude.click()
    assert wanted.args == ["/calendar/*"]


def test_dismissing_an_alarm_acknowledges_it_and_shows_the_next(banner: Banner, qtbot: QtBot) -> None:
    banner.set_alarms((TRAP, LOGIN))
    with qtbot.waitSignal(banner.acknowledged) as acknowledged:
        banner._dismiss.click()
    assert acknowledged.args == [7]
    assert banner._title.text() == "Login wall: <b>shop</b>.example"
    assert banner._exclude.isHidden()


def test_a_fault_is_shown_before_alarms_and_only_once(banner: Banner) -> None:
    banner.set_alarms((TRAP,))
    banner.show_fault("The disk is full.")
    banner.show_fault("The disk is full.")
    assert banner._title.text() == "The disk is full."
    assert banner._more.text() == "1 more"
    banner._dismiss.click()
    assert banner._title.text() == "Trap: /calendar/*"


def test_another_crawl_starts_without_notices(banner: Banner) -> None:
    banner.show_fault("The disk is full.")
    banner.clear()
    assert banner.isHidden()
