"""Samples: one a second, thinned as they age, going on where a kill left them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import apsw
import pytest

from core.store.crawl_file import create
from core.store.query import rows
from core.store.write.samples import Samples, ratio
from tests.small_crawl import SmallCrawl, settings_of

if TYPE_CHECKING:
    from pathlib import Path


def test_old_samples_are_ten_seconds_and_then_five_minutes_apart(tmp_path: Path) -> None:
    create(tmp_path / "a.crawl", settings_of())
    connection = apsw.Connection(str(tmp_path / "a.crawl"))
    connection.execute("BEGIN")
    samples = Samples(connection)
    end = 100_000
    for second in range(0, end, 5):
        samples.take(float(second), float(second), 1)
    connection.execute("COMMIT")
    moments = [moment for (moment,) in rows(connection, "SELECT elapsed FROM sample ORDER BY elapsed")]
    connection.close()
    gaps = [(late, late - early) for early, late in itertools.pairwise(moments)]
    assert {gap for moment, gap in gaps if moment > end - 3600} == {5.0}
    assert {gap for moment, gap in gaps if end - 86_000 < moment < end - 4500} == {10.0}
    assert {gap for moment, gap in gaps if 600 < moment < end - 88_000} == {300.0}


def test_samples_survive_a_kill_and_time_goes_on_from_there(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, "/a", "/b"), after=5.0)
    crawl.reopen()
    crawl.turn(after=2.0)
    taken = crawl.ask("SELECT elapsed, pages, frontier, known, requests FROM sample ORDER BY id")
    assert [round(elapsed, 1) for elapsed, *_ in taken] == [5.0, 7.0]
    assert taken[0][1:] == (1, 2, 3, 3)
    assert taken[1][1:] == (1, 2, 3, 5)


def test_sample_counts_the_pages_of_its_own_transaction(tmp_path: Path) -> None:
    crawl = SmallCrawl(tmp_path / "a.crawl")
    (root,) = crawl.turn().work
    crawl.turn(crawl.page(root, "/a", "/", "/a#x"), after=2.0)
    assert crawl.ask("SELECT discovery_ratio, duplicate_rate, bytes_per_useful_page FROM sample") == [(1.0, 0.5, 100.0)]


@pytest.mark.parametrize(("part", "whole", "expected"), [(1, 2, 0.5), (0, 2, 0.0), (1, 0, None)])
def test_ratio_of_nothing_is_none(part: float, whole: float, expected: float | None) -> None:
    assert ratio(part, whole) == expected
