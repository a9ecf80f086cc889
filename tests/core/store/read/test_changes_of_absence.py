"""The table of changes tells when a record was gone and when it was back, each with a key of its own."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from core.export import export
from core.store.read.columns import TableQuery
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path


def test_gone_and_back_are_changes_with_keys_of_their_own(tmp_path: Path) -> None:
    crawl = HandMadeCrawl(tmp_path / "a.crawl")
    url = crawl.page("/a")
    crawl.record("A", '{"name": "A", "note": null}', url, type="thing")
    version = {"record_id": "id-A", "fingerprint": "x", "data": '{"name": "A", "note": null}', "run": 1}
    crawl.add("record_version", version=1, valid_from=NOON, **version)
    for number, back in ((1, NOON + 20), (2, None)):
        values = {"version": 1, "number": number, "run": 2 * number, "at": NOON + 10 * number, "reason": "page gone"}
        crawl.add("absence", record_id="id-A", back=back, back_run=3 if back else None, **values)
    to = tmp_path / "changes.csv"
    export(crawl.path, TableQuery("changes"), to, "csv")
    with to.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    told = [(row["action"], row["run"], row["field"], row["old"], row["new"], row["idempotency_key"]) for row in rows]
    assert sorted(told, key=lambda row: (row[1], row[0])) == [
        ("created", "1", "name", "", "A", "id-A:1"),
        ("gone", "2", "", "", "", "id-A:1:gone:1"),
        ("back", "3", "", "", "", "id-A:1:back:1"),
        ("gone", "4", "", "", "", "id-A:1:gone:2"),
    ]
    assert rows[0]["type"] == "thing"
    export(crawl.path, TableQuery("changes"), to, "jsonl")
    assert '"action":"gone"' in to.read_text(encoding="utf-8").replace(" ", "")
