"""The re-parse in the window: first what would change, then, when wanted, the change, with a process of its own."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import apsw
import pytest
from PySide6.QtCore import QObject, Qt, Signal

from core.store.lock import EngineLock
from core.store.reparsed import Collision, Example, FieldChange, ReparseReport, TypeCounts
from gui.records.reparse_button import ReparseButton
from gui.records.reparse_dialog import ReparseDialog
from gui.records.reparse_words import left_words, report_words

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

LONG = 60_000  # ms: a process has to start


class StandIn(QObject):
    """A process that says what the test wants."""

    told = Signal(int, int)
    reported = Signal(object)
    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.started: list[bool] = []
        self.stopped = False

    def start(self) -> None:
        pass

    def stop(self) -> None:
        self.stopped = True


def report(**known: object) -> ReparseReport:
    made = ReparseReport(dry_run=True, finished=True, pages=6, done=6)
    made.records = {"product": TypeCounts(updated=2, unchanged=4)}
    made.examples = [Example("product", "updated", "id", "http://shop.test/1", (FieldChange("price", "1", "2"),))]
    for name, value in known.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def told(qtbot: QtBot, tmp_path: Path) -> tuple[ReparseDialog, StandIn]:
    stand_in = StandIn()

    def start(_path: Path, dry_run: bool, _parent: object) -> StandIn:
        stand_in.started.append(dry_run)
        return stand_in

    dialog = ReparseDialog(tmp_path, start=start)  # type: ignore[arg-type] # a stand-in
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog, stand_in


def test_the_dry_run_begins_at_once_and_nothing_can_be_applied_before_its_end(
    told: tuple[ReparseDialog, StandIn],
) -> None:
    dialog, process = told
    assert process.started == [True]
    process.told.emit(3, 6)
    assert (dialog.bar.value(), dialog.bar.maximum()) == (3, 6)
    assert not dialog.apply_button.isEnabled()
    process.reported.emit(report())
    assert dialog.apply_button.isEnabled()
    item = dialog.counts.topLevelItem(0)
    assert item is not None
    assert [item.text(column) for column in range(4)] == ["product", "0", "4", "2"]
    example = dialog.examples.topLevelItem(0)
    assert example is not None
    field = example.child(0)
    assert field is not None
    assert [field.text(column) for column in range(3)] == ["price", "1", "2"]
    dialog.apply_button.click()
    assert process.started == [True, False]


def test_cancel_ends_the_work_first_and_says_that_it_goes_on_the_next_time(
    told: tuple[ReparseDialog, StandIn],
) -> None:
    dialog, process = told
    process.reported.emit(report())
    dialog.apply_button.click()
    dialog.close_button.click()
    assert process.stopped
    assert dialog.isVisible()
    process.reported.emit(report(dry_run=False, finished=False, done=3))
    assert "goes on there" in dialog.words.text()
    assert dialog.apply_button.isEnabled()
    dialog.close_button.click()
    assert not dialog.isVisible()


def test_escape_in_a_dry_run_closes_when_it_has_ended(told: tuple[ReparseDialog, StandIn]) -> None:
    dialog, process = told
    dialog.reject()
    assert process.stopped
    assert dialog.isVisible()
    process.reported.emit(report(finished=False))
    assert not dialog.isVisible()


def test_words_tell_of_shared_keys_first_and_of_what_is_left() -> None:
    shared = report(collisions=[Collision("product", "K", "http://a.test/", "http://b.test/", "why")])
    assert "one key on two pages" in report_words(shared)[0]
    assert "Nothing would change" in report_words(report(records={"product": TypeCounts(unchanged=6)}))[0]
    assert left_words(report()) == ""
    assert left_words(report(missing=1)).startswith("1 response kept no more")


def test_the_button_waits_for_a_file(qtbot: QtBot, tmp_path: Path) -> None:
    button = ReparseButton()
    qtbot.addWidget(button)
    assert not button.isEnabled()
    button.set_file(tmp_path / "a.crawl")
    assert button.isEnabled()


def ask(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path))) as connection:
        return list(connection.execute(sql))


def test_a_real_one_changes_the_records_only_when_it_is_applied(qtbot: QtBot, shop: Path) -> None:
    dialog = ReparseDialog(shop)
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(dialog.apply_button.isEnabled, timeout=LONG)
    assert ask(shop, "SELECT natural_key FROM record") == [("OLD",)]
    dialog.apply_button.click()
    qtbot.waitUntil(lambda: "Done" in dialog.words.text(), timeout=LONG)
    assert {key for (key,) in ask(shop, "SELECT natural_key FROM record WHERE gone IS NULL")} >= {"S0", "S3", "S4"}


def test_an_engine_on_the_file_is_told(qtbot: QtBot, shop: Path) -> None:
    dialog = ReparseDialog(shop)
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(dialog.apply_button.isEnabled, timeout=LONG)
    lock = EngineLock.acquire(shop)
    try:
        dialog.apply_button.click()
        qtbot.waitUntil(dialog.close_button.isEnabled, timeout=LONG)
        qtbot.waitUntil(lambda: not dialog.bar.isVisible(), timeout=LONG)
    finally:
        lock.release()
    assert dialog.words.property("tone") == "bad"
    assert not dialog.apply_button.isEnabled()
