"""The model: inserts are exact, `data` asks nothing of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.store.read.columns import Column, TableRow
from gui.tables.grid import Grid
from gui.tables.model import LOADING, TableModel
from gui.tables.snapshot_worker import LONGEST_CELL, PAGE, clipped

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.theme import Theme

COLUMNS = (Column("url", "URL", "url", "x"), Column("bytes", "Bytes", "bytes", "x"), Column("at", "Seen", "time", "x"))
DISPLAY = Qt.ItemDataRole.DisplayRole


def page(number: int) -> list[TableRow]:
    return [TableRow((row,), (f"http://h.test/{row}", row, 0.0)) for row in range(number * PAGE, (number + 1) * PAGE)]


@pytest.fixture
def model(theme: Theme) -> TableModel:
    return TableModel(theme, COLUMNS)


def wishes(model: TableModel) -> list[int]:
    asked: list[int] = []
    model.page_wanted.connect(asked.append)
    return asked


@pytest.mark.parametrize("added", [0, 1, 500])
def test_growing_inserts_exactly_the_new_rows(model: TableModel, added: int) -> None:
    model.show_all(100_000)
    begun: list[tuple[bool, int, int]] = []
    model.rowsInserted.connect(lambda parent, first, last: begun.append((parent.isValid(), first, last)))
    model.show_all(100_000 + added)
    assert begun == ([(False, 100_000, 99_999 + added)] if added else [])
    assert model.rowCount() == 100_000 + added
    assert model.rowCount(model.index(0, 0)) == 0


def test_shrinking_removes_exactly_the_last_rows(model: TableModel) -> None:
    model.show_all(10)
    gone: list[tuple[int, int]] = []
    model.rowsRemoved.connect(lambda _parent, first, last: gone.append((first, last)))
    model.show_all(4)
    assert gone == [(4, 9)]


def test_the_model_keeps_the_rules_of_qt(qtbot: QtBot, model: TableModel) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_first(page(0)[:50])
    model.show_all(1000)
    model.take_page(0, page(0))
    model.show_all(200)
    model.show_all(0)
    assert tester.model() is model


def test_selection_and_scroll_stay_when_rows_come(qtbot: QtBot, theme: Theme, model: TableModel) -> None:
    grid = Grid(model, theme)
    qtbot.addWidget(grid)
    grid.resize(600, 300)
    grid.show()
    model.show_all(100_000)
    model.take_page(390, page(390))
    grid.scrollTo(model.index(50_000, 0), Grid.ScrollHint.PositionAtTop)
    flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
    grid.selectionModel().setCurrentIndex(model.index(50_001, 0), flags)
    place = grid.verticalScrollBar().value()
    model.show_all(100_500)
    assert grid.verticalScrollBar().value() == place
    assert [index.row() for index in grid.selectionModel().selectedRows()] == [50_001]


def test_rows_on_their_way_show_a_placeholder_and_are_asked_for_once(model: TableModel) -> None:
    asked = wishes(model)
    model.show_all(1000)
    assert model.index(300, 0).data(DISPLAY) == LOADING
    assert model.index(301, 1).data(DISPLAY) is None
    assert asked == [2]
    model.take_page(2, page(2))
    assert model.index(300, 0).data(DISPLAY) == "http://h.test/300"
    assert asked == [2]


def test_the_first_rows_are_shown_before_the_order_stands(model: TableModel) -> None:
    asked = wishes(model)
    model.show_first(page(0)[:20])
    assert model.rowCount() == 20
    assert model.index(19, 1).data(DISPLAY) == "19"
    assert asked == []


def test_native_values_for_sorting_and_right_alignment(model: TableModel) -> None:
    model.show_first(page(0)[:5])
    assert model.index(4, 1).data(Qt.ItemDataRole.UserRole) == 4
    alignment: Any = model.index(4, 1).data(Qt.ItemDataRole.TextAlignmentRole)
    assert alignment & Qt.AlignmentFlag.AlignRight.value


def test_the_painted_text_is_what_the_model_says(model: TableModel) -> None:
    model.show_first([TableRow((1,), ("http://h.test/\u202e", 1_000_000, None))])
    for at in range(len(COLUMNS)):
        assert model.look(0, at)[0] == model.index(0, at).data(DISPLAY)
        assert model.look(0, at)[1] == model.index(0, at).data(Qt.ItemDataRole.ForegroundRole)


def test_tooltips_are_no_markup(model: TableModel) -> None:
    model.show_first([TableRow((1,), ("http://h.test/<img src=x>", 1, None))])
    tip = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    assert "&lt;img" in tip


def test_headers_say_the_zone_of_their_times(model: TableModel) -> None:
    assert model.headerData(2, Qt.Orientation.Horizontal) == "Seen (UTC)"
    model.set_local_times(True)
    assert model.headerData(2, Qt.Orientation.Horizontal) == "Seen (local)"


def test_a_field_with_a_hostile_name_stays_one_line(theme: Theme) -> None:
    model = TableModel(theme, (Column("x", "a\n\u202eb" + "c" * 500, "text", "x"),))
    title = model.headerData(0, Qt.Orientation.Horizontal)
    assert title.isprintable()
    assert len(title) < 80


def test_overlong_cells_are_cut_before_they_are_kept() -> None:
    (row,) = clipped([TableRow((1,), ("x" * 4_000_000, 5, None))])
    assert len(str(row.cells[0])) <= LONGEST_CELL + 1
    assert row.cells[1:] == (5, None)


def test_no_parent_has_rows(model: TableModel) -> None:
    model.show_all(3)
    assert model.rowCount(QModelIndex()) == 3
    assert model.columnCount(model.index(0, 0)) == 0
