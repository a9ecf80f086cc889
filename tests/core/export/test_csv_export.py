"""CSV cells: what a standard reader gives back, and what no spreadsheet runs."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export.csv import Csv
from core.store.read.columns import Cell, Column

TEXT = tuple(Column(name, name, "text", "") for name in ("a", "b"))
ANY_TEXT = st.text(st.characters(exclude_categories=()))
ROWS = st.lists(st.tuples(ANY_TEXT, ANY_TEXT))
DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")


def written(
    rows: list[tuple[Cell, ...]], columns: tuple[Column, ...] = TEXT, *, raw: bool = True, bom: bool = False
) -> bytes:
    file = io.BytesIO()
    writer = Csv().writer(file, columns, raw=raw, bom=bom)
    writer.write(rows)
    writer.close()
    return file.getvalue()


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def replaced(text: str) -> str:
    return "".join(
        "\ufffd" if character == "\0" or "\ud800" <= character <= "\udfff" else character for character in text
    )


@given(ROWS)
def test_raw_cells_come_back_as_they_were(rows: list[tuple[Cell, ...]]) -> None:
    expected = [[replaced(str(cell)) for cell in row] for row in rows]
    assert read(written(rows)) == [["a", "b"], *expected]


@given(ROWS)
def test_no_cell_begins_like_a_formula_but_numbers_do(rows: list[tuple[Cell, ...]]) -> None:
    for row in read(written(rows, raw=False)):
        for cell in row:
            if cell.startswith(DANGEROUS):
                float(cell.rstrip("%").replace(",", "").replace(".", "", max(0, cell.count(".") - 1)))


@given(ROWS)
def test_neutralising_changes_nothing_but_the_apostrophe(rows: list[tuple[Cell, ...]]) -> None:
    plain, safe = read(written(rows)), read(written(rows, raw=False))
    assert [[cell.removeprefix("'") for cell in row] for row in safe] == [
        [cell.removeprefix("'") for cell in row] for row in plain
    ]


@given(st.text(st.sampled_from("=+-@＝\t\r\n \u00a0\u200b\ufeff1a"), max_size=6))
def test_nothing_that_cannot_be_seen_stands_before_a_formula(text: str) -> None:
    cell = read(written([(text, "")], raw=False))[1][0]
    seen = cell.lstrip(" \u00a0\u200b\ufeff\t\r\n")
    assert not seen.startswith(tuple("=@＝＋－＠")), repr(cell)


@pytest.mark.parametrize(
    ("characters", "raw", "left"), [(32_767, False, 32_767), (32_768, False, 32_767), (99_999, True, 99_999)]
)
def test_a_cell_longer_than_a_spreadsheet_holds_is_cut_so_that_it_is_seen(
    characters: int, raw: bool, left: int
) -> None:
    cell = read(written([("x" * characters, "")], raw=raw))[1][0]
    assert len(cell) == left
    assert cell.endswith("… [cut]") == (left < characters)


def test_a_neutralised_cell_is_no_longer_than_a_spreadsheet_holds() -> None:
    assert len(read(written([("=" * 32_767, "")], raw=False))[1][0]) == 32_767


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        (" =1+1", "' =1+1"),
        ("\u200b@SUM(A1)", "'\u200b@SUM(A1)"),
        ("\ufeff=1", "'\ufeff=1"),
        ("  plain", "  plain"),
        ("＝1+1", "'＝1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-5", "-5"),
        ("+49 30 1234", "'+49 30 1234"),
        ("-1.299,50", "-1.299,50"),
        ("\t=1", "'\t=1"),
        (-5, "-5"),
        (1.5, "1.5"),
        (None, ""),
    ],
)
def test_cell_is_neutralised_unless_a_number(cell: Cell, expected: str) -> None:
    assert read(written([(cell, "")], raw=False))[1][0] == expected


def test_line_breaks_quotes_and_commas_stay_in_their_cell() -> None:  # GUI-02
    row = ("a\rb", 'c\nd "quoted", e')
    data = written([row])
    assert read(data) == [["a", "b"], list(row)]
    assert b'"a\rb"' in data


def test_unwritable_characters_are_replaced_and_a_leading_feff_is_kept() -> None:  # GUI-05
    data = written([("x\ud800y\0z", "\ufefftitle")])
    assert read(data)[1] == ["x\ufffdy\ufffdz", "\ufefftitle"]


def test_byte_order_mark_by_choice() -> None:
    assert written([], bom=True).startswith(b"\xef\xbb\xbfa,b")
    assert written([]).startswith(b"a,b\r\n")


def test_times_flags_and_column_names() -> None:
    columns = (Column("at", "", "time", ""), Column("seed", "", "flag", ""), Column("=x", "", "text", ""))
    data = written(
        [(1_800_000_000.25, 1, ""), (1_800_000_000, 0, ""), (None, None, ""), (1e300, None, "")], columns, raw=False
    )
    assert read(data) == [
        ["at", "seed", "'=x"],
        ["2027-01-15T08:00:00.250Z", "true", ""],
        ["2027-01-15T08:00:00Z", "false", ""],
        ["", "", ""],
        ["", "", ""],
    ]
