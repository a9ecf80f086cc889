"""Sitemaps: the collected cases, hostile bodies, and the law that pieces read like the whole."""

from __future__ import annotations

import gzip
import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.seeds.sitemap import MOST_URLS, Sitemap, read_sitemap

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "sitemap.json").read_text(encoding="utf-8")
)
PURE = [case for case in CASES if "xml" in case["input"]]
BASE = "http://example.test/sitemap.xml"
PLAIN = b"<urlset><url><loc>http://example.test/a</loc></url><url><loc>http://example.test/b</loc></url></urlset>"
BOTH = ["http://example.test/a", "http://example.test/b"]


def urls(sitemap: Sitemap) -> list[str]:
    return [found.url_text for found in sitemap.entries]


def said(sitemap: Sitemap) -> str:
    return " ".join(str(warned) for warned in sitemap.warnings)


@pytest.mark.parametrize("case", PURE, ids=lambda case: str(case["id"]))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_collected_case(case: dict[str, Any], encoding: str) -> None:
    sitemap = read_sitemap(case["input"]["xml"].encode(encoding), case["input"]["base"])
    expected = case["expect"]
    assert urls(sitemap) == expected["urls"]
    assert ("status" in expected) <= bool(sitemap.warnings)
    if "lastmod" in expected:
        bare = [date and date.removesuffix(" (zone unknown)") for date in expected["lastmod"]]
        assert [found.lastmod for found in sitemap.entries] == bare


def test_there_are_as_many_pure_cases_as_were_collected() -> None:
    assert len(PURE) >= 9


@pytest.mark.parametrize(
    "body",
    [PLAIN, gzip.compress(PLAIN), gzip.compress(gzip.compress(PLAIN)), gzip.compress("\n".join(BOTH).encode())],
    ids=["plain under a gz name", "gzip", "gzip twice", "gzipped list"],
)
def test_gzip_is_told_by_its_first_octets(body: bytes) -> None:
    assert urls(read_sitemap(body, BASE + ".gz")) == BOTH


def test_gzip_members_are_read_one_after_another() -> None:
    assert urls(read_sitemap(gzip.compress(PLAIN[:40]) + gzip.compress(PLAIN[40:]), BASE)) == BOTH


def test_a_bomb_stops_at_the_bound_and_keeps_what_was_found() -> None:
    bomb = gzip.compress(PLAIN.removesuffix(b"</urlset>") + b" " * 60 * 1024 * 1024)
    sitemap = read_sitemap(bomb, BASE)
    assert urls(sitemap) == BOTH
    assert "52,428,800 bytes" in said(sitemap)


def test_gzip_that_ends_early_keeps_the_whole_entries() -> None:
    body = gzip.compress(PLAIN.replace(b"</urlset>", b"<url><loc>http://example.test/%s</loc></url>" % (b"c" * 9)))
    sitemap = read_sitemap(body[:-12], BASE)
    assert urls(sitemap)[:2] == BOTH
    assert "ends early" in said(sitemap)


def test_a_torn_address_is_not_an_address() -> None:
    sitemap = read_sitemap(PLAIN.removesuffix(b"b</loc></url></urlset>"), BASE)
    assert urls(sitemap) == BOTH[:1]
    assert "not well-formed" in said(sitemap)


def test_an_index_gives_children_with_their_dates() -> None:
    body = b"""<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>http://example.test/s1.xml?from=1&amp;to=2</loc><lastmod>2026-01-02</lastmod></sitemap>
        <sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>"""
    sitemap = read_sitemap(body, BASE)
    assert sitemap.kind == "index"
    assert [(c.url_text, c.lastmod, c.line) for c in sitemap.children] == [
        ("http://example.test/s1.xml?from=1&to=2", "2026-01-02", 2),
        ("http://example.test/s2.xml", None, 3),
    ]


