"""Explain URL in the window: what decides first, every reason in words, read without holding the window up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from core.settings import CrawlSettings, Scope, Seeds
from core.store.names import UrlState
from core.store.write.refusals import refusal_key
from core.urls import Rules, Url, key_form, parse, url_key
from gui.explain.answer import Answer, Question, ask
from gui.explain.dialog import ExplainDialog
from gui.explain.facts import AddressText
from gui.explain.groups import groups, verdict
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

SETTINGS = CrawlSettings(
    name="Shop", seeds=Seeds(urls=("http://shop.test/",)), scope=Scope(exclude=("/calendar/", "/*?sort="))
)
ROBOTS = b"User-agent: *\nDisallow: /private/\n"


def key(path: str) -> int:
    url = parse(f"http://shop.test{path}")
    assert isinstance(url, Url)
    return url_key(key_form(url, Rules()))


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    """A seed that links to a list, that links to a product."""
    made = HandMadeCrawl(tmp_path / "shop.crawl", SETTINGS)
    made.run()
    seed = made.url("/", UrlState.DONE, key=key("/"), seed=1)
    listing = made.url("/list", UrlState.DONE, key=key("/list"), depth=1, found_on=seed)
    made.url("/p?b=2&a=1", key=key("/p?b=2&a=1"), depth=2, found_on=listing)
    version = made.add("robots_version", origin_id=1, first_seen=0, last_seen=0, status=200, hash=b"", body=ROBOTS)
    made.connection.execute("UPDATE origin SET robots_state = 'rules', robots_version = ?", (version,))
    return made


def answer(made: HandMadeCrawl, text: str) -> Answer:
    return ask(Question(made.path, text))


def lines(found: Answer) -> dict[str, list[tuple[str, str, str]]]:
    return {group.title: [(line.mark, line.label, line.text) for line in group.lines] for group in groups(found)}


def test_the_deciding_rule_stands_first(made: HandMadeCrawl) -> None:
    found = answer(made, "http://shop.test/calendar/1?sort=x")
    assert verdict(found) == ("Not allowed: the exclusion /calendar/ matches", "bad")
    first = groups(found)[0]
    assert [(line.label, line.text, line.tone) for line in first.lines] == [
        ("Exclusions", "the exclusion /calendar/ matches", "bad")
    ]


def test_what_no_followed_link_leads_to_is_not_allowed(made: HandMadeCrawl) -> None:
    url = parse("http://shop.test/basket")
    assert isinstance(url, Url)
    made.add(
        "refused",
        key=refusal_key(SETTINGS.tenant, key_form(url, Rules())),
        url=url.text,
        reason="robots: nofollow",
        word="robots",
        depth=1,
        found_on=1,
        seed=0,
        at=0.0,
    )
    found = answer(made, url.text)
    assert verdict(found)[0].startswith("Not allowed: all links to it ask not to be followed")
    assert next(label for _, label, _ in lines(found)["Scope and patterns"]) == "Links to it"


def test_a_canonical_that_is_not_believed_says_why(made: HandMadeCrawl) -> None:
    number = made.page("/c", useful=1, canonical="http://else.test/")
    made.connection.execute("UPDATE url SET key = ? WHERE id = ?", (key("/c"), number))
    same = lines(answer(made, "http://shop.test/c"))["The same page"]
    assert ("", "Alias of", "nothing: this page counts as its own") in same
    assert ("", "Why", "Not believed: the page that is named is not known to this crawl.") in same


def test_the_line_of_robots_txt_is_named(made: HandMadeCrawl) -> None:
    found = answer(made, "http://shop.test/private/1")
    assert verdict(found) == ("Not allowed: line 2 of robots.txt forbids it: Disallow: /private/", "bad")
    assert ("", "robots.txt", "2: Disallow: /private/") in lines(found)["Permission"]


def test_the_way_from_the_seed_is_shown(made: HandMadeCrawl) -> None:
    found = answer(made, "http://shop.test/p?a=1&b=2")
    assert verdict(found) == ("Allowed", "good")
    assert lines(found)["Where it was found"] == [
        ("", "Seed", "http://shop.test/"),
        ("", "Link 1", "http://shop.test/list"),
        ("", "This URL", found.explanation.url if found.explanation else ""),
    ]
    assert ("", "Due", "now, when its host has its turn") in lines(found)["State"]


def test_a_seed_and_what_a_sitemap_named_say_so(made: HandMadeCrawl) -> None:
    place = {"host_id": 1, "origin_id": 1, "address": "http://shop.test/sitemap.xml"}
    made.url("/named", key=key("/named"), source_id=made.add("seed_source", kind="sitemap", **place))
    assert lines(answer(made, "http://shop.test/"))["Where it was found"] == [("", "Seed", "the URL itself is one")]
    named = lines(answer(made, "http://shop.test/named"))["Where it was found"]
    assert named == [("", "Sitemap", "http://shop.test/sitemap.xml")]


def test_each_step_of_the_spelling_is_shown(made: HandMadeCrawl) -> None:
    found = lines(answer(made, "HTTP://Shop.Test:80/p?b=2&a=1#top"))["The same page"]
    assert found[1] == ("", "Compared as", "http://shop.test/p?a=1&b=2")
    assert any(label == "Fragment" and "#top" in text for _, label, text in found)


def test_every_rule_has_a_place(made: HandMadeCrawl) -> None:
    found = answer(made, "http://shop.test/p?a=1&b=2")
    assert found.explanation is not None
    told = sum(len(each) for title, each in lines(found).items() if title not in {"What decides", "State"})
    assert told >= len(found.explanation.questions)


def test_what_is_no_url_is_told(made: HandMadeCrawl) -> None:
    sentence, tone = verdict(answer(made, "shop.test/x"))
    assert ("did you mean" in sentence, tone) == (True, "bad")
    assert verdict(answer(made, "  ")) == ("Type or paste a URL.", "muted")


def test_the_dialog_answers_as_typed_and_copies_it(made: HandMadeCrawl, qtbot: QtBot) -> None:
    dialog = ExplainDialog(made.path, "Shop")
    qtbot.addWidget(dialog)
    dialog.explain("http://shop.test/private/1")
    qtbot.waitUntil(lambda: "Disallow: /private/" in dialog.verdict.text(), timeout=5000)
    dialog.field.setText("http://shop.test/list")
    qtbot.waitUntil(lambda: dialog.verdict.text() == "Allowed", timeout=5000)
    dialog._copy.click()
    assert "http://shop.test/list" in QGuiApplication.clipboard().text()


def test_text_of_a_page_is_never_mark_up(made: HandMadeCrawl, qtbot: QtBot) -> None:
    dialog = ExplainDialog(made.path, "<b>Shop</b>")
    qtbot.addWidget(dialog)
    dialog.explain("http://shop.test/<b>x</b>\u202etxt")
    qtbot.waitUntil(lambda: dialog.verdict.text() == "Allowed", timeout=5000)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in dialog.findChildren(QLabel))
    assert all("\u202e" not in text.toPlainText() for text in dialog.findChildren(AddressText))


def test_a_long_address_is_seen_whole(made: HandMadeCrawl, qtbot: QtBot) -> None:
    dialog = ExplainDialog(made.path, "Shop")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.explain("http://shop.test/p?" + "x=1&" * 80)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(AddressText)), timeout=5000)
    whole = dialog.findChildren(AddressText)[0]
    qtbot.waitUntil(lambda: whole.document().size().height() > 2, timeout=5000)
    lines = whole.document().size().height()
    qtbot.waitUntil(lambda: whole.viewport().height() >= lines * whole.fontMetrics().lineSpacing(), timeout=5000)
    assert not whole.horizontalScrollBar().isVisible()
