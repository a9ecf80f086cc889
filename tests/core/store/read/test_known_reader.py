"""Every known URL once, piece by piece; which of some URLs are known; every robots.txt that was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from core.settings import CrawlSettings
from core.store.read.known_reader import LATEST, PIECE, KnownReader
from core.store.read.robots_ledger import kept_robots, robots_text
from core.urls import Rules, Url, key_form, parse, url_key
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def made(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl", CrawlSettings(name="Shop"))


@pytest.fixture
def reader(made: HandMadeCrawl) -> Iterator[KnownReader]:
    opened = KnownReader(made.path)
    yield opened
    opened.close()


def key_of(text: str) -> Url:
    url = parse(text)
    assert isinstance(url, Url)
    return key_form(url, Rules())


def add(made: HandMadeCrawl, path: str) -> int:
    return made.url(path, key=url_key(key_of(f"http://shop.test{path}")))


def test_pieces_together_are_every_url_once(made: HandMadeCrawl, reader: KnownReader) -> None:
    for number in range(7):
        add(made, f"/p/{number}")
    found: list[str] = []
    last = 0
    while piece := reader.piece(last, 3):
        assert len(piece) <= 3
        last = piece[-1][0]
        found += [url for _, url in piece]
    assert found == [f"http://shop.test/p/{number}" for number in range(7)]
    assert reader.total() == 7


@pytest.mark.parametrize(("sql", "parameters"), [(PIECE, (0, "default", 10)), (LATEST, ("default", "", 10))])
def test_a_piece_reads_no_more_than_itself(made: HandMadeCrawl, sql: str, parameters: tuple[object, ...]) -> None:
    connection = apsw.Connection(str(made.path))
    plan = [line for *_, line in connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]
    connection.close()
    assert not any("TEMP B-TREE" in line for line in plan), plan


def test_another_tenant_s_urls_are_not_ours(made: HandMadeCrawl, reader: KnownReader) -> None:
    made.add("host", id=2, tenant="other", name="shop.test")
    made.add("origin", id=2, host_id=2, scheme="http", port=80, base="http://shop.test")
    made.url("/theirs", host_id=2, origin_id=2, key=url_key(key_of("http://shop.test/theirs")))
    assert (reader.total(), reader.piece(0, 10)) == (0, [])
    assert reader.which(["http://shop.test/theirs"]) == set()


def test_which_urls_are_known_is_asked_by_key_form(made: HandMadeCrawl, reader: KnownReader) -> None:
    number = add(made, "/list?b=2&a=1")
    assert reader.which(["http://shop.test/list?a=1&b=2", "http://shop.test/new", "no url"]) == {
        "http://shop.test/list?a=1&b=2"
    }
    assert reader.find(key_of("http://shop.test/list?a=1&b=2")) == number


def test_the_latest_urls_of_an_origin_come_newest_first(made: HandMadeCrawl, reader: KnownReader) -> None:
    made.add("origin", id=2, host_id=1, scheme="https", port=443, base="https://shop.test")
    for path in ("/a", "/b"):
        add(made, path)
    made.url("/secure", origin_id=2, key=1)
    assert reader.latest("http://shop.test", 10) == ["http://shop.test/b", "http://shop.test/a"]
    assert reader.latest("", 2) == ["https://shop.test/secure", "http://shop.test/b"]


def test_a_hash_that_collides_is_compared(made: HandMadeCrawl, reader: KnownReader) -> None:
    made.url("/one", key=url_key(key_of("http://shop.test/other")))
    assert reader.find(key_of("http://shop.test/other")) is None


def test_every_version_of_a_robots_txt_is_listed_newest_first(made: HandMadeCrawl) -> None:
    times = {"first_seen": NOON, "last_seen": NOON + 60}
    old = made.add("robots_version", origin_id=1, status=200, hash=b"1", body=b"Disallow: /old", **times)
    new = made.add("robots_version", origin_id=1, status=404, hash=b"2", body=b"", **times)
    made.connection.execute("UPDATE origin SET robots_version = ? WHERE id = 1", (new,))
    kept = kept_robots(made.path)
    assert [(each.id, each.origin, each.status, each.in_force) for each in kept] == [
        (new, "http://shop.test", 404, True),
        (old, "http://shop.test", 200, False),
    ]
    assert (robots_text(made.path, old), robots_text(made.path, new), robots_text(made.path, 99)) == (
        "Disallow: /old",
        "",
        "",
    )
