"""Reading a crawl file that another connection writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from core.errors import FileMissing
from core.settings import CrawlSettings
from core.store.names import UrlState
from core.store.read.reader import Reader
from core.store.wishes import Wishes
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def reader(crawl: HandMadeCrawl) -> Iterator[Reader]:
    opened = Reader(crawl.path)
    yield opened
    opened.close()


def test_missing_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(FileMissing):
        Reader(tmp_path / "nowhere.crawl")


def test_change_is_seen_once(crawl: HandMadeCrawl, reader: Reader) -> None:
    assert reader.changed()
    assert not reader.changed()
    crawl.url("/a")
    assert reader.changed()
    assert not reader.changed()


def test_reader_holds_up_no_checkpoint(crawl: HandMadeCrawl, reader: Reader) -> None:
    crawl.url("/a")
    reader.status()
    reader.log()
    reader.url_details(1)
    reader.in_links(1)
    crawl.url("/b")
    busy, _, _ = crawl.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    assert busy == 0


def test_newest_settings_count(crawl: HandMadeCrawl, reader: Reader) -> None:
    assert reader.settings() == (1, CrawlSettings(name="Shop"))
    wishes = Wishes(crawl.path)
    wishes.set_settings(CrawlSettings(name="Other"))
    wishes.close()
    assert reader.settings() == (2, CrawlSettings(name="Other"))


def test_log_gives_the_newest_lines_oldest_first(crawl: HandMadeCrawl, reader: Reader) -> None:
    for number, level in enumerate(("info", "warning", "error", "info"), start=1):
        crawl.add(
            "log", at=NOON + number, level=level, kind="page", message=f"Line {number} 100%", url="http://a.test/"
        )
    assert [line.id for line in reader.log(limit=2)] == [3, 4]
    assert [line.id for line in reader.log(after_id=2)] == [3, 4]
    assert [line.id for line in reader.log(before_id=3, limit=1)] == [2]
    assert [line.id for line in reader.log(level="warning")] == [2, 3]
    assert [line.id for line in reader.log(text="line 2 100%")] == [2]
    assert reader.log(kind="robots") == ()


def test_marks_are_the_lines_that_charts_show(crawl: HandMadeCrawl, reader: Reader) -> None:
    for kind in ("start", "page", "kill", "robots", "finish"):
        crawl.add("log", at=NOON, elapsed=2.5, level="info", kind=kind, message=kind)
    assert [(mark.kind, mark.elapsed) for mark in reader.marks()] == [("start", 2.5), ("kill", 2.5), ("finish", 2.5)]


def test_samples_go_on_behind_an_id(crawl: HandMadeCrawl, reader: Reader) -> None:
    counts = dict.fromkeys("run frontier known pages requests bytes errors records useful".split(), 1)
    for at in range(3):
        crawl.add("sample", at=NOON + at, elapsed=at, **counts)
    assert [sample.elapsed for sample in reader.samples(after_id=1)] == [1.0, 2.0]
    assert reader.samples()[0].discovery_ratio is None


def test_details_tell_the_way_from_the_seed(crawl: HandMadeCrawl, reader: Reader) -> None:
    seed = crawl.url("/", UrlState.DONE, seed=1)
    middle = crawl.url("/list", UrlState.DONE, found_on=seed, depth=1)
    page = crawl.page("/item?b=1&a=2&utm_source=x", UrlState.FAILED, status=404, content_hash=b"\x01\xff", soft_block=1)
    crawl.connection.execute("UPDATE url SET found_on = ?, depth = 2 WHERE id = ?", (middle, page))
    crawl.add("capture", url_id=page, run=1, at=NOON, outcome="ok", status=404)
    for source in (seed, middle):
        crawl.add("link", source=source, target=page, text="Item")
    details = reader.url_details(page)
    assert details is not None
    assert [step.url for step in details.chain] == ["http://shop.test/", "http://shop.test/list"]
    assert (details.state, details.status, details.in_links, details.out_links) == ("failed", 404, 2, 0)
    assert (details.content_hash, details.soft_block, details.seed) == ("01ff", True, False)
    assert details.key == "http://shop.test/item?a=2&b=1"
    assert [capture.status for capture in details.captures] == [404]
    assert reader.url_details(999) is None


def test_chain_of_pages_that_found_each_other_ends(crawl: HandMadeCrawl, reader: Reader) -> None:
    first = crawl.url("/a")
    second = crawl.url("/b", found_on=first)
    crawl.connection.execute("UPDATE url SET found_on = ? WHERE id = ?", (second, first))
    details = reader.url_details(first)
    assert details is not None
    assert [step.id for step in details.chain] == [second]


def test_links_are_seen_from_both_ends(crawl: HandMadeCrawl, reader: Reader) -> None:
    source = crawl.page("/list")
    target = crawl.page("/gone", UrlState.FAILED, status=404)
    refused = crawl.add(
        "refused", key=1, url="http://other.test/", reason="scope", word="scope", depth=1, at=NOON, found_on=source
    )
    crawl.add("link", source=source, target=target, text="Gone")
    crawl.add("link", source=source, target=-refused, text="Away", rel="nofollow")
    (into,) = reader.in_links(target)
    assert (into.url, into.text, into.status) == ("http://shop.test/list", "Gone", 200)
    away, gone = reader.out_links(source)
    assert (away.url_id, away.url, away.state, away.rel) == (None, "http://other.test/", "refused", "nofollow")
    assert (gone.url, gone.state, gone.status) == ("http://shop.test/gone", "failed", 404)


def test_recent_urls_are_the_newest_first(crawl: HandMadeCrawl, reader: Reader) -> None:
    for path in ("/a", "/b", "/c"):
        crawl.url(path)
    assert reader.recent_urls(2) == ["http://shop.test/c", "http://shop.test/b"]


def test_seeds_tell_their_url_or_problem(crawl: HandMadeCrawl, reader: Reader) -> None:
    known = crawl.url("/", seed=1)
    crawl.add("seed", text="http://shop.test/", url_id=known, at=NOON)
    crawl.add("seed", text="nonsense", problem="No scheme.", at=NOON)
    good, bad = reader.seeds()
    assert (good.url_id, good.state, good.problem) == (known, "pending", "")
    assert (bad.url_id, bad.state, bad.problem) == (None, "", "No scheme.")


def test_hosts_stand_with_the_busiest_first(crawl: HandMadeCrawl, reader: Reader) -> None:
    crawl.add("host", tenant="default", name="busy.test", requests=9, pending=1, waiting=2)
    assert [(host.name, host.frontier) for host in reader.hosts_brief()] == [("busy.test", 3), ("shop.test", 0)]


def test_reader_cannot_write(reader: Reader) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        reader._connection.execute("DELETE FROM host")
