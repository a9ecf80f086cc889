"""Changes in the window: a choice of runs with counts and bars, and both versions of a record side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.settings import CrawlSettings
from core.store.read.runs import read_runs, read_versions
from gui.changes.version_list import VersionList
from gui.session import OpenCrawl
from gui.tables import choices
from gui.tables.table_panel import TablePanel
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.changes.runs_strip import RunsStrip
    from gui.preferences import Preferences
    from gui.theme import Theme

HOSTILE = "<img src=http://evil.test/x.png>\u202egnp"


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    """Two runs: in the first A and B were new; in the second A changed, C was new, and B went."""
    made = HandMadeCrawl(tmp_path / "shop.crawl", CrawlSettings(name="Shop"))
    made.run(ended=NOON + 50)
    made.run(number=2, kind="recrawl", started=NOON + 100, ended=NOON + 150)
    page = made.page("/p")
    made.counters(1, created=2)
    made.counters(2, created=1, updated=1)
    for key, run, version, data in (
        ("A", 1, 1, '{"name": "A", "price": 1, "old": "x"}'),
        ("B", 1, 1, '{"name": "B"}'),
        ("C", 2, 1, '{"name": "C"}'),
        ("A", 2, 2, f'{{"name": "A", "price": 2, "note": "{HOSTILE}"}}'),
    ):
        at = NOON + 100 * (run - 1) + 10
        if version == 1:
            made.record(key, data, page, first_seen=at, run=run)
        values = {"fingerprint": data, "data": data, "run": run, "valid_from": at}
        made.add("record_version", record_id=f"id-{key}", version=version, **values)
    made.connection.execute("UPDATE record SET version = 2 WHERE id = 'id-A'")
    made.connection.execute("UPDATE record SET gone = ? WHERE id = 'id-B'", (NOON + 120,))
    made.add("absence", record_id="id-B", version=1, number=1, run=2, at=NOON + 120, reason="not shown")
    return made


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme, preferences: Preferences, made: HandMadeCrawl) -> Iterator[TablePanel]:
    crawl = OpenCrawl(made.path)
    qtbot.waitUntil(lambda: crawl.status is not None and crawl.settings is not None, timeout=5000)
    panel = TablePanel(theme, preferences, choices.CHANGES)
    qtbot.addWidget(panel)
    panel.resize(1100, 700)
    panel.show()
    panel.filters.clear()
    panel.set_crawl(crawl)
    qtbot.waitUntil(lambda: strip(panel).figures()["records", "new"] != "–", timeout=5000)
    yield panel
    crawl.close()
    assert crawl.wait_closed()


def strip(panel: TablePanel) -> RunsStrip:
    assert panel.runs is not None
    return panel.runs


def counts(panel: TablePanel) -> list[str]:
    return [strip(panel).figures()["records", word] for word in ("new", "changed", "gone", "unchanged")]


def test_a_version_stands_beside_the_one_before(made: HandMadeCrawl) -> None:
    pair = read_versions(made.path, "id-A", 2)
    assert pair is not None
    assert [(field.name, field.old, field.new, field.changed) for field in pair.fields] == [
        ("name", "A", "A", False),
        ("price", "1", "2", True),
        ("note", None, HOSTILE, True),
        ("old", "x", None, True),
    ]
    assert (pair.old_at, pair.new_at) == (NOON + 10, NOON + 110)
    first = read_versions(made.path, "id-A", 1)
    assert first is not None
    assert first.old_at is None
    assert read_versions(made.path, "id-A", 7) is None


def test_each_run_has_its_counts(made: HandMadeCrawl) -> None:
    first, second = read_runs(made.path)
    assert (first.created, first.updated, first.gone) == (2, 0, 0)
    assert (second.kind, second.created, second.updated, second.gone, second.back) == ("recrawl", 1, 1, 1, 0)


def test_the_newest_run_is_compared_at_first_and_the_table_shows_all(panel: TablePanel) -> None:
    assert strip(panel).runs() == (1, 2)
    assert counts(panel) == ["1", "1", "1", "0"]
    assert strip(panel).conditions() == ()


def test_runs_that_are_chosen_are_compared_and_narrow_the_table(qtbot: QtBot, panel: TablePanel) -> None:
    panel.filters.clear()
    strip(panel).choose(0, 1)
    qtbot.waitUntil(lambda: counts(panel) == ["2", "0", "0", "0"], timeout=5000)
    qtbot.waitUntil(lambda: panel.source.stands, timeout=5000)
    assert [condition.value for condition in panel.query_shown().conditions if condition.column == "run"] == ["0", "2"]
    runs = {panel.model.value(row, "run") for row in range(panel.model.rowCount())}
    assert runs <= {1}


def test_a_click_on_a_bar_chooses_its_run(qtbot: QtBot, panel: TablePanel) -> None:
    bars = strip(panel)._bars
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(5, 20))
    assert strip(panel).runs() == (0, 1)
    assert "2 new, 0 changed, 0 gone" in bars.accessibleDescription()


def test_the_versions_of_the_chosen_change_come_in_front(qtbot: QtBot, panel: TablePanel) -> None:
    qtbot.waitUntil(lambda: panel.source.stands and panel.model.rowCount() > 0, timeout=5000)
    panel.grid.selectRow(0)
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    versions = panel.details.findChild(VersionList)
    assert versions is not None
    qtbot.waitUntil(lambda: versions.topLevelItemCount() == 4 and versions.isVisible(), timeout=5000)
    items = [versions.topLevelItem(row) for row in range(4)]
    rows = [[item.text(column) for column in range(3)] for item in items if item is not None]
    assert rows[0] == ["price", "1", "2"]
    assert rows[-1] == ["name", "A", "A"]
    assert "\u202e" not in rows[1][2]
