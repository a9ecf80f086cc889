"""What the tables of the window cost at a million rows. Run by hand: `python -m tests.bench.bench_tables [ROWS]`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.store.read.snapshot import Snapshot
from core.store.read.tables import Condition, TableQuery
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Callable

QUERIES = {
    "in order of arrival": TableQuery("urls"),
    "by status": TableQuery("urls", order=("status", True)),
    "by bytes": TableQuery("urls", order=("bytes", True)),
    "by state": TableQuery("urls", order=("state", False)),
    "by title": TableQuery("urls", order=("title", False)),
    "by URL": TableQuery("urls", order=("url", False)),
    "status = 404": TableQuery("urls", conditions=(Condition("status", "=", "404"),)),
    "contains, many": TableQuery("urls", search="item/1"),
    "contains, none": TableQuery("urls", search="nowhere"),
}


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.crawl"
        fill(path, rows)
        print(f"{rows:,} URLs, file {path.stat().st_size / 1e6:.0f} MB")
        snapshot = Snapshot(path)
        for name, query in QUERIES.items():
            first = _milliseconds(partial(snapshot.first, query))
            full = _milliseconds(partial(snapshot.build, query))
            page = _milliseconds(lambda: snapshot.page(rows // 2))
            newer = _milliseconds(snapshot.newer)
            print(f"{name:22} first {first:7.1f} ms  all {full:7.1f} ms  page {page:5.1f} ms  newer {newer:5.1f} ms")
        snapshot.close()


def fill(path: Path, rows: int) -> None:
    crawl = HandMadeCrawl(path)
    chance = random.Random(1)
    connection = crawl.connection
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO url(id, host_id, origin_id, key, path, state, front, depth, first_seen) "
        "VALUES (?,1,1,?,?,?,1,?,?)",
        (
            (n, n, f"/shop/item/{n * 7919 % rows}?page={n % 50}", chance.choice((0, 3, 3, 4)), n % 9, NOON + n)
            for n in range(1, rows + 1)
        ),
    )
    connection.executemany(
        "INSERT INTO page(url_id, run, status, outcome, bytes, title, last_fetched) VALUES (?,1,?,'ok',?,?,?)",
        (
            (n, chance.choice((200, 200, 200, 404)), chance.randrange(90_000), f"Item {n * 31 % rows}", NOON + n)
            for n in range(1, rows + 1)
            if n % 4
        ),
    )
    connection.execute("COMMIT")


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
