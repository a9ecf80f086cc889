"""A ready exclusion of an alarm: one click puts it in force, one takes it back, and nothing typed is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from core.settings import CrawlSettings
from core.store.rows import AlarmRow
from gui.crawl_page import CrawlPage
from gui.exclusions import excluded_notice, unanswered, with_exclusion, without_exclusion
from gui.session import OpenCrawl
from gui.setup.setup_view import SetupView

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.theme import Theme

LIMIT = 5000
SPACE = AlarmRow(7, "generated", "/calendar/day/", "shop.example", "100 URLs have one content.", 1.0)


def test_exclusion_is_put_behind_the_others_once_and_taken_out_again() -> None:
    settings = with_exclusion(CrawlSettings(), "/a/")
    both = with_exclusion(with_exclusion(settings, "/b/"), "/a/")
    assert both.scope.exclude == ("/a/", "/b/")
    assert without_exclusion(both, "/b/") == settings


def test_alarm_whose_pattern_is_excluded_needs_no_notice() -> None:
    other = AlarmRow(8, "soft-block", "", "shop.example", "5 of 20 failed.", 1.0)
    settings = with_exclusion(CrawlSettings(), SPACE.pattern)
    assert unanswered((SPACE, other), settings) == (other,)
    assert unanswered((SPACE, other), None) == (SPACE, other)


@pytest.fixture
def page(theme: Theme, preferences: Preferences, crawl_file: Path, qtbot: QtBot) -> Iterator[CrawlPage]:
    """On a crawl with an alarm."""
    connection = apsw.Connection(str(crawl_file))
    connection.execute(
        "INSERT INTO alarm(kind, pattern, host, message, raised) VALUES (?, ?, ?, ?, 1.0)",
        (SPACE.kind, SPACE.pattern, SPACE.host, SPACE.message),
    )
    connection.close()
    crawl = OpenCrawl(crawl_file)
    made = CrawlPage(theme, preferences)
    qtbot.addWidget(made)
    made.show_crawl(crawl, "")
    qtbot.waitUntil(lambda: crawl.settings is not None and title(made).startswith("Generated"), timeout=LIMIT)
    yield made
    made.show_crawl(None, "")
    crawl.close()
    assert crawl.wait_closed()


def title(page: CrawlPage) -> str:
    return page.banner._title.text()


def excluded(page: CrawlPage) -> tuple[str, ...]:
    assert page._crawl is not None
    return page._crawl.reader.settings()[1].scope.exclude


def test_one_click_excludes_and_one_takes_it_back(page: CrawlPage, qtbot: QtBot) -> None:
    assert page.banner._exclude.text() == "Exclude"
    before = excluded(page)
    page.banner._exclude.click()
    qtbot.waitUntil(lambda: title(page) == f"Excluded: {SPACE.pattern}", timeout=LIMIT)
    assert excluded(page) == (*before, SPACE.pattern)
    assert page.banner._more.isHidden()
    page.banner._offer.click()
    qtbot.waitUntil(lambda: title(page).startswith("Generated"), timeout=LIMIT)
    assert excluded(page) == before


def test_exclusion_joins_what_is_typed_in_the_setup(page: CrawlPage, qtbot: QtBot) -> None:
    setup = page.views["setup"]
    assert isinstance(setup, SetupView)
    qtbot.waitUntil(lambda: setup.draft is not None, timeout=LIMIT)
    setup.patterns.add("scope.exclude", "/typed/")
    before = excluded(page)
    with qtbot.waitSignal(page.banner.exclude_wanted) as wanted:
        page.banner._exclude.click()
    assert wanted.args == [SPACE.pattern]
    assert excluded(page) == before
    setup._draft = setup._base


def test_pattern_of_the_web_is_shown_as_plain_text() -> None:
    assert "\u202e" not in excluded_notice("/a\u202egnp.exe").title
