"""XLSX as a spreadsheet reads it: the parts of the archive, without another library."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from core.errors import DiskFull
from core.export import Cancelled, base, export
from core.export.cells import CUT, LONGEST_CELL
from core.export.xlsx import XlsxWriter, held
from core.store.read.columns import Column
from core.store.read.tables import TableQuery
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("xlsxwriter", reason="it is in the lock; an environment made from an older one has it not")

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
COLUMNS = (
    Column("text", "Text", "text", ""),
    Column("number", "Number", "number", ""),
    Column("at", "Time", "time", ""),
    Column("flag", "Flag", "flag", ""),
)


def sheets(file: Any) -> list[list[dict[str, tuple[str, str]]]]:
    """Of each sheet its rows: column letter to the cell's type and text."""
    with zipfile.ZipFile(file) as archive:
        names = sorted(name for name in archive.namelist() if "worksheets/sheet" in name)
        trees = [ElementTree.fromstring(archive.read(name)) for name in names]  # noqa: S314 - our own
    return [[_row(row) for row in tree.iter(f"{MAIN}row")] for tree in trees]


def _row(row: ElementTree.Element) -> dict[str, tuple[str, str]]:
    found = {}
    for cell in row.iter(f"{MAIN}c"):
        assert cell.find(f"{MAIN}f") is None, "a formula"
        place = re.sub(r"\d", "", cell.attrib["r"])
        found[place] = (cell.attrib.get("t", "n"), "".join(cell.itertext()))
    return found


def written(*rows: tuple[Any, ...], most: int = 1_048_576) -> list[list[dict[str, tuple[str, str]]]]:
    file = io.BytesIO()
    writer = XlsxWriter(file, COLUMNS, most)
    writer.write(rows)
    writer.close()
    return sheets(file)


def test_each_kind_of_cell_is_what_it_is() -> None:
    (sheet,) = written(("a", 1.5, NOON, 1), (None, 2**60, None, 0))
    assert sheet[0] == {letter: ("inlineStr", column.name) for letter, column in zip("ABCD", COLUMNS, strict=True)}
    assert sheet[1]["A"] == ("inlineStr", "a")
    assert sheet[1]["B"] == ("n", "1.5")
    assert float(sheet[1]["C"][1]) == pytest.approx(46402 + 8 / 24)  # 2027-01-15 08:00 in days since 1899-12-30
    assert sheet[1]["D"] == ("b", "1")
    assert sheet[2] == {"B": ("inlineStr", str(2**60)), "D": ("b", "0")}


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "http://a.test/", "{=1}", "1", "\ufffe\ud800\x00\x01"]
)
def test_no_text_becomes_a_formula_a_link_or_a_number(text: str) -> None:
    (sheet,) = written((text, None, None, None))
    assert sheet[1]["A"][0] == "inlineStr"


def test_rows_beyond_a_sheet_go_on_in_the_next_one() -> None:
    found = written(*((str(number), number, None, None) for number in range(7)), most=4)
    assert [len(sheet) for sheet in found] == [4, 4, 2]
    assert [row["A"][1] for sheet in found for row in sheet[1:]] == [str(number) for number in range(7)]
    assert all(sheet[0]["A"][1] == "text" for sheet in found)


def test_a_long_text_is_cut_where_it_can_be_seen_by_the_units_of_a_spreadsheet() -> None:
    assert held("x" * LONGEST_CELL) == "x" * LONGEST_CELL
    for long in ("x" * (LONGEST_CELL + 1), "\U0001f600" * (LONGEST_CELL // 2 + 1)):
        cut = held(long)
        assert cut.endswith(CUT)
        assert long.startswith(cut.removesuffix(CUT))
        assert LONGEST_CELL - 1 <= len(cut.encode("utf-16-le")) // 2 <= LONGEST_CELL


@pytest.fixture
def crawl(tmp_path: Path) -> HandMadeCrawl:
    made = HandMadeCrawl(tmp_path / "shop.crawl")
    for number in range(3000):
        made.url(f"/page/{number}")
    return made


def test_an_export_says_where_it_came_from(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    to = tmp_path / "urls.xlsx"
    assert export(crawl.path, TableQuery("urls", columns=("url", "depth")), to, "xlsx", about=True) == 3000
    (sheet,) = sheets(to)
    assert len(sheet) == 3001
    assert sheet[3000] == {"A": ("inlineStr", "http://shop.test/page/2999"), "B": ("n", "0")}
    assert '"format": "xlsx"' in (tmp_path / "urls.xlsx.about.json").read_text("utf-8")


@pytest.mark.parametrize("after", [1, 3, 4, 5])
def test_a_cancelled_export_leaves_nothing_anywhere(
    crawl: HandMadeCrawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Also while the sheets are being put together, after the last row was read."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr("core.store.read.snapshot.ASKED_EVERY", 2**31 - 1)  # only our own looks count here
    looks = iter(range(100))
    with pytest.raises(Cancelled):
        export(crawl.path, TableQuery("urls"), tmp_path / "a.xlsx", "xlsx", cancelled=lambda: next(looks) >= after)
    assert not (tmp_path / "a.xlsx").exists()
    assert [path.name for path in tmp_path.glob(".*.part")] == []
    assert list(temporary.iterdir()) == []


def test_a_full_disk_is_told_and_leaves_nothing(
    crawl: HandMadeCrawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(base.Unwanted, "write", full)
    with pytest.raises(DiskFull):
        export(crawl.path, TableQuery("urls"), tmp_path / "a.xlsx", "xlsx")
    assert [path.name for path in tmp_path.glob("*a.xlsx*")] == []
