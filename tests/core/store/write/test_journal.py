"""The log is one line an event, whatever a site puts into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.write.journal import Journal
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path


def test_a_line_is_kept_without_what_would_end_or_reorder_it(tmp_path: Path) -> None:
    crawl = HandMadeCrawl(tmp_path / "a.crawl")
    hostile = "ok\r\nERROR forged\x1b[2J\u202e\ud800"
    Journal(crawl.connection).write(0.0, 0.0, "info", "page", hostile, host=hostile, url=hostile)
    kept = "ok\\u000d\\u000aERROR forged\\u001b[2J\\u202e\\ud800"
    assert crawl.connection.execute("SELECT message, host, url FROM log").fetchone() == (kept, kept, kept)
