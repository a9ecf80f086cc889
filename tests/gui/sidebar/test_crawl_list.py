from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gui.preferences import KnownCrawl
from gui.sidebar.crawl_list import CrawlList, summary
from gui.sidebar.glance import Glance

KNOWN = (
    KnownCrawl(Path("/c/pilot.crawl"), "News"),
    KnownCrawl(Path("/c/bikes.crawl"), ""),
    KnownCrawl(Path("/c/city.crawl"), "News"),
    KnownCrawl(Path("/c/garden.crawl"), "Catalogues"),
)


@pytest.fixture
def crawls(qapp: object) -> CrawlList:
    made = CrawlList()
    made.set_known(KNOWN)
    return made


def titles(crawls: CrawlList) -> list[str]:
    return [crawls.index(row).data() for row in range(crawls.rowCount())]


def test_crawls_stand_under_their_groups_by_name(crawls: CrawlList) -> None:
    assert titles(crawls) == ["bikes", "Catalogues", "garden", "News", "city", "pilot"]


def test_headings_cannot_be_chosen(crawls: CrawlList) -> None:
    heading = crawls.index(1)
    assert crawls.flags(heading) == Qt.ItemFlag.NoItemFlags
    assert crawls.glance_at(heading) is None


def test_the_filter_finds_names_and_groups_and_drops_empty_headings(crawls: CrawlList) -> None:
    crawls.set_filter("CITY")
    assert titles(crawls) == ["News", "city"]
    crawls.set_filter("catal")
    assert titles(crawls) == ["Catalogues", "garden"]


def test_a_new_state_changes_one_line_and_moves_none(crawls: CrawlList) -> None:
    changed: list[int] = []
    crawls.see(Glance(Path("/c/city.crawl"), "city", "running", pages=3))
    crawls.dataChanged.connect(lambda first, _last: changed.append(first.row()))
    crawls.see(Glance(Path("/c/city.crawl"), "city", "running", pages=4))
    crawls.see(Glance(Path("/c/city.crawl"), "city", "running", pages=4))
    assert changed == [4]


def test_a_hostile_name_is_shown_as_text(crawls: CrawlList) -> None:
    crawls.see(Glance(Path("/c/bikes.crawl"), "bikes\u202e\n" + "x" * 1000))
    assert "\u202e" not in titles(crawls)[0]
    assert len(titles(crawls)[0]) < 320


def test_two_crawls_of_one_name_show_their_files(crawls: CrawlList) -> None:
    crawls.see(Glance(Path("/c/bikes.crawl"), "Shop"))
    crawls.see(Glance(Path("/c/garden.crawl"), "Shop"))
    assert {"Shop · bikes.crawl", "Shop · garden.crawl"} <= set(titles(crawls))


@pytest.mark.parametrize(
    ("glance", "text"),
    [
        (Glance(Path("a"), "a"), "Not started"),
        (Glance(Path("a"), "a", "running", pages=1284), "Running · 1,284 pages"),
        (Glance(Path("a"), "a", "stopped", "killed", 5), "Killed · can resume"),
        (Glance(Path("a"), "a", "stopped", "stop", 5), "Stopped · 5 pages"),
        (Glance(Path("a"), "a", "stopped", "stop", 1), "Stopped · 1 page"),
        (Glance(Path("a"), "a", "finished", "", 48_102, ended=1_700_000_000.0), "Finished 14 Nov 2023 · 48,102 pages"),
        (Glance(Path("a"), "a", missing=True), "File not found"),
        (Glance(Path("a"), "a", fault="damaged"), "Cannot be opened"),
    ],
)
def test_the_second_line_says_what_matters(glance: Glance, text: str) -> None:
    assert summary(glance) == text
