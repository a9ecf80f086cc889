"""Whatever stands in a page: it is read to its end, links and records by every kind of rule, within bounds."""

from __future__ import annotations

from hypothesis import strategies as st

from core.engine.reading import Body, read_body
from core.engine.rules import RulesInForce
from core.settings import CrawlSettings, FieldRule, RecordType, Scope
from core.urls import Url
from tests.fuzzing import fuzz

KIND = RecordType(
    name="thing",
    match="/",
    fields={
        "css": FieldRule(css="a b, p"),
        "regex": FieldRule(regex=r"(\w+)+\s"),
        "meta": FieldRule(meta="description"),
        "jsonld": FieldRule(jsonld="offers.price", cast="money"),
        "number": FieldRule(css="p", cast="number"),
        "date": FieldRule(css="b", cast="date"),
        "list": FieldRule(css="a", cast="list"),
    },
)
RULES = RulesInForce(CrawlSettings(records=(KIND,), scope=Scope(forms=True)))
TAGS = (
    *("html head body div p b i a table tr td select option svg math template script style title textarea".split()),
    *("base meta link form input iframe frame frameset noscript plaintext xmp area img".split()),
)
ATTRIBUTES = (
    *("href", "src", "srcset", "rel", "content", "http-equiv", "name", "charset", "action", "method", "lang", "id"),
    *("xmlns", "onload", "\u00e9", "=", '"', "a" * 300),
)
VALUES = (
    *("", "/x", "//[", "http://a:99999/", "javascript:1", "data:,x", "\x00", "\ud800", "&#0;", "&#xD800;", "&bogus;"),
    *(
        "utf-16",
        "0;url=/r",
        "refresh",
        "description",
        "canonical",
        "next nofollow",
        "noindex",
        "x 2x, y 1e9w",
        "\u202e",
    ),
    *("1.299,50 \u20ac", "30 Nov 2026", "9" * 400, "../" * 50, "?" + "&".join("ab"), "%zz%00"),
)
LD = '<script type="application/ld+json">{}</script>'
TOKENS = st.one_of(
    st.sampled_from(TAGS).map("<{}>".format),
    st.sampled_from(TAGS).map("</{}>".format),
    st.builds("<{} {}='{}'>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES), st.sampled_from(VALUES)),
    st.sampled_from(VALUES),
    st.sampled_from(
        ["<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE html>", "<?xml version='1.0'?>", "<", "</", "<a <b"]
    ),
    st.sampled_from(['{"offers": {"price": 1e999}}', "[" * 400, '{"@graph": [{}]}', "{", '"\\ud800"']).map(LD.format),
    st.text(max_size=10),
)
TEXTS = st.builds(
    lambda tokens, times: "".join(tokens) * times, st.lists(TOKENS, max_size=30), st.sampled_from([1, 1, 40])
)
BODIES = st.one_of(
    st.binary(max_size=200),
    TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
    TEXTS.map(lambda text: text.encode("utf-16", "surrogatepass")),
)
TYPES = st.sampled_from(["text/html", "application/xhtml+xml", "text/plain", "", "image/png", "text/html;;;"])
LABELS = st.sampled_from([None, "utf-8", "utf-16", "idna", "hex", "shift_jis", "iso-2022-jp", "x" * 5000, "\x00"])
HEADERS = st.lists(
    st.tuples(
        st.sampled_from(["Link", "X-Robots-Tag", "Server"]),
        st.sampled_from(
            ["</l>; rel=canonical", "<", '<//[>; rel="next"', "noindex, other: nofollow", "\udcff", ", " * 99]
        ),
    ),
    max_size=3,
).map(tuple)


@fuzz(BODIES, TYPES, LABELS, HEADERS)
def test_every_page_is_read_within_bounds(
    body: bytes, content_type: str, charset: str | None, headers: tuple[tuple[str, str], ...]
) -> None:
    parsed = read_body(RULES, Body(Url("http", "a.test", 80, "/p"), body, content_type, charset, headers))
    assert "unforeseen" not in parsed.detail
    assert parsed.error in {None, "parse"}
    assert len(parsed.title) <= 2048
    assert len(parsed.links) <= 5000 + 100
    assert all(len(link.text) <= 200 and len(link.fetch.text) <= 70_000 for link in parsed.links)
    for text in (parsed.title, parsed.canonical or "", *(link.text for link in parsed.links)):
        text.encode()  # what could not be stored
    for record in parsed.records:
        record.data.encode()
