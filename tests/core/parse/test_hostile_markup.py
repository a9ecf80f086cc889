"""Markup that costs other parsers minutes or gigabytes: read or refused in linear time, as large as a body may be."""

from __future__ import annotations

import time

import pytest

from core.parse import parse_page
from core.parse.page import MAX_LINKS, ParseOptions

MOST = 10_000_000  # bytes, as max_body_bytes
LIMIT = 5.0  # seconds of this process
OPTIONS = ParseOptions(forms=True, resources=True)
REPEATED = {
    "nested": b"<div>",
    "formatting": b"<b><i><a href=x>",
    "options": b"<option>x</option>",
    "tables": b"<table><tr><td>",
    "foster parents": b"<table><tr>x<b>",
    "foreign": b"<svg><foreignObject>",
    "templates": b"<template>",
    "no breaks": b"<nobr>",
    "lists": b"<ul><li>",
    "framesets": b"<frameset>",
    "scripts": b"<script>",
    "comments": b"<!--",
    "sections": b"<svg><![CDATA[",
    "links": b"<a href=/x>y</a>",
    "brackets": b"<",
}
LONG = {
    "attributes": b"<p " + b" ".join(b"a%d=1" % number for number in range(900_000)) + b">",
    "one attribute": b"<p " + b"a=1 " * 2_400_000 + b">",
    "entities": b"<title>e</title>" + b"&amp;&#xFFFFFFFFFF;" * 500_000,
    "srcset": b"<img srcset='" + b"x 1x," * 1_500_000 + b"'>",
    "refresh": b"<meta http-equiv=refresh content='" + b";" * 5_000_000 + b"'>",
    "rel": b"<a rel='" + b"a " * 4_000_000 + b"' href=x>y</a>",
    "robots": b"<meta name=robots content='" + b"noindex," * 1_000_000 + b"'>",
    "adoption": b"".join(b"<b %d>" % n for n in range(100_000)) + b"<i>" * 100_000 + b"x</b>" * 100_000,
    "closing": b"<div>" * 240_000 + b"</p>" * 240_000,
}
BODIES = {name: piece * (499_000 // piece.count(b"<")) for name, piece in REPEATED.items()} | LONG


@pytest.mark.parametrize("content_type", ["text/html", "application/xhtml+xml"])
@pytest.mark.parametrize("name", BODIES)
def test_no_markup_costs_more_than_a_few_seconds(name: str, content_type: str) -> None:
    began = time.process_time()
    page = parse_page(BODIES[name][:MOST], content_type, None, OPTIONS)
    assert time.process_time() - began < LIMIT
    assert len(page.links) <= MAX_LINKS
    assert len(page.title) <= 2048


@pytest.mark.parametrize("content_type", ["text/html", "application/xhtml+xml"])
def test_what_has_more_tags_than_are_parsed_says_so(content_type: str) -> None:
    page = parse_page(b"<div>" * 1_000_000, content_type, None, OPTIONS)
    assert page.error == "parse"
    assert "1,000,000 tags" in page.detail
