"""Exports: whole or not there, of one moment, and of just what was asked."""

from __future__ import annotations

import csv
import errno
import json
from typing import TYPE_CHECKING, Any

import pytest

from core.errors import BadInput, DiskFull, FileMissing
from core.export import Cancelled, base, export
from core.settings import CrawlSettings, FieldRule, RecordType
from core.store.names import UrlState
from core.store.read.tables import TableQuery, parse_where, tables
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = CrawlSettings(
    name="Shop",
    records=(
        RecordType(
            name="product",
            match="/item/*",
            fields={name: FieldRule(css=".x", cast=name) for name in ("number", "list", "money", "text")},
        ),
    ),
)
DATA = '{"number":1.5,"list":["a","b"],"money":{"amount":1299.5,"currency":"USD"},"text":"=x"}'


@pytest.fixture
def crawl(tmp_path: Path) -> HandMadeCrawl:
    made = HandMadeCrawl(tmp_path / "shop.crawl", SETTINGS)
    for path, state in (("/a", UrlState.DONE), ("/b", UrlState.FAILED), ("/c", UrlState.DONE)):
        made.page(path, state, status=200 if state == UrlState.DONE else 404)
    made.record("1", DATA, 1)
    return made


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


def test_export_is_what_is_shown(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    to = tmp_path / "urls.csv"
    query = TableQuery("urls", "", parse_where("state = done"), ("url", True), ("url", "status"))
    assert export(crawl.path, query, to, "csv") == 2
    assert rows_of(to) == [
        {"url": "http://shop.test/c", "status": "200"},
        {"url": "http://shop.test/a", "status": "200"},
    ]
    assert leftovers(tmp_path) == []


def test_records_as_csv_and_as_json_lines(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    query = TableQuery("records", columns=("record_id", "first_seen", "number", "list", "money", "text"))
    export(crawl.path, query, tmp_path / "records.csv", "csv")
    export(crawl.path, query, tmp_path / "records.jsonl", "jsonl")
    assert rows_of(tmp_path / "records.csv") == [
        {
            "record_id": "id-1",
            "first_seen": "2027-01-15T08:00:00Z",
            "number": "1.5",
            "list": "a; b",
            "money": "1299.5 USD",
            "text": "'=x",
        }
    ]
    line = json.loads((tmp_path / "records.jsonl").read_text("utf-8"))
    assert (line["number"], line["list"], line["text"]) == (1.5, ["a", "b"], "=x")
    assert line["first_seen"] == "2027-01-15T08:00:00Z"


def test_json_lines_keep_numbers_flags_and_blanks(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    crawl.url("/d")
    to = tmp_path / "urls.jsonl"
    export(crawl.path, TableQuery("urls", columns=("url", "status", "soft_block", "error")), to, "jsonl")
    first, *_, last = (json.loads(line) for line in to.read_text("utf-8").splitlines())
    assert first == {"url": "http://shop.test/a", "status": 200, "soft_block": False, "error": None}
    assert last == {"url": "http://shop.test/d", "status": None, "soft_block": None, "error": None}


@pytest.mark.parametrize("name", [spec.name for spec in tables(SETTINGS) if spec.searched])
def test_every_table_has_a_header_even_without_rows(crawl: HandMadeCrawl, tmp_path: Path, name: str) -> None:
    to = tmp_path / f"{name}.csv"
    export(crawl.path, TableQuery(name, search="nowhere"), to, "csv")
    assert to.read_text("utf-8").count("\n") == 1


def test_cancelling_leaves_the_old_file_as_it_was(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    to = tmp_path / "urls.csv"
    to.write_text("old")
    with pytest.raises(Cancelled):
        export(crawl.path, TableQuery("urls"), to, "csv", cancelled=lambda: True)
    assert to.read_text() == "old"
    assert leftovers(tmp_path) == []


def test_full_disk_leaves_nothing_and_says_so(
    crawl: HandMadeCrawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DiskFull, match="The disk is full"):
        export(crawl.path, TableQuery("urls"), tmp_path / "urls.csv", "csv")
    assert not (tmp_path / "urls.csv").exists()
    assert leftovers(tmp_path) == []


def test_rows_are_of_one_moment_while_the_engine_writes(
    crawl: HandMadeCrawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "STEP", 1)
    heard: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        heard.append((done, total))
        crawl.connection.execute("UPDATE page SET status = 500")
        crawl.url(f"/new/{done}")

    to = tmp_path / "urls.csv"
    assert export(crawl.path, TableQuery("urls", columns=("status",)), to, "csv", progress=progress) == 3
    assert [row["status"] for row in rows_of(to)] == ["200", "404", "200"]
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_about_says_where_the_rows_came_from(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    to = tmp_path / "urls.csv"
    query = TableQuery("urls", conditions=parse_where("status = 404"), order=("url", False))
    export(crawl.path, query, to, "csv", about=True, now=lambda: NOON)
    told: dict[str, Any] = json.loads((tmp_path / "urls.csv.about.json").read_text("utf-8"))
    assert (told["crawl"], told["table"], told["rows"]) == ("Shop", "urls", 1)
    assert (told["filter"], told["order"]) == ('"status" = "404"', "url ascending")
    assert (told["exported"], len(told["settings_sha256"])) == ("2027-01-15T08:00:00Z", 64)


def test_format_that_is_not_there_names_those_that_are(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Available are csv, jsonl, xlsx, parquet"):
        export(crawl.path, TableQuery("urls"), tmp_path / "x", "docx")


def test_crawl_itself_is_never_written_over(crawl: HandMadeCrawl, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="belongs to the crawl"):
        export(crawl.path, TableQuery("urls"), crawl.path, "csv")
    with pytest.raises(BadInput, match="belongs to the crawl"):
        export(crawl.path, TableQuery("urls"), tmp_path / "shop.crawl-wal", "csv")
    with pytest.raises(FileMissing):
        export(crawl.path, TableQuery("urls"), tmp_path / "nowhere" / "x.csv", "csv")
