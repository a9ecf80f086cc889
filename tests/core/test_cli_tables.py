"""The command line knows the tables by name without importing them: both lists must stay the same."""

from __future__ import annotations

from core.cli import TABLES
from core.settings import CrawlSettings
from core.store.read.tables import tables


def test_every_table_can_be_exported_by_name() -> None:
    assert [spec.name for spec in tables(CrawlSettings())] == TABLES
