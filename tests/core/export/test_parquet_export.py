"""Parquet as a data tool reads it, and the sentence where its library is missing."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from core.errors import BadInput
from core.export import export
from core.export.parquet import ParquetWriter, valued
from core.store.read.columns import Column
from core.store.read.tables import TableQuery
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path


def test_without_its_library_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = HandMadeCrawl(tmp_path / "shop.crawl")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput, match=r"pyarrow, which is not installed.*pip install pyarrow"):
        export(made.path, TableQuery("urls"), tmp_path / "a.parquet", "parquet")
    assert list(tmp_path.glob("*a.parquet*")) == []


def test_a_value_of_another_type_is_blank() -> None:
    assert [valued("number", cell) for cell in (1, "x", None)] == [1.0, None, None]
    assert [valued("time", cell) for cell in (NOON, "x", 1e300)] == [round(NOON * 1000), None, None]
    assert [valued("flag", cell) for cell in (0, 1, None)] == [False, True, None]
    assert [valued("text", cell) for cell in (1.5, "a\x00", None)] == ["1.5", "a\ufffd", None]


def test_typed_columns_in_groups_of_rows() -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="an extra; the lock has it")
    columns = (
        Column("url", "URL", "url", ""),
        Column("depth", "Depth", "number", ""),
        Column("bytes", "Bytes", "bytes", ""),
        Column("at", "Time", "time", ""),
        Column("seed", "Seed", "flag", ""),
    )
    file = io.BytesIO()
    writer = ParquetWriter(file, columns, group=2)
    for number in range(5):
        writer.write([(f"/{number}", number, number * 10, NOON, number % 2)])
    writer.close()
    table = pyarrow.read_table(file)
    assert pyarrow.ParquetFile(file).num_row_groups == 3
    assert [str(field.type) for field in table.schema] == ["string", "double", "int64", "timestamp[ms, tz=UTC]", "bool"]
    assert table.to_pylist()[4] == {
        "url": "/4",
        "depth": 4.0,
        "bytes": 40,
        "at": datetime(2027, 1, 15, 8, tzinfo=UTC),
        "seed": False,
    }


def test_an_export_with_no_rows_has_its_columns(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="an extra; the lock has it")
    made = HandMadeCrawl(tmp_path / "shop.crawl")
    assert export(made.path, TableQuery("urls", columns=("url", "depth")), tmp_path / "a.parquet", "parquet") == 0
    assert pyarrow.read_table(tmp_path / "a.parquet").column_names == ["url", "depth"]
