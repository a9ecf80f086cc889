"""Addresses out of anything pasted: every good one found, every bad line named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.seeds import SeedText, read_seed_file, read_seed_text
from core.urls import Rules

if TYPE_CHECKING:
    from pathlib import Path


def urls(seeds: SeedText) -> list[str]:
    return [seed.url.text for seed in seeds.good]


def test_a_list_keeps_its_good_lines_and_names_its_bad_ones() -> None:
    text = "# shops\nhttp://a.test/x\n\nexample.com/y\r\nhttp://\nhttp://b.test/\n  http://c.test/z  "
    seeds = read_seed_text(text)
    assert [(seed.line, seed.url.text) for seed in seeds.good] == [
        (2, "http://a.test/x"),
        (6, "http://b.test/"),
        (7, "http://c.test/z"),
    ]
    assert [bad.line for bad in seeds.problems] == [4, 5]
    assert "https://example.com/y" in seeds.problems[0].message


def test_duplicates_by_key_form_come_once_and_are_counted() -> None:
    seeds = read_seed_text("http://a.test/?b=1&a=2\nhttp://A.test:80/?a=2&b=1&utm_source=x")
    assert urls(seeds) == ["http://a.test/?b=1&a=2"]
    assert seeds.duplicates == 1
    assert len(read_seed_text("http://a.test/?b=1&a=2\nhttp://a.test/?a=2&b=1", Rules(sort=False)).good) == 2


def test_seeds_are_grouped_by_host() -> None:
    groups = read_seed_text("http://b.test/1\nhttp://a.test/\nhttp://b.test/2").by_host()
    assert {host: len(seeds) for host, seeds in groups.items()} == {"b.test": 2, "a.test": 1}
    assert list(groups) == ["b.test", "a.test"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("http://a.test/x,1;2", ["http://a.test/x,1;2"]),
        ("see http://a.test/x, and (http://a.test/y).", ["http://a.test/x", "http://a.test/y"]),
        ("http://a.test/wiki_(x)", ["http://a.test/wiki_(x)"]),
        ("http://a.test/x,Red shoes", ["http://a.test/x"]),
        ('"http://a.test/x,1","Red, or blue"', ["http://a.test/x,1"]),
        ("http://a.test/x\thttp://a.test/y\t7", ["http://a.test/x", "http://a.test/y"]),
        ("http://a.test/x;http://a.test/y", ["http://a.test/x", "http://a.test/y"]),
        ("- [Shop](http://a.test/x)", ["http://a.test/x"]),
        ("<http://a.test/x>", ["http://a.test/x"]),
        ("HTTP://A.test/X", ["http://a.test/X"]),
    ],
)
def test_addresses_are_found_in_a_line(line: str, expected: list[str]) -> None:
    assert urls(read_seed_text(line)) == expected


def test_a_table_with_a_heading_names_the_column() -> None:
    text = 'name,url,note\nShoes,"http://a.test/x,1",see http://b.test/\nHats,a.test/hats,\nGloves,,'
    seeds = read_seed_text(text)
    assert urls(seeds) == ["http://a.test/x,1"]
    assert [bad.line for bad in seeds.problems] == [3, 4]
    assert "https://a.test/hats" in seeds.problems[0].message


def test_a_table_without_a_named_column_gives_every_address() -> None:
    assert urls(read_seed_text("shop;where\n1;http://a.test/\n2;http://b.test/")) == [
        "http://a.test/",
        "http://b.test/",
    ]


def test_a_single_heading_is_no_bad_line() -> None:
    assert read_seed_text("URL\nhttp://a.test/").problems == ()


def test_a_pasted_page_gives_its_links_with_their_lines() -> None:
    text = """<html><base href="http://a.test/dir/">
        <a href="x?a=1&amp;b=2">x</a> <a href="#top">top</a> <a href="mailto:x@a.test">m</a>
        <a href='http://b.test/'>b</a><a href="ftp://c.test/">c</a></html>"""
    seeds = read_seed_text(text)
    assert [(seed.line, seed.url.text) for seed in seeds.good] == [
        (2, "http://a.test/dir/x?a=1&b=2"),
        (3, "http://b.test/"),
    ]
    assert [bad.line for bad in seeds.problems] == [3]


def test_relative_links_of_a_page_from_nowhere_are_named() -> None:
    seeds = read_seed_text('<a href="/x">x</a>')
    assert "relative" in seeds.problems[0].message
    assert urls(read_seed_text('<a href="/x">x</a>', base="http://a.test/")) == ["http://a.test/x"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_the_encodings_desktops_write(tmp_path: Path, encoding: str) -> None:
    place = tmp_path / "seeds.txt"
    place.write_bytes("# Bücher\nhttp://a.test/\n".encode(encoding))
    seeds = read_seed_file(place)
    assert urls(seeds) == ["http://a.test/"]
    assert seeds.problems == ()


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot be read"):
        read_seed_file(tmp_path / "none.txt")


@given(st.text(max_size=80))
def test_any_text_is_read_and_no_line_is_lost(text: str) -> None:
    seeds = read_seed_text(text)
    assert all(seed.line >= 1 for seed in seeds.good)
    assert isinstance(read_seed_text("<a " + text), SeedText)
    assert isinstance(read_seed_text("url,x\n" + text), SeedText)


@given(
    st.lists(st.sampled_from(["http://a.test/1", "http://a.test/2", "bad", "ftp://x.test/", "a.test/3"]), max_size=9)
)
def test_every_line_is_good_known_or_bad(lines: list[str]) -> None:
    seeds = read_seed_text("\n".join(["http://first.test/", *lines]))
    assert len(seeds.good) + seeds.duplicates + len(seeds.problems) == len(lines) + 1
