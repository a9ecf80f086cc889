"""The export dialog writes what the table shows."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from core.store.read.columns import Condition, TableQuery
from gui.tables.export_dialog import ExportDialog
from gui.tables.export_job import ExportJob, Order

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from gui.preferences import Preferences
    from tests.hand_made_crawl import HandMadeCrawl

QUERY = TableQuery(
    "urls", conditions=(Condition("status", ">", "9"),), order=("status", True), columns=("status", "url")
)


@pytest.fixture
def dialog(qtbot: QtBot, made: HandMadeCrawl, preferences: Preferences, tmp_path: Path) -> ExportDialog:
    preferences.set_folder(tmp_path)
    dialog = ExportDialog(made.path, QUERY, "URLs", preferences, number=2)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def done(qtbot: QtBot, dialog: ExportDialog) -> None:
    with qtbot.waitSignal(dialog._job.finished, timeout=5000):
        dialog._export.click()


def test_the_file_equals_the_screen(qtbot: QtBot, dialog: ExportDialog, tmp_path: Path) -> None:
    done(qtbot, dialog)
    with (tmp_path / "shop-urls.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["status", "url"],
        ["100", "http://shop.test/p/hundred?colour=red"],
        ["10", "http://shop.test/ten"],
    ]
    assert dialog._folder.isVisible()
    assert "2 rows written" in dialog._words.text()


def test_the_whole_table_as_json_lines(qtbot: QtBot, dialog: ExportDialog, tmp_path: Path) -> None:
    dialog._rows.setCurrentIndex(1)
    dialog._format.setCurrentText("JSON Lines")
    dialog._about.setChecked(True)
    assert not dialog._bom.isEnabled()
    done(qtbot, dialog)
    lines = (tmp_path / "shop-urls.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["status"] for line in lines] == [9, 10, None, 100]
    assert (tmp_path / "shop-urls.jsonl.about.json").exists()


def test_a_folder_that_is_not_there_is_told(qtbot: QtBot, dialog: ExportDialog, tmp_path: Path) -> None:
    dialog._place.setText(str(tmp_path / "missing" / "a.csv"))
    with qtbot.waitSignal(dialog._job.failed, timeout=5000):
        dialog._export.click()
    assert "does not exist" in dialog._words.text()
    assert dialog._export.isEnabled()


def test_an_export_that_is_not_wanted_leaves_no_file(qtbot: QtBot, made: HandMadeCrawl, tmp_path: Path) -> None:
    job = ExportJob()
    job.interrupt()
    with qtbot.waitSignal(job.cancelled):
        job.run(Order(made.path, QUERY, tmp_path / "a.csv", "csv"))
    assert not list(tmp_path.glob("*.csv*"))


def test_a_file_that_is_there_is_not_proposed_and_its_end_is_told(
    qtbot: QtBot, preferences: Preferences, made: HandMadeCrawl, tmp_path: Path
) -> None:
    preferences.set_folder(tmp_path)
    (tmp_path / "shop-urls.csv").touch()
    dialog = ExportDialog(made.path, TableQuery("urls"), "URLs", preferences)
    qtbot.addWidget(dialog)
    assert dialog._place.text() == str(tmp_path / "shop-urls 2.csv")
    dialog._place.setText(str(tmp_path / "shop-urls.csv"))
    assert "takes its place" in dialog._words.text()
    dialog._place.setText(str(tmp_path / "other.csv"))
    assert dialog._words.text() == ""


def test_responses_may_be_written_as_an_archive_and_other_tables_not(
    made: HandMadeCrawl, preferences: Preferences, qtbot: QtBot
) -> None:
    dialogs = [ExportDialog(made.path, TableQuery(table), table, preferences) for table in ("responses", "urls")]
    for dialog in dialogs:
        qtbot.addWidget(dialog)
    archive, other = dialogs
    assert other._format.findText("WARC") == -1
    archive._format.setCurrentText("WARC, each record compressed")
    assert archive.order().format == "warc.gz"
    assert archive.order().to.name.endswith("-responses.warc.gz")
    archive._format.setCurrentText("WARC")
    assert archive.order().to.name.endswith("-responses.warc")
