from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt, QUrl
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip

from core.errors import Problem
from core.seeds.text import read_seed_text
from gui.setup.import_dialog import ImportDialog
from gui.setup.part import Finding
from gui.setup.seeds_editor import SeedsEditor, is_list

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.settings import CrawlSettings
    from gui.theme import Theme

LIMIT = 5000


@pytest.fixture
def seeds(theme: Theme, settings: CrawlSettings, qtbot: QtBot) -> SeedsEditor:
    made = SeedsEditor(theme)
    qtbot.addWidget(made)
    made.show_settings(settings)
    qtbot.waitUntil(lambda: not made.is_settling(), timeout=LIMIT)
    return made


def test_a_bad_line_is_marked_and_the_good_ones_are_applied(
    seeds: SeedsEditor, settings: CrawlSettings, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(seeds.changed, timeout=LIMIT):
        seeds.editor.appendPlainText("www.other.example\nhttps://second.example/")
    assert seeds.apply_to(settings).seeds.urls == ("https://shop.example/", "https://second.example/")
    assert "did you mean" in seeds.editor.marks[2].message
    assert "2 valid seeds" in seeds._verdict.text()


def test_the_text_with_its_comments_stays_when_its_seeds_were_applied(
    seeds: SeedsEditor, settings: CrawlSettings, qtbot: QtBot
) -> None:
    seeds.editor.appendPlainText("# later\nnonsense")
    qtbot.waitUntil(lambda: not seeds.is_settling(), timeout=LIMIT)
    seeds.show_settings(seeds.apply_to(settings))
    assert seeds.editor.toPlainText().endswith("# later\nnonsense")


def test_a_finding_stands_beside_the_line_of_its_seed(seeds: SeedsEditor, qtbot: QtBot) -> None:
    with qtbot.waitSignal(seeds.changed, timeout=LIMIT):
        seeds.editor.setPlainText("# a\n\nhttps://x.example/")
    left = seeds.show_findings((Finding(Problem("seeds.urls[0]", "not that one"), "bad"),))
    assert left == ()
    assert seeds.editor.marks[3].message == "not that one"


def test_sitemaps_and_robots_are_one_list(seeds: SeedsEditor, settings: CrawlSettings) -> None:
    seeds._auto.setChecked(True)
    seeds._sitemaps.setText("https://shop.example/map.xml, https://shop.example/news.xml")
    applied = seeds.apply_to(settings)
    assert applied.seeds.sitemaps == ("auto", "https://shop.example/map.xml", "https://shop.example/news.xml")


def test_a_pasted_page_is_shown_before_anything_is_added(seeds: SeedsEditor, qtbot: QtBot) -> None:
    pasted = QMimeData()
    pasted.setHtml("<p><a href='https://new.example/a'>a</a> <a href='https://new.example/b'>b</a></p>")
    pasted.setText("some words\nand a second line")
    seeds.editor.insertFromMimeData(pasted)
    qtbot.waitUntil(lambda: bool(seeds.findChildren(ImportDialog)), timeout=LIMIT)
    assert seeds.editor.toPlainText() == "https://shop.example/"
    dialog = seeds.findChildren(ImportDialog)[0]
    dialog.add_button.click()
    assert seeds.editor.toPlainText().split("\n")[1:] == ["https://new.example/a", "https://new.example/b"]


def test_a_dropped_file_is_read(seeds: SeedsEditor, tmp_path: Path, qtbot: QtBot) -> None:
    table = tmp_path / "shops.csv"
    table.write_text("name;url\nA;https://a.example/\nB;https://b.example/\n")
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(table))])
    seeds.editor.insertFromMimeData(dropped)
    qtbot.waitUntil(lambda: bool(seeds.findChildren(ImportDialog)), timeout=LIMIT)
    assert seeds.findChildren(ImportDialog)[0].chosen() == ("https://a.example/", "https://b.example/")


def test_hosts_can_be_left_out_and_new_ones_are_marked(theme: Theme, seeds: SeedsEditor) -> None:
    found = read_seed_text("https://known.example/1\nhttps://new.example/1\nhttps://new.example/2\n")
    dialog = ImportDialog(theme, "a list", found, frozenset({"known.example"}), seeds)
    known, new = dialog.tree.topLevelItem(0), dialog.tree.topLevelItem(1)
    assert known is not None
    assert new is not None
    assert (known.text(1), new.text(1)) == ("1 URLs", "2 URLs · new host")
    new.setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.chosen() == ("https://known.example/1",)
    assert dialog.add_button.text() == "Add 1 URLs"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("https://a.example/", True),
        ("https://a.example/\n# x\nhttps://b.example/", True),
        ("see https://a.example/, and\nmore words", False),
        ("name,url\na,https://a.example/", False),
    ],
)
def test_only_lists_go_straight_into_the_editor(text: str, plain: bool) -> None:
    assert is_list(text) is plain


def test_the_message_of_a_bad_line_is_whole_in_its_tooltip(seeds: SeedsEditor, qtbot: QtBot) -> None:
    seeds.resize(240, 300)
    seeds.show()
    seeds.editor.setPlainText("https://shop.example/\nno address at all")
    qtbot.waitUntil(lambda: 2 in seeds.editor.marks, timeout=5000)
    editor = seeds.editor
    place = editor.cursorRect(QTextCursor(editor.document().findBlockByNumber(1))).center()
    viewport = editor.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    assert editor.marks[2].message in QToolTip.text()
    QToolTip.hideText()
