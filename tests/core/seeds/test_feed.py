"""Feeds in their four formats: what is an address, what becomes a warning with its number, what is no feed at all."""

from __future__ import annotations

import gzip
from typing import Any, Literal, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.seeds.base import Arrived, Harvest
from core.seeds.feed import FEEDS, read_feed
from core.settings import Feed, Seeds

BASE = "https://partner.test/api/feed"
Format = Literal["json", "jsonl", "csv", "rss"]


def read(body: str | bytes, format_: Format, **more: Any) -> Harvest:
    octets = body.encode() if isinstance(body, str) else body
    return read_feed(Arrived(octets, BASE, BASE, Seeds()), Feed(url=BASE, format=format_, **more))


def addresses(harvest: Harvest) -> list[str]:
    return [found.url_text for found in harvest.entries]


def warnings(harvest: Harvest) -> list[str]:
    return [str(warning) for warning in harvest.warnings]


def test_json_gives_what_stands_at_its_path_and_tells_the_entries_without() -> None:
    body = '{"items": [{"url": "https://shop.test/a"}, {"id": 2}, {"url": 3}, {"url": "/b"}, {"url": "ftp://x/"}]}'
    harvest = read(body, "json", path="$.items[*].url")
    assert addresses(harvest) == ["https://shop.test/a", "https://partner.test/b"]
    assert [text.split(":")[0] for text in warnings(harvest)] == ["entry 2", "entry 3", "entry 4", "entry 5"]
    assert harvest.readable


def test_json_lines_lose_a_bad_line_and_no_other() -> None:
    body = '{"offer": {"url": "https://shop.test/a"}}\n\n{"offer": \n{"offer": {}}\n{"offer": {"url": "https://shop.test/b"}}'
    harvest = read(body, "jsonl", path="offer.url")
    assert addresses(harvest) == ["https://shop.test/a", "https://shop.test/b"]
    assert [text.split(":")[0] for text in warnings(harvest)] == ["line 3", "line 4"]


@pytest.mark.parametrize(
    "body",
    [
        'id,URL,name\n1,https://shop.test/a,"a, b"\n2,,x\n3\n4,https://shop.test/b,y\n',
        'id;url\r\n1;https://shop.test/a\r\n2;\r\n3\r\n4;"https://shop.test/b"\r\n',
        "\ufeffid\turl\n1\thttps://shop.test/a\n2\t\n3\n4\thttps://shop.test/b",
    ],
)
def test_csv_gives_the_column_whatever_parts_it(body: str) -> None:
    harvest = read(body, "csv", column="url")
    assert addresses(harvest) == ["https://shop.test/a", "https://shop.test/b"]
    assert warnings(harvest) == ["line 3: There is no address.", "line 4: There is no address."]


def test_a_missing_column_is_told_with_those_there_are() -> None:
    harvest = read("id,link\n1,https://shop.test/a\n", "csv")
    assert (harvest.entries, harvest.readable) == ((), False)
    assert warnings(harvest) == ["There is no column “url”; there are: id, link."]


def test_rss_and_atom_are_feeds_and_a_sitemap_is_none() -> None:
    rss = "<rss><channel><item><link>https://shop.test/a</link></item></channel></rss>"
    atom = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="https://shop.test/b"/></entry></feed>'
    assert addresses(read(rss, "rss")) == ["https://shop.test/a"]
    assert addresses(read(atom, "rss")) == ["https://shop.test/b"]
    assert not read("<urlset><url><loc>https://shop.test/c</loc></url></urlset>", "rss").readable


def test_an_address_counts_once_and_gzip_is_told_by_content() -> None:
    body = gzip.compress(b'["https://shop.test/a", "https://shop.test/a"]')
    assert addresses(read(body, "json", path="$")) == ["https://shop.test/a"]


@pytest.mark.parametrize(
    ("body", "format_", "path"),
    [("<html>Log in</html>", "json", "$.url"), ('{"a": 1}', "json", "$.b[*].url"), ("[1]", "json", "$..x")],
)
def test_what_cannot_be_read_says_why(body: str, format_: Format, path: str) -> None:
    harvest = read(body, format_, path=path)
    assert (harvest.entries, harvest.readable) == ((), False)
    assert len(harvest.warnings) == 1


def test_an_empty_list_is_a_feed_that_brings_nothing() -> None:
    assert read(b"", "jsonl", path="url").readable
    assert read("", "csv").readable


def test_an_address_may_be_read_along_two_paths() -> None:
    feeds = (Feed(url=BASE, format="json", path="a.url"), Feed(url=BASE, format="json", path="b.url"))
    body = b'{"a": {"url": "https://shop.test/a"}, "b": {"url": "https://shop.test/b"}}'
    harvest = FEEDS.read(Arrived(body, BASE, BASE, Seeds(feeds=feeds)))
    assert addresses(harvest) == ["https://shop.test/a", "https://shop.test/b"]


def test_a_feed_that_was_taken_out_of_the_settings_is_not_guessed_at() -> None:
    harvest = FEEDS.read(Arrived(b"[]", BASE, BASE, Seeds()))
    assert not harvest.readable
    assert harvest.warnings


def test_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.seeds.feed.MOST_URLS", 10)
    harvest = read(msgspec.json.encode([f"https://shop.test/{number}" for number in range(50)]), "json", path="$")
    assert len(harvest.entries) == 10
    assert "Only the first 10" in warnings(harvest)[-1]


def test_depth_and_breadth_cost_no_more_than_a_warning() -> None:
    assert not read(b"[" * 500_000, "json", path="$").readable
    assert not read(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "json", path="a.a").readable
    assert len(read(b"x\n" * 100_000, "jsonl", path="url").warnings) <= 101


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.sampled_from(get_args(Format)))
def test_no_body_makes_reading_fail(body: bytes, format_: Format) -> None:
    harvest = read(body, format_, path="$.a[*].url")
    assert len(set(addresses(harvest))) == len(harvest.entries)
