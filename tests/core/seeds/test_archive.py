"""The CDX API in both forms: the addresses that are asked, the captures that count, the page that comes next."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.seeds.archive import first_page, read_page
from core.seeds.base import Harvest
from core.settings import Archive
from core.urls import Url, parse

IA = Archive(endpoint="https://archive.test/cdx", form="internet-archive", query="shop.test/*")
CC = Archive(endpoint="https://crawl.test/2026-index", form="common-crawl", query="shop.test/*")
HEADING = ["original", "statuscode", "mimetype"]


def read(body: Any, address: str) -> Harvest:
    return read_page(body if isinstance(body, bytes) else msgspec.json.encode(body), address)


def lines(*values: Any) -> bytes:
    return b"\n".join(msgspec.json.encode(value) for value in values) + b"\n"


def addresses(harvest: Harvest) -> list[str]:
    return [found.url_text for found in harvest.entries]


def following(harvest: Harvest) -> list[str]:
    return [found.url_text for found in harvest.children]


def test_the_internet_archive_is_asked_for_good_pages_with_a_key_to_go_on() -> None:
    assert first_page(IA) == (
        "https://archive.test/cdx?url=shop.test/*&output=json&fl=original,statuscode,mimetype&collapse=urlkey"
        "&filter=statuscode:2..&filter=mimetype:text/html&limit=5000&showResumeKey=true"
    )


def test_common_crawl_is_asked_how_many_pages_it_has() -> None:
    assert first_page(CC) == (
        "https://crawl.test/2026-index?url=shop.test/*&output=json&fl=url,status,mime&filter=~status:2.."
        "&filter=%3Dmime:text/html&page=0&showNumPages=true"
    )


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("shop.test", "shop.test/*"),
        ("shop.test/docs/", "shop.test/docs/*"),
        ("*.shop.test", "*.shop.test"),
        ("https://shop.test", "https://shop.test/*"),
        ("shop.test/a b&c", "shop.test/a%20b%26c*"),
    ],
)
def test_a_host_or_a_prefix_means_all_below_it(query: str, asked: str) -> None:
    archive = msgspec.structs.replace(IA, query=query)
    assert f"?url={asked}&output" in first_page(archive)


def test_an_address_stays_as_it_is_written_when_it_is_parsed() -> None:
    for archive in (IA, CC):
        url = parse(first_page(archive))
        assert isinstance(url, Url)
        assert url.text == first_page(archive)


def test_an_endpoint_may_have_a_query_of_its_own() -> None:
    archive = msgspec.structs.replace(IA, endpoint="https://archive.test/cdx?key=1")
    assert first_page(archive).startswith("https://archive.test/cdx?key=1&url=shop.test/*&")


def test_rows_of_an_array_are_captures_and_the_last_row_leads_on() -> None:
    rows = [
        HEADING,
        ["http://shop.test:80/a", "200", "text/html"],
        ["http://shop.test/gone", "404", "text/html"],
        ["http://shop.test/logo.png", "200", "image/png"],
        ["http://shop.test/b", "-", "unk"],
        [],
        ["test%2Cshop%29%2Fb+20200101000000"],
    ]
    harvest = read(rows, first_page(IA))
    assert addresses(harvest) == ["http://shop.test/a", "http://shop.test/b"]
    assert following(harvest) == [first_page(IA) + "&resumeKey=test%2Cshop%29%2Fb+20200101000000"]
    after = read([HEADING, [], ["test,shop)/c 2021"]], following(harvest)[0])
    assert following(after) == [first_page(IA) + "&resumeKey=test%2Cshop%29%2Fc%202021"]


def test_the_last_page_of_an_array_leads_nowhere() -> None:
    harvest = read([HEADING, ["http://shop.test/a", "200", "text/html"]], first_page(IA))
    assert (len(harvest.entries), harvest.children) == (1, ())
    assert read(b"[]", first_page(IA)) == Harvest()
    assert read(b"", first_page(IA)) == Harvest()


def test_an_array_that_was_cut_off_gives_what_came() -> None:
    body = b'[["original","statuscode"],\n["http://shop.test/a","200"],\n["http://shop.test/b","200"],\n["http://sho'
    harvest = read(body, first_page(IA))
    assert addresses(harvest) == ["http://shop.test/a", "http://shop.test/b"]
    assert [warning.line for warning in harvest.warnings] == [4]


@pytest.mark.parametrize("answer", [b'{"pages": 3, "pageSize": 5, "blocks": 13}', b"3"])
def test_a_number_of_pages_becomes_pages(answer: bytes) -> None:
    harvest = read(answer, first_page(CC))
    plain = first_page(CC).removesuffix("&page=0&showNumPages=true")
    assert following(harvest) == [f"{plain}&page={number}" for number in range(3)]
    assert harvest.entries == ()
    assert following(read(b'{"pages": 0}', first_page(CC))) == []


def test_pages_have_a_bound_that_is_told() -> None:
    harvest = read(b'{"pages": 5000}', first_page(CC))
    assert len(harvest.children) == 1000
    assert "5,000 pages" in str(harvest.warnings[0])


def test_lines_of_objects_are_captures_and_a_counted_page_leads_nowhere() -> None:
    body = lines(
        {"url": "https://shop.test/a", "status": "200", "mime": "text/html"},
        {"url": "https://shop.test/b", "status": 200},
        {"url": "https://shop.test/c", "status": "301"},
        {"message": "odd"},
    )
    harvest = read(body, "https://crawl.test/i?url=shop.test/*&page=1")
    assert addresses(harvest) == ["https://shop.test/a", "https://shop.test/b"]
    assert (harvest.children, str(harvest.warnings[0])) == ((), "line 4: odd")


def test_a_server_that_does_not_count_its_pages_is_paged_until_one_is_empty() -> None:
    harvest = read(lines({"url": "https://shop.test/a"}), first_page(CC))
    (second,) = following(harvest)
    assert second.endswith("&showNumPages=true&page=1")
    assert addresses(harvest) == ["https://shop.test/a"]
    assert following(read(b"", second)) == []


def test_what_is_no_answer_of_an_archive_says_so() -> None:
    harvest = read(b"<html>Log in</html>", first_page(IA))
    assert not harvest.readable
    assert harvest.warnings


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.sampled_from(["url", "original", "http://a.test/"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["url", "pages", "message", "status"]), inner)
    ),
    max_leaves=12,
)


@given(JSON.map(msgspec.json.encode) | st.binary(max_size=100), st.sampled_from([first_page(IA), first_page(CC), "x"]))
def test_no_body_makes_reading_fail_or_go_on_where_it_was(body: bytes, address: str) -> None:
    harvest = read_page(body, address)
    assert address not in following(harvest)
