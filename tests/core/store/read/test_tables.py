"""What the tables show, table by table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from core.errors import BadInput
from core.settings import CrawlSettings, FieldRule, RecordType
from core.store.names import UrlState
from core.store.read.snapshot import Snapshot
from core.store.read.tables import Cell, Condition, TableQuery, parse_where, table, tables
from tests.hand_made_crawl import NOON, HandMadeCrawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RULE = FieldRule(css=".x")
SETTINGS = CrawlSettings(
    name="Shop",
    records=(
        RecordType(
            name="product",
            match="/item/*",
            fields={
                "price": FieldRule(css=".x", cast="money"),
                "stock": FieldRule(css=".x", cast="number"),
                "tags": FieldRule(css=".x", cast="list"),
                "url": RULE,
                'it\'s "odd"': RULE,
            },
        ),
        RecordType(name="review", match="/review/*", fields={"stars": FieldRule(css=".x", cast="number"), "url": RULE}),
    ),
)
FIXED = {
    "urls": "url key state reason status outcome depth priority host content_type bytes seconds title canonical "
    "alias_of redirect_to content_hash duplicate_of soft_block found_on inlinks first_seen last_fetched last_changed "
    "next_due attempts error",
    "records": "record_id type tenant source url first_seen last_seen last_changed version gone price stock tags stars",
    "changes": "run record_id type action field old new at idempotency_key",
    "links": "source target text rel",
    "refused": "url reason found_on",
}

Show = Callable[..., list[tuple[Cell, ...]]]


@pytest.fixture
def crawl(tmp_path: Path) -> HandMadeCrawl:
    return HandMadeCrawl(tmp_path / "shop.crawl", SETTINGS)


@pytest.fixture
def show(crawl: HandMadeCrawl) -> Iterator[Show]:
    """Shows columns of a table: first look and full order must agree."""
    snapshot = Snapshot(crawl.path)

    def shown(
        name: str, columns: str, where: str = "", order: tuple[str, bool] | None = None, search: str = ""
    ) -> list[tuple[Cell, ...]]:
        query = TableQuery(name, search, parse_where(where), order, tuple(columns.split()))
        first = snapshot.first(query)
        assert snapshot.build(query) == len(first)
        assert snapshot.page(0) == first
        return [row.cells for row in first]

    yield shown
    snapshot.close()


@pytest.mark.parametrize("name", FIXED)
def test_table_has_its_stable_names(name: str) -> None:
    assert set(FIXED[name].split()) <= {column.name for column in table(name, SETTINGS).columns}


def test_every_column_of_every_table_can_be_shown_sorted_and_searched(crawl: HandMadeCrawl, show: Show) -> None:
    number = crawl.page("/a")
    crawl.record("1", "{}", number)
    for spec in tables(SETTINGS):
        assert len({column.name for column in spec.columns}) == len(spec.columns)
        for column in spec.columns:
            name = f'"{column.name.replace(chr(34), chr(34) * 2)}"'
            snapshot = Snapshot(crawl.path)
            for descends in (False, True):
                query = TableQuery(spec.name, "a", parse_where(f"{name} != ''"), (column.name, descends))
                assert snapshot.build(query) <= 1
            snapshot.close()


def test_unknown_names_are_answered_with_those_there_are(show: Show) -> None:
    with pytest.raises(BadInput, match="urls, records"):
        table("pages", SETTINGS)
    with pytest.raises(BadInput, match=r"no column “colour”.*It has: url, key"):
        show("urls", "url", "colour = red")


def test_url_row_tells_both_forms_and_where_it_leads(crawl: HandMadeCrawl, show: Show) -> None:
    seed = crawl.page("/")
    crawl.page("/a?b=1&a=2", UrlState.FAILED, alias_of=seed, status=404, content_hash=b"\x00\xff")
    crawl.connection.execute("UPDATE url SET found_on = ? WHERE id = 2", (seed,))
    crawl.add("link", source=seed, target=2)
    shown = show("urls", "url key state status alias_of found_on content_hash inlinks", "state = failed")
    root = "http://shop.test/"
    assert shown == [(f"{root}a?b=1&a=2", f"{root}a?a=2&b=1", "failed", 404, root, root, "00ff", 1)]


def test_url_that_was_never_requested_has_no_outcome(crawl: HandMadeCrawl, show: Show) -> None:
    crawl.url("/a")
    assert show("urls", "outcome status seconds") == [("", None, None)]


@pytest.mark.parametrize(("descends", "expected"), [(False, [9, 10, 100, None]), (True, [100, 10, 9, None])])
def test_numbers_sort_as_numbers_and_blanks_come_last(  # GUI-07
    crawl: HandMadeCrawl, show: Show, descends: bool, expected: list[int | None]
) -> None:
    for path, status in (("/a", 10), ("/b", None), ("/c", 100), ("/d", 9)):
        crawl.page(path, status=status)
    assert [status for (status,) in show("urls", "status", order=("status", descends))] == expected


def test_text_sorts_without_case_and_blanks_come_last(crawl: HandMadeCrawl, show: Show) -> None:
    for path, title in (("/a", "beta"), ("/b", ""), ("/c", "Alpha"), ("/d", None), ("/e", "Gamma")):
        crawl.page(path, title=title)
    assert [title for (title,) in show("urls", "title", order=("title", False))][:3] == ["Alpha", "beta", "Gamma"]
    assert [title for (title,) in show("urls", "title", order=("title", True))][:3] == ["Gamma", "beta", "Alpha"]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("status = 404", "b"),
        ("status != 404", "acd"),
        ("status > 200 and status < 500", "b"),
        ("status = ''", "d"),
        ("status != ''", "abc"),
        ("title contains 'RED SHOE'", "a"),
        ("title contains '100%'", "c"),
        ("title contains _", ""),
        ("url starts http://shop.test/b", "b"),
        ("status starts 4", "b"),
        ("last_fetched = 2027-01-15", "abc"),
        ("last_fetched != 2027-01-15", "d"),
        ("last_fetched > 2027-01-15T07:59:59Z", "abc"),
        ("last_fetched < 2027-01-15", ""),
        ("soft_block = true", "b"),
        ("title = 'Red shoes'", "a"),
        ("title < Blue", "c"),
    ],
)
def test_condition_picks_rows(crawl: HandMadeCrawl, show: Show, where: str, expected: str) -> None:
    crawl.page("/a", title="Red shoes", status=200)
    crawl.page("/b", UrlState.FAILED, title="Not found", status=404, soft_block=1)
    crawl.page("/c", title="100% wool", status=503)
    crawl.url("/d")
    assert "".join(str(url)[-1] for (url,) in show("urls", "url", where)) == expected


@pytest.mark.parametrize("where", ["status = many", "last_fetched > yesterday", "soft_block = maybe", "status = nan"])
def test_value_of_the_wrong_kind_is_refused(show: Show, where: str) -> None:
    with pytest.raises(BadInput):
        show("urls", "url", where)


def test_values_are_bound_never_spliced(crawl: HandMadeCrawl, show: Show) -> None:
    crawl.page("/a", title="x' OR '1'='1")
    crawl.page("/b", title="y")
    assert show("urls", "title", "title = \"x' OR '1'='1\"") == [("x' OR '1'='1",)]
    assert show("urls", "title", search="' OR '") == [("x' OR '1'='1",)]


def test_record_has_a_column_for_each_field(crawl: HandMadeCrawl, show: Show) -> None:
    page = crawl.page("/item/1")
    data = '{"price":{"amount":1299.5,"currency":"USD"},"stock":3,"tags":["a","b"],"url":"x","it\'s \\"odd\\"":"y"}'
    crawl.record("1", data, page)
    snapshot = Snapshot(crawl.path)
    names = ("record_id", "url", "price", "stock", "tags", "field.url", 'it\'s "odd"', "stars")
    (row,) = snapshot.first(TableQuery("records", columns=names))
    snapshot.close()
    assert row.cells == ("id-1", "http://shop.test/item/1", "1299.5 USD", 3, "a; b", "x", "y", None)


def test_money_sorts_by_its_amount(crawl: HandMadeCrawl, show: Show) -> None:
    page = crawl.page("/item/1")
    for key, price in (("1", '{"amount":9,"currency":"USD"}'), ("2", '{"amount":100,"currency":"USD"}'), ("3", "null")):
        crawl.record(key, f'{{"price":{price}}}', page)
    shown = show("records", "price", order=("price", True))
    assert shown == [("100 USD",), ("9 USD",), (None,)]


def test_changes_tell_each_field_before_and_after(crawl: HandMadeCrawl, show: Show) -> None:
    crawl.record("1", "{}", crawl.page("/item/1"))
    versions = ('{"stock":3,"tags":["a"],"note":null}', '{"stock":2,"tags":["a"],"note":null}')
    for version, data in enumerate(versions, start=1):
        crawl.add(
            "record_version",
            record_id="id-1",
            version=version,
            fingerprint="f",
            data=data,
            run=version,
            valid_from=NOON,
        )
    shown = show("changes", "run type action field old new idempotency_key", order=("run", False))
    assert shown == [
        (1, "product", "created", "stock", None, 3, "id-1:1"),
        (1, "product", "created", "tags", None, "a", "id-1:1"),
        (2, "product", "updated", "stock", 3, 2, "id-1:2"),
    ]


def test_change_whose_predecessor_was_not_kept_shows_no_blank_fields(crawl: HandMadeCrawl, show: Show) -> None:
    crawl.record("1", "{}", crawl.page("/item/1"))
    data = '{"stock":2,"note":null}'
    crawl.add("record_version", record_id="id-1", version=5, fingerprint="f", data=data, run=1, valid_from=NOON)
    assert show("changes", "action field old new") == [("updated", "stock", None, 2)]


def test_link_to_a_refused_url_shows_it(crawl: HandMadeCrawl, show: Show) -> None:
    page = crawl.page("/")
    refused = crawl.add("refused", key=1, url="http://other.test/", reason="scope", word="scope", depth=1, at=NOON)
    crawl.add("link", source=page, target=-refused, text="Away")
    assert show("links", "source target text target_state") == [
        ("http://shop.test/", "http://other.test/", "Away", "refused")
    ]


def test_robots_that_is_no_text_is_still_shown(crawl: HandMadeCrawl, show: Show) -> None:
    crawl.add("robots_version", origin_id=1, first_seen=NOON, last_seen=NOON, hash=b"\x01", body=b"Disallow: /\xff")
    assert show("robots", "origin body") == [("http://shop.test", "Disallow: /\ufffd")]


def test_condition_can_be_made_without_text(crawl: HandMadeCrawl) -> None:
    crawl.url("/a", depth=3)
    snapshot = Snapshot(crawl.path)
    assert snapshot.build(TableQuery("urls", conditions=(Condition("depth", ">", "2"),))) == 1
    snapshot.close()
