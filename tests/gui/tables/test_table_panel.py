"""Tables of a real crawl file, as a person uses them."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.store.read.columns import Condition, TableQuery
from core.store.read.snapshot import Interrupted, Snapshot
from gui.tables import choices
from gui.tables.grid import Grid
from gui.tables.table_panel import TablePanel
from gui.tables.table_view import TableView, log_view, records_view, urls_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from gui.session import OpenCrawl
    from gui.tables.choices import Shown
    from gui.theme import Theme
    from tests.hand_made_crawl import HandMadeCrawl

DISPLAY = Qt.ItemDataRole.DisplayRole


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl) -> Callable[[Shown], TablePanel]:
    """A panel on the crawl, its whole order made."""

    def make(table: Shown) -> TablePanel:
        panel = TablePanel(theme, preferences, table)
        qtbot.addWidget(panel)
        panel.resize(1000, 600)
        panel.show()
        panel.set_crawl(opened)
        settled(qtbot, panel)
        return panel

    return make


def settled(qtbot: QtBot, panel: TablePanel) -> None:
    qtbot.waitUntil(lambda: panel.source.stands, timeout=5000)


def cells(panel: TablePanel, column: str) -> list[object]:
    return [panel.model.value(row, column) for row in range(panel.model.rowCount())]


def asked(qtbot: QtBot, panel: TablePanel, act: Callable[[], object]) -> None:
    """Do something that asks anew, and wait until all rows are at hand."""
    with qtbot.waitSignal(panel.source.counted, timeout=5000):
        act()
    ready(qtbot, panel)


def is_at_hand(panel: TablePanel, row: int) -> bool:
    return panel.model.row(row) is not None


def ready(qtbot: QtBot, panel: TablePanel) -> None:
    def all_here() -> bool:
        panel.model.index(0, 0).data(DISPLAY)
        return panel.source.stands and (
            panel.model.rowCount() == 0 or panel.model.row(panel.model.rowCount() - 1) is not None
        )

    qtbot.waitUntil(all_here, timeout=5000)


def test_numbers_sort_as_numbers_and_blanks_come_last(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    status = [column.name for column in panel.model.columns].index("status")
    header = panel.grid.horizontalHeader()
    asked(qtbot, panel, lambda: header.setSortIndicator(status, Qt.SortOrder.AscendingOrder))
    qtbot.waitUntil(lambda: cells(panel, "status") == [9, 10, 100, None], timeout=5000)
    asked(qtbot, panel, lambda: header.setSortIndicator(status, Qt.SortOrder.DescendingOrder))
    qtbot.waitUntil(lambda: cells(panel, "status") == [100, 10, 9, None], timeout=5000)


def test_duplicates_stand_in_their_groups(
    qtbot: QtBot, made: HandMadeCrawl, shown: Callable[[Shown], TablePanel]
) -> None:
    panel = shown(choices.DUPLICATES)
    assert panel.model.rowCount() == 0
    assert "No two pages say the same" in panel.grid._empty_words
    first = made.page("/first", simhash=5, status=200)
    made.page("/near", simhash=7, status=200)
    made.page("/copy", duplicate_of=first, status=200)
    panel.source.count_newer()
    asked(qtbot, panel, panel.ask)
    assert cells(panel, "kind") == ["first", "near", "copy"]
    assert cells(panel, "members") == [3, 3, 3]
    kind = panel.filters._choices[0][0]
    asked(qtbot, panel, lambda: kind.setCurrentText("Near duplicates"))
    assert cells(panel, "url") == ["http://shop.test/near"]


def test_click_on_the_number_of_in_links_shows_the_pages_that_link_there_with_their_text(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel]
) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    linked = next(row for row in range(panel.model.rowCount()) if panel.model.value(row, "inlinks"))
    column = [column.name for column in panel.model.columns].index("inlinks")
    assert not panel.grid.isColumnHidden(column)
    place = panel.grid.visualRect(panel.model.index(linked, column)).center()
    QTest.mouseClick(panel.grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    links = panel.details._in
    qtbot.waitUntil(lambda: panel.details._stack.currentWidget() is links, timeout=5000)
    assert links.topLevelItemCount() == 2
    first = links.topLevelItem(0)
    assert first is not None
    assert [first.text(at) for at in (0, 1)] == ["http://shop.test/nine", "Read <b>more</b>"]


def test_searching_while_typing(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    with qtbot.waitSignal(panel.source.counted, timeout=5000):
        QTest.keyClicks(panel.filters.search, "hund")
    qtbot.waitUntil(lambda: cells(panel, "url") == ["http://shop.test/p/hundred?colour=red"], timeout=5000)
    assert "1 URL found" in panel.count_line._words.text()
    asked(qtbot, panel, panel.filters.clear)
    assert panel.model.rowCount() == 4


def test_a_typed_filter_and_choices(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    asked(qtbot, panel, lambda: panel.filters.search.setText("status > 9"))
    qtbot.waitUntil(lambda: sorted(map(str, cells(panel, "status"))) == ["10", "100"], timeout=5000)
    state = panel.filters._choices[0][0]
    asked(qtbot, panel, lambda: state.setCurrentText("Failed"))
    qtbot.waitUntil(lambda: cells(panel, "status") == [100], timeout=5000)
    assert Condition("state", "=", "failed") in panel.query_shown().conditions


def test_a_text_that_is_no_filter_is_searched(shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    panel.filters.search.setText("colour=red")
    assert panel.filters.text() == "colour=red"
    assert panel.filters.conditions() == ()


def test_a_page_title_is_never_markup(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    title = [column.name for column in panel.model.columns].index("title")
    text = panel.model.index(0, title).data(DISPLAY)
    assert text.isprintable()
    assert "\u202e" not in text
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    qtbot.waitUntil(lambda: any("img src" in value for _, value in panel.details.facts()), timeout=5000)
    labels = panel.details.findChildren(type(panel.count_line._newer))
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels if "img src" in label.text())


def test_who_links_to_this_404_is_one_click(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    panel.grid.setCurrentIndex(panel.model.index(3, 0))
    panel.grid._in_links.trigger()
    links = panel.details._in
    qtbot.waitUntil(lambda: links.topLevelItemCount() == 2, timeout=5000)
    assert links.isVisible()
    texts = [links.model().index(row, 0).data(DISPLAY) for row in range(2)]
    assert texts == ["http://shop.test/nine", "http://shop.test/blank"]
    path = dict(panel.details.facts())["Path"]
    assert path.startswith("seed → http://shop.test/nine → ")


def test_copying_rows_with_headers(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    panel.grid.selectAll()
    panel.grid._copy_headed.trigger()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[:2] == ["URL", "Status"]
    assert lines[2].split("\t")[:2] == ["http://shop.test/ten", "10"]
    assert len(lines) == 5


def test_excluding_a_pattern_like_this(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    panel.grid.setCurrentIndex(panel.model.index(3, 0))
    with qtbot.waitSignal(panel.exclude_wanted) as caught:
        panel.grid._exclude.trigger()
    assert caught.args == ["/p/hundred?colour="]


def test_chosen_columns_are_kept(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], theme: Theme, preferences: Preferences
) -> None:
    panel = shown(choices.URLS)
    panel.columns_button.toggled_column.emit("title", True)
    panel.columns_button.toggled_column.emit("status", False)
    again = TablePanel(theme, preferences, choices.URLS)
    qtbot.addWidget(again)
    assert again.query_shown().columns == panel.query_shown().columns
    assert "title" in again.query_shown().columns
    assert "status" not in again.query_shown().columns
    again.columns_button.reset_wanted.emit()
    assert again.query_shown().columns == choices.URLS.columns


def test_records_show_the_fields_first(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.RECORDS)
    ready(qtbot, panel)
    assert set(panel.query_shown().columns[1:3]) == {"sku", "price"}
    assert cells(panel, "price") == [9.5]


def test_newer_rows_are_counted_and_come_with_refresh(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl
) -> None:
    panel = shown(choices.URLS)
    made.page("/new", status=200)
    panel.source.count_newer()
    qtbot.waitUntil(lambda: panel.count_line._newer.text() == "1 newer row", timeout=5000)
    assert panel.model.rowCount() == 4
    asked(qtbot, panel, panel.count_line._refresh.click)
    assert panel.model.rowCount() == 5


def test_cells_in_view_follow_the_crawl_without_moving(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl
) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    made.connection.execute("UPDATE page SET status = 410 WHERE url_id = 2")
    panel.model.make_stale()
    panel.grid.viewport().update()
    qtbot.waitUntil(lambda: panel.model.value(1, "status") == 410, timeout=5000)


def test_the_log_follows_its_end(qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl) -> None:
    panel = shown(choices.LOG)
    for number in range(200):
        made.add("log", at=0.0, elapsed=0.0, level="info", kind="page", message=f"Line {number}")
    asked(qtbot, panel, panel.source.refresh)
    assert panel.model.rowCount() == 202
    assert panel.grid.verticalScrollBar().value() == panel.grid.verticalScrollBar().maximum()


def test_the_log_stays_where_the_person_reads(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl
) -> None:
    panel = shown(choices.LOG)
    for number in range(200):
        made.add("log", at=0.0, elapsed=0.0, level="info", kind="page", message=f"Line {number}")
    asked(qtbot, panel, panel.source.refresh)
    panel.grid.verticalScrollBar().setValue(20)
    made.add("log", at=0.0, elapsed=0.0, level="info", kind="page", message="One more")
    with qtbot.waitSignal(panel.source.counted, timeout=5000):
        panel.source.refresh()
    assert panel.model.rowCount() == 203
    assert panel.grid.verticalScrollBar().value() == 20


def test_a_chosen_host_stays_chosen_when_rows_change_places(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl
) -> None:
    panel = shown(choices.HOSTS)
    ready(qtbot, panel)
    panel.grid.setCurrentIndex(panel.model.index(0, 0))
    made.add("host", id=2, tenant="default", name="a.test")
    asked(qtbot, panel, panel.source.refresh)
    qtbot.waitUntil(lambda: panel.grid.currentIndex().row() == 1, timeout=5000)
    assert panel.model.value(1, "host") == "shop.test"
    assert [index.row() for index in panel.grid.selectionModel().selectedRows()] == [1]


def test_a_hundred_thousand_rows_scroll_with_every_query_in_the_worker(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], made: HandMadeCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.connection.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO log"
        "(at, level, kind, message) SELECT i, 'info', 'page', 'Line ' || i FROM n"
    )
    threads: set[str] = set()
    plain = Snapshot._all

    def watched(self: Snapshot, *arguments: object) -> object:
        threads.add(threading.current_thread().name)
        return plain(self, *arguments)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(Snapshot, "_all", watched)
    panel = shown(choices.LOG)
    assert panel.model.rowCount() == 100_002
    for place in (0, 70_000, 20_000, 99_999):
        panel.grid.scrollTo(panel.model.index(place, 0), Grid.ScrollHint.PositionAtCenter)
        panel.grid.grab()
        qtbot.waitUntil(partial(is_at_hand, panel, place), timeout=5000)
    assert threads == {"table"}
    assert len(panel.model.pages) <= 64


def test_typing_on_interrupts_what_runs(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = shown(choices.URLS)
    begun, cut = threading.Event(), threading.Event()
    plain = Snapshot.build

    def endless(self: Snapshot, query: object) -> int:
        if getattr(query, "search", "") == "slow":
            begun.set()
            try:
                with self._reading():
                    self._all("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            finally:
                cut.set()
        return plain(self, query)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(Snapshot, "build", endless)
    panel.filters.search.setText("slow")
    qtbot.waitUntil(begun.is_set, timeout=5000)
    panel.filters.search.setText("ten")
    qtbot.waitUntil(cut.is_set, timeout=5000)
    qtbot.waitUntil(lambda: cells(panel, "url") == ["http://shop.test/ten"], timeout=5000)


def test_another_crawl_clears_everything(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    panel.set_crawl(None)
    assert panel.model.rowCount() == 0
    assert not panel.details.isVisible()


def test_only_the_table_that_is_seen_reads(
    qtbot: QtBot, theme: Theme, preferences: Preferences, opened: OpenCrawl
) -> None:
    view = urls_view(theme, preferences)
    assert isinstance(view, TableView)
    qtbot.addWidget(view)
    view.show()
    view.set_crawl(opened)
    settled(qtbot, view.panels[0])
    assert not view.panels[1]._asked
    view._segments.button(2).click()
    settled(qtbot, view.panels[2])
    assert view.panels[2].model.rowCount() == 2


def test_times_are_switched_in_every_table(qtbot: QtBot, theme: Theme, preferences: Preferences) -> None:
    for factory in (records_view, log_view):
        view = factory(theme, preferences)
        assert isinstance(view, TableView)
        qtbot.addWidget(view)
        view.panels[0].local_chosen.emit(True)
        assert view.panels[1].model.local_times
    assert preferences.local_times


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("status == bogus(", "The filter is not understood"),
        ("status = ", "a value was expected"),
        ("sttaus = 404", "no column “sttaus”"),
    ],
)
def test_a_wrong_filter_says_what_is_wrong(
    text: str, words: str, qtbot: QtBot, shown: Callable[[Shown], TablePanel]
) -> None:
    panel = shown(choices.URLS)
    panel.filters.search.setText(text)
    assert words in panel.count_line._words.text()
    assert words in panel.grid._empty_words
    assert panel.model.rowCount() == 0
    asked(qtbot, panel, panel.filters.search.clear)
    assert panel.model.rowCount() == 4


def test_a_part_of_a_url_is_searched_for(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    asked(qtbot, panel, lambda: panel.filters.search.setText("colour=red"))
    assert panel.model.rowCount() == 1


def test_the_details_follow_the_filter(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.URLS)
    ready(qtbot, panel)
    panel.grid.selectRow(0)
    qtbot.waitUntil(panel.details.isVisible, timeout=5000)
    asked(qtbot, panel, lambda: panel.filters.search.setText("nowhere"))
    assert not panel.details.isVisible()


def test_first_sights_are_no_changes_until_asked_for(qtbot: QtBot, shown: Callable[[Shown], TablePanel]) -> None:
    panel = shown(choices.CHANGES)
    assert panel.filters.conditions() == (Condition("action", "=", "updated"),)
    assert panel.filters.is_empty()
    box, _ = panel.filters._choices[0]
    asked(qtbot, panel, lambda: box.setCurrentText("Every change"))
    assert panel.filters.conditions() == ()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_ours_while_reading_is_told_and_can_be_tried_again(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = shown(choices.URLS)
    with monkeypatch.context() as broken:
        broken.setattr(Snapshot, "build", lambda _self, _query: 1 // 0)
        with qtbot.waitSignal(panel.source.failed, timeout=5000):
            panel.ask()
    assert "ZeroDivisionError" in panel.count_line._words.text()
    assert panel.count_line._refresh.text() == "Try again"
    asked(qtbot, panel, panel.count_line._refresh.click)
    assert panel.model.rowCount() == 4


def test_an_interrupt_for_an_older_question_leaves_no_newer_one_unanswered(
    qtbot: QtBot, shown: Callable[[Shown], TablePanel], monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = shown(choices.URLS)
    build = Snapshot.build
    hits = iter((True, False))

    def cut_once(snapshot: Snapshot, query: TableQuery) -> int:
        if next(hits):
            raise Interrupted
        return build(snapshot, query)

    monkeypatch.setattr(Snapshot, "build", cut_once)
    asked(qtbot, panel, panel.ask)
    assert panel.model.rowCount() == 4
