"""The robots tester: pasted, kept or fetched, nothing asked of a site before the click."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from core.settings import CrawlSettings, Fetch, Seeds
from gui.robots.tester import RobotsTester
from gui.session import OpenCrawl
from tests.core.engine.scripted_site import Reply, ScriptedSite
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

SETTINGS = CrawlSettings(
    name="Shop",
    seeds=Seeds(urls=("http://shop.test/",)),
    fetch=Fetch(user_agent="Shopbot/1.0 (+https://shop.test/bot)"),
)
LIMIT = 10_000


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    """Two versions of one robots.txt, and two known URLs."""
    made = HandMadeCrawl(tmp_path / "shop.crawl", SETTINGS)
    for number, body in ((1, b"User-agent: *\nDisallow: /old"), (2, b"User-agent: *\nDisallow: /new")):
        times = {"first_seen": NOON, "last_seen": NOON + number}
        made.add("robots_version", id=number, origin_id=1, status=200, hash=bytes([number]), body=body, **times)
    made.connection.execute("UPDATE origin SET robots_state = 'rules', robots_version = 2")
    made.url("/old/1")
    made.url("/new/1")
    return made


@pytest.fixture
def crawl(made: HandMadeCrawl, qtbot: QtBot) -> Iterator[OpenCrawl]:
    opened = OpenCrawl(made.path)
    qtbot.waitUntil(lambda: opened.settings is not None, timeout=LIMIT)
    yield opened
    opened.close()
    assert opened.wait_closed()


@pytest.fixture
def tester(crawl: OpenCrawl, theme: Theme, qtbot: QtBot) -> RobotsTester:
    made = RobotsTester(crawl, SETTINGS, theme)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: made.source.address.count() == 1, timeout=LIMIT)
    return made


def decided(tester: RobotsTester) -> list[tuple[str, str, str]]:
    items = [tester.decisions.topLevelItem(at) for at in range(tester.decisions.topLevelItemCount())]
    return [(item.text(1), item.text(0), item.text(2)) for item in items if item]


def test_a_pasted_text_is_tried_as_typed_and_its_line_marked(tester: RobotsTester, qtbot: QtBot) -> None:
    assert tester.token.text() == "Shopbot"
    tester.text.setPlainText("User-agent: Shopbot\nDisallow: /a")
    tester.urls.setPlainText("/a/1\n/b")
    qtbot.waitUntil(lambda: decided(tester) == [("/a/1", "✕ forbidden", "2"), ("/b", "✓ allowed", "")], timeout=LIMIT)
    assert {line: mark.message for line, mark in tester.text.marks.items()} == {2: "forbids 1"}
    assert tester._verdict.text() == "1 of 2 forbidden"
    tester.decisions.setCurrentIndex(tester.decisions.model().index(0, 0))
    assert tester.text.textCursor().blockNumber() == 1


def test_an_older_version_of_the_ledger_is_tried_on_the_latest_urls(tester: RobotsTester, qtbot: QtBot) -> None:
    tester.open_version(1)
    expected = [("http://shop.test/new/1", "✓ allowed", ""), ("http://shop.test/old/1", "✕ forbidden", "2")]
    qtbot.waitUntil(lambda: decided(tester) == expected, timeout=LIMIT)
    assert tester.source.versions.count() == 2
    tester.source.versions.setCurrentIndex(0)
    tester.source.versions.activated.emit(0)
    expected = [("http://shop.test/new/1", "✕ forbidden", "2"), ("http://shop.test/old/1", "✓ allowed", "")]
    qtbot.waitUntil(lambda: decided(tester) == expected, timeout=LIMIT)


def test_a_site_is_asked_by_the_click_alone(tester: RobotsTester, qtbot: QtBot) -> None:
    with ScriptedSite({"/robots.txt": Reply(b"User-agent: *\nDisallow: /x", type="text/plain")}) as site:
        tester.source.address.setEditText(f"{site.root}/some/page")
        assert not site.asked
        tester.source.fetch_button.click()
        qtbot.waitUntil(lambda: "Disallow: /x" in tester.text.toPlainText(), timeout=LIMIT)
        assert [asked.target for asked in site.asked] == ["/robots.txt"]
        assert site.asked[0].headers["user-agent"].startswith("Shopbot")


def test_a_request_is_called_off_and_the_window_goes_on(tester: RobotsTester, qtbot: QtBot) -> None:
    gate = threading.Event()
    with ScriptedSite({"/robots.txt": Reply(b"Disallow: /", gate=gate)}) as site:
        tester.source.address.setEditText(site.root)
        tester.source.fetch_button.click()
        qtbot.waitUntil(lambda: bool(site.asked), timeout=LIMIT)
        tester.source.fetch_button.click()
        assert tester.source.said == "Called off."
        gate.set()
    assert tester.text.toPlainText() == ""


def test_no_robots_txt_and_no_answer_are_told_apart(tester: RobotsTester, qtbot: QtBot) -> None:
    with ScriptedSite() as site:
        tester.source.address.setEditText(site.root)
        tester.source.fetch_button.click()
        qtbot.waitUntil(lambda: "everything may be fetched" in tester.source.said, timeout=LIMIT)
        site.answers["/robots.txt"] = Reply(status=500)
        tester.source.fetch_button.click()
        qtbot.waitUntil(lambda: "nothing may be fetched" in tester.source.said, timeout=LIMIT)
