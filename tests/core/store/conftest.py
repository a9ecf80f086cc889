"""A crawl file with rows written by hand, for those who read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.hand_made_crawl import HandMadeCrawl

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def crawl(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl")
