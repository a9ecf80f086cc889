"""An audit of a large file can be called off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.store.read.audit import audit
from core.store.read.snapshot import Interrupted
from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path


def test_an_audit_stops_soon_after_nobody_wants_it(tmp_path: Path) -> None:
    crawl = HandMadeCrawl(tmp_path / "a.crawl")
    source = crawl.url("/")
    crawl.connection.execute(
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        "INSERT INTO link(source, target) SELECT ?, i FROM n",
        (source,),
    )
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 1

    with pytest.raises(Interrupted):
        audit(crawl.path, cancelled)
    assert len(asked) == 2
    assert audit(crawl.path, lambda: False) == audit(crawl.path)