def test_rss_items_and_their_dates() -> None:
    body = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>http://example.test/</link>
        <atom:link href="http://example.test/feed" rel="self"/><image><url>http://example.test/i.png</url></image>
        <item><link>http://example.test/1</link><pubDate>Wed, 02 Oct 2002 13:00:00 GMT</pubDate></item>
        <item><guid>http://example.test/2</guid></item>
        <item><guid isPermaLink="false">http://example.test/no</guid></item></channel></rss>"""
    sitemap = read_sitemap(body, BASE)
    assert sitemap.kind == "rss"
    assert [(f.url_text, f.lastmod) for f in sitemap.entries] == [
        ("http://example.test/1", "2002-10-02T13:00:00+00:00"),
        ("http://example.test/2", None),
    ]


def test_the_address_of_a_feeds_image_is_no_entry_without_address() -> None:
    body = b"""<rss><channel><image><url>http://example.test/i.png</url></image>
        <item><link>http://example.test/1</link></item></channel></rss>"""
    assert read_sitemap(body, BASE).warnings == ()


def test_entries_thrown_together_are_told_apart_with_their_dates() -> None:
    body = b"""<sitemapindex><sitemap><loc>http://example.test/1</loc><lastmod>2026-01-01</lastmod>
        <loc>http://example.test/2</loc><loc>http://example.test/3</loc><lastmod>2026-01-03</lastmod></sitemap>
        <sitemap><lastmod>2026-01-04</lastmod><loc>http://example.test/4</loc></sitemap></sitemapindex>"""
    assert [(child.url_text[-1], child.lastmod) for child in read_sitemap(body, BASE).children] == [
        ("1", "2026-01-01"),
        ("2", None),
        ("3", "2026-01-03"),
        ("4", "2026-01-04"),
    ]


@pytest.mark.parametrize(
    "entry",
    [
        b"<url>\n http://example.test/a \n</url>",
        b"<url><loc><url><![CDATA[http://example.test/a]]></url></loc><lastmod>2026-01-01</lastmod></url>",
        b"<url><loc>Example.test/a</loc></url>",
        b"<url><loc>//example.test/a</loc></url>",
        b"<url><loc/><loc>http://example.test/a</loc></url>",
    ],
)
def test_an_address_in_the_wrong_place_or_without_its_scheme_is_found(entry: bytes) -> None:
    assert urls(read_sitemap(b"<urlset>" + entry + b"</urlset>", BASE)) == ["http://example.test/a"]


