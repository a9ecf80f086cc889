"""Numbers in words, and the progress line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.commands.progress import progress_line
from core.commands.words import size
from core.settings import CrawlSettings
from core.store.crawl_file import create
from core.store.read.reader import Reader

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (7_257_487, "7.3 MB"),
        (999_949, "999.9 kB"),
        (999_960, "1.0 MB"),
        (5e15, "5,000.0 TB"),
    ],
)
def test_bytes_are_told_in_powers_of_a_thousand(octets: float, text: str) -> None:
    assert size(octets) == text


@given(st.floats(0, 1e14), st.floats(0, 1e14))
def test_more_bytes_never_read_as_a_smaller_unit(one: float, other: float) -> None:
    units = ["B", "kB", "MB", "GB", "TB"]
    less, more = sorted((one, other))
    assert units.index(size(less).split()[1]) <= units.index(size(more).split()[1])


def test_the_progress_line_fits_a_terminal_and_names_what_counts(tmp_path: Path) -> None:
    create(tmp_path / "a.crawl", CrawlSettings(name="A"))
    reader = Reader(tmp_path / "a.crawl")
    status = replace(reader.status(), state="running", pages=1_234_567, frontier=9_999_999, records=10**9, bytes=10**12)
    reader.close()
    line = progress_line(replace(status, urls={"failed": 12}, pages_per_second=123.4))
    assert len(line) <= 100
    for part in ("running", "1,234,567 pages", "9,999,999 in the frontier", "123.4/s", "1.0 TB"):
        assert part in line
