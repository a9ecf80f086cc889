"""Whatever calls itself a sitemap: addresses are found, in bounds, and nothing is opened, expanded or raised."""

from __future__ import annotations

import gzip
from itertools import pairwise

from hypothesis import strategies as st

from core.seeds.sitemap import read_sitemap
from tests.fuzzing import fuzz

ELEMENTS = "urlset url loc lastmod sitemapindex sitemap rss channel item link feed entry image:loc x".split()
TOKENS = st.one_of(
    st.sampled_from(ELEMENTS).map("<{}>".format),
    st.sampled_from(ELEMENTS).map("</{}>".format),
    st.sampled_from(ELEMENTS).map("<{} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' href='/h'>".format),
    st.sampled_from(["http://a.test/", "/r", "http://[", "&amp;", "&bogus;", "&#0;", "&#xD800;", "2026-13-45", "\x00"]),
    st.sampled_from(
        ["<!DOCTYPE x [<!ENTITY a 'b'>]>", "<!DOCTYPE x SYSTEM 'file:///etc/passwd'>", "<?xml version='1.0'?>"]
    ),
    st.sampled_from(
        ["<![CDATA[", "]]>", "<!--", "-->", "&a;" * 50, "<?xml version='1.0' encoding='utf-7'?>", "\ufeff"]
    ),
    st.text(max_size=10),
)
TEXTS = st.builds(
    lambda tokens, times: "".join(tokens) * times, st.lists(TOKENS, max_size=25), st.sampled_from([1, 1, 200])
)
CODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
BODIES = st.builds(lambda text, coding: text.encode(coding, "surrogatepass"), TEXTS, CODINGS)


@fuzz(
    st.one_of(BODIES, st.binary(max_size=300)),
    st.sampled_from(["plain", "gzip", "cut"]),
    st.lists(st.integers(0, 10_000), max_size=5),
)
def test_every_body_is_a_sitemap_or_says_why_not(body: bytes, packing: str, places: list[int]) -> None:
    packed = body if packing == "plain" else gzip.compress(body)
    packed = packed[: len(packed) // 2] if packing == "cut" else packed
    edges = sorted({0, len(packed), *(place % (len(packed) + 1) for place in places)})
    pieces = [packed[start:end] for start, end in pairwise(edges)]
    read = read_sitemap(iter(pieces), "http://a.test/sitemap.xml")
    assert len(read.entries) <= 50_000
    for found in (*read.entries, *read.children):
        assert found.url_text.startswith(("http://", "https://"))
        assert "root:" not in found.url_text
    assert all(len(str(warning)) < 1000 for warning in read.warnings)