def test_atom_entries() -> None:
    body = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://example.test/"/><entry>
        <link rel="edit" href="/edit"/><link href="http://example.test/1"/><updated>2026-01-02T03:04:05Z</updated>
        </entry></feed>"""
    sitemap = read_sitemap(body, BASE)
    assert sitemap.kind == "atom"
    assert [(f.url_text, f.lastmod) for f in sitemap.entries] == [("http://example.test/1", "2026-01-02T03:04:05Z")]


def test_image_addresses_are_not_pages() -> None:
    body = PLAIN.replace(
        b"a</loc>", b"a</loc><i:image xmlns:i='urn:i'><i:loc>http://example.test/i.png</i:loc></i:image>"
    )
    assert urls(read_sitemap(body, BASE)) == BOTH


def test_a_text_list_names_its_bad_lines() -> None:
    sitemap = read_sitemap(
        b"\xef\xbb\xbfhttp://example.test/a\r\n\r\n# note\r\nftp://example.test/x\r\nhttp://example.test/b", BASE
    )
    assert sitemap.kind == "text"
    assert urls(sitemap) == BOTH
    assert [warned.line for warned in sitemap.warnings] == [4]


@pytest.mark.parametrize(
    "body", [b"", b"   ", b'{"a": 1}', b"<", b"<x/>", b"\0\0", b"<!DOCTYPE x [", b"\x1f\x8b", b"<html>"]
)
def test_what_is_no_sitemap_says_so(body: bytes) -> None:
    sitemap = read_sitemap(body, BASE)
    assert (sitemap.kind, sitemap.entries) == ("none", ())
    assert "not a sitemap" in said(sitemap)


def test_an_entity_bomb_costs_nothing_and_only_its_entry() -> None:
    lines = ['<!ENTITY a0 "ha>]">'] + [f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 40)]
    body = f"<!DOCTYPE x [{''.join(lines)}]>".encode() + PLAIN.replace(b"test/a", b"test/&a39;")
    sitemap = read_sitemap(body, BASE)
    assert urls(sitemap) == BOTH[1:]
    assert "entity was refused" in said(sitemap)


@pytest.mark.parametrize("reference", ["&#xD800;", "&#57343;", "&#0;", "&#x110000;"])
def test_a_number_that_is_no_character_costs_no_other_entry(reference: str) -> None:
    body = PLAIN.replace(b"<loc>", f"{reference}<loc a='{reference}'>".encode(), 1)
    assert urls(read_sitemap(body, BASE)) == BOTH
    assert urls(read_sitemap(f"<url>{reference}".encode(), BASE)) == []


def test_html_entities_and_bare_ampersands_are_understood() -> None:
    body = PLAIN.replace(b"test/a", b"test/caf&eacute;?x=1&y=2&amp;z=3&copy=4")
    assert urls(read_sitemap(body, BASE))[0] == "http://example.test/caf%C3%A9?x=1&y=2&z=3&copy=4"


def test_every_address_comes_once() -> None:
    assert urls(read_sitemap(PLAIN.replace(b"test/b", b"test/a"), BASE)) == BOTH[:1]


def test_an_entry_without_an_address_is_named() -> None:
    assert "names no address" in said(read_sitemap(PLAIN.replace(b"<loc>http://example.test/a</loc>", b"<loc/>"), BASE))


def test_addresses_on_other_hosts_are_kept_for_the_scope_to_judge() -> None:
    assert urls(read_sitemap(PLAIN.replace(b"example.test/b", b"other.test/b"), BASE))[1] == "http://other.test/b"


def test_entries_are_bounded() -> None:
    body = b"<urlset>" + b"".join(b"<url><loc>http://example.test/%d</loc></url>" % n for n in range(MOST_URLS + 5))
    sitemap = read_sitemap(body + b"</urlset>", BASE)
    assert len(sitemap.entries) == MOST_URLS
    assert "first 50,000" in said(sitemap)


def test_warnings_are_bounded() -> None:
    sitemap = read_sitemap("\n".join(["http://example.test/a", *["ftp://x"] * 5000]).encode(), BASE)
    assert len(sitemap.warnings) == 101
    assert "4900 further" in said(sitemap)


def test_a_hostile_body_is_read_in_linear_time() -> None:
    started = time.process_time()
    for body in (b"<![CDATA[" * 300_000, b"<urlset>" + b"<a>" * 300_000, b"&" * 3_000_000, b"<!DOCTYPE x ['" * 200_000):
        read_sitemap(b"<urlset>" + body, BASE)
        read_sitemap(body, BASE)
    assert time.process_time() - started < 20  # quadratic: minutes


PARTS = [
    PLAIN,
    gzip.compress(PLAIN),
    PLAIN[:90],
    PLAIN.replace(b"/a<", b"/a?x&y<"),
    "\n".join(BOTH).encode(),
    b"<!DOCTYPE html>",
]


@given(st.sampled_from(PARTS), st.lists(st.integers(0, 140), max_size=6))
def test_pieces_read_like_the_whole(body: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(body)]
    pieces = [body[start:end] for start, end in pairwise(places)]
    assert read_sitemap(iter(pieces), BASE) == read_sitemap(body, BASE)


@given(st.one_of(st.binary(max_size=80), st.text("<>&;[]!-?/ urlset\"'=", max_size=80).map(str.encode)))
def test_any_body_is_read_without_an_error(body: bytes) -> None:
    for whole in (body, b"<urlset>" + body, b"<!DOCTYPE x " + body, b"\x1f\x8b\x08\0\0\0\0\0\0\3" + body):
        assert isinstance(read_sitemap(whole, BASE), Sitemap)
