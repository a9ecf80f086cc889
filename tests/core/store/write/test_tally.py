"""Counts are written once, just before their transaction ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from core.store.crawl_file import create
from core.store.query import rows
from core.store.write.tally import Tally
from tests.small_crawl import settings_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("run", "expected"), [(0, [(0, 3)]), (2, [(0, 3), (2, 3)])])
def test_count_stands_once_for_the_crawl_and_once_for_its_run(
    tmp_path: Path, run: int, expected: list[tuple[int, int]]
) -> None:
    create(tmp_path / "a.crawl", settings_of())
    connection = apsw.Connection(str(tmp_path / "a.crawl"))
    tally = Tally()
    tally.count("pages", 2)
    tally.count("pages")
    tally.flush(connection, run)
    tally.flush(connection, run)
    assert rows(connection, "SELECT run, value FROM counter ORDER BY run") == expected
    connection.close()
