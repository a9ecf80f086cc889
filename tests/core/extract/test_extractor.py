"""Records from pages, by every kind of rule."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSelector
from core.extract import Extracted, Extractor, problems
from core.extract.extracted import natural_key
from core.parse import ParsedPage, ParseOptions, parse_page
from core.settings import FieldRule, RecordType

PAGE = """<!doctype html><title>Lamp</title>
<meta property="og:title" content="A lamp"><meta name="Description" content=" Bright. ">
<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
  {"@type": "BreadcrumbList", "name": "Path"},
  {"@type": ["Product", "Thing"], "sku": "L-1", "name": "Lamp", "brand": {"@type": "Brand", "name": "Lux"},
   "offers": [{"@type": "Offer", "price": 19.90, "priceCurrency": "EUR"}, {"price": "25"}],
   "image": ["a.png", "b.png"]}]}
</script>
<script type="application/ld+json">{ broken </script>
<div itemscope><span class="sku" itemprop="sku"> L-1 </span>
<time itemprop="released" datetime="2024-05-01">May</time></div>
<b class="price">1,299.50 USD</b><i class="tag">red</i><i class="tag">blue</i>
<a class="buy" href="/buy/1">Buy</a><p id="n">A note <em>here</em></p>
<ul><li class="row"><b>r1</b><i>10</i><li class="row"><b>r2</b><i>20</i><li class="row"><i>30</i></ul>
<script>var stock = {"count": 7};</script>"""


def page(markup: str = PAGE) -> ParsedPage:
    return parse_page(markup.encode(), "text/html", "utf-8", ParseOptions())


def record_type(fields: dict[str, FieldRule], **rest: Any) -> RecordType:
    return RecordType(name="product", match="*", fields=fields, **rest)


def read(rule: FieldRule) -> Any:
    (found,) = Extractor((record_type({"field": rule}),)).extract(page())
    return found.data["field"]


RULES = [
    (FieldRule(css=".sku"), "L-1"),
    (FieldRule(css=".nothing"), None),
    (FieldRule(css=".price", cast="number"), 1299.5),
    (FieldRule(css=".price", cast="money"), "1299.5 USD"),
    (FieldRule(css=".tag", cast="list"), ["red", "blue"]),
    (FieldRule(css="a.buy::attr(href)"), "/buy/1"),
    (FieldRule(css="a.buy::attr( title )"), None),
    (FieldRule(css="a.buy::text"), "Buy"),
    (FieldRule(xpath="//p[@id='n']"), "A note here"),
    (FieldRule(xpath="//a/@href"), "/buy/1"),
    (FieldRule(xpath="count(//i[@class='tag'])", cast="number"), 2),
    (FieldRule(xpath="//i[@class='tag']/text()", cast="list"), ["red", "blue"]),
    (FieldRule(regex=r'"count": (\d+)', cast="number"), 7),
    (FieldRule(regex=r'class="(\w+)"', cast="list"), ["sku", "price", "tag", "tag", "buy", "row", "row", "row"]),
    (FieldRule(regex=r"L-\d"), "L-1"),
    (FieldRule(regex=r"(x)?lamp"), None),
    (FieldRule(jsonld="Product.sku"), "L-1"),
    (FieldRule(jsonld="sku"), "L-1"),
    (FieldRule(jsonld="name"), "Path"),
    (FieldRule(jsonld="Product.brand"), "Lux"),
    (FieldRule(jsonld="Product.offers.price", cast="number"), 19.9),
    (FieldRule(jsonld="Product.offers.price", cast="money"), "19.9 EUR"),
    (FieldRule(jsonld="$.offers[1].price", cast="number"), 25),
    (FieldRule(jsonld="Product.offers[*].price", cast="list"), ["19.9", "25"]),
    (FieldRule(jsonld="Offer.price", cast="number"), 19.9),
    (FieldRule(jsonld="Product.image", cast="list"), ["a.png", "b.png"]),
    (FieldRule(jsonld="Product.nothing.here"), None),
    (FieldRule(meta="og:title"), "A lamp"),
    (FieldRule(meta="description"), "Bright."),
    (FieldRule(meta="sku"), "L-1"),
    (FieldRule(meta="released", cast="date"), "2024-05-01"),
]


@pytest.mark.parametrize(("rule", "expected"), RULES)
def test_rule_reads_what_the_page_holds(rule: FieldRule, expected: Any) -> None:
    assert read(rule) == expected


def test_each_row_is_a_record_and_one_without_its_key_a_conflict() -> None:
    kind = record_type({"id": FieldRule(css="b"), "n": FieldRule(css="i", cast="number")}, rows=".row", key="id")
    assert Extractor((kind,)).extract(page()) == [
        Extracted("product", "r1", {"id": "r1", "n": 10}),
        Extracted("product", "r2", {"id": "r2", "n": 20}),
        Extracted("product", None, {"id": None, "n": 30}, missing=("id",)),
    ]


def test_rules_within_a_row_see_the_row_only() -> None:
    kind = record_type(
        {"x": FieldRule(xpath=".//b"), "r": FieldRule(regex=r"<i>(\d+)"), "m": FieldRule(meta="sku")}, rows=".row"
    )
    found = [record.data for record in Extractor((kind,)).extract(page())]
    assert [data["x"] for data in found] == ["r1", "r2", None]
    assert [data["r"] for data in found] == ["10", "20", "30"]
    assert [data["m"] for data in found] == [None, None, None]


def test_key_of_several_fields_names_the_missing_ones() -> None:
    fields = {"a": FieldRule(css=".sku"), "b": FieldRule(css=".no"), "c": FieldRule(css=".never")}
    (found,) = Extractor((record_type(fields, key=("a", "b", "c")),)).extract(page())
    assert found.natural_key is None
    assert found.missing == ("b", "c")


def test_type_without_key_leaves_the_key_to_the_canonical_url() -> None:
    (found,) = Extractor((record_type({"a": FieldRule(css=".sku")}),)).extract(page())
    assert (found.natural_key, found.missing) == (None, ())


def test_only_the_wanted_types_are_read() -> None:
    kinds = tuple(RecordType(name=f"t{n}", match="*", fields={"a": FieldRule(css=".sku")}) for n in range(3))
    extractor = Extractor(kinds)
    assert [found.type for found in extractor.extract(page(), (0, 2))] == ["t0", "t2"]
    assert [found.type for found in extractor.extract(page())] == ["t0", "t1", "t2"]


def test_page_that_could_not_be_parsed_gives_no_record() -> None:
    extractor = Extractor((record_type({"a": FieldRule(regex=".*")}),))
    assert extractor.extract(ParsedPage(source="text", error="parse")) == []


def test_endless_regular_expression_gives_null_and_says_so() -> None:
    ticks = itertools.chain([0.0, 0.999], itertools.repeat(2.0))  # a millisecond is left, then nothing
    kind = record_type(
        {"slow": FieldRule(regex="(?:\\w|\\w\\w)+7c$"), "next": FieldRule(regex="a"), "t": FieldRule(css="p")}
    )
    (found,) = Extractor((kind,), clock=lambda: next(ticks)).extract(page("<p>" + "ab" * 5000 + " 7c "))
    assert found.data["slow"] is None
    assert found.data["next"] is None
    assert found.data["t"] == "ab" * 5000 + " 7c"
    assert [fault.partition(":")[0] for fault in found.faults] == ["slow", "next"]


BAD = [
    ("css", "a["),
    ("css", "a::before"),
    ("css", "::attr(href)"),
    ("xpath", "//a["),
    ("xpath", "unknown()"),
    ("xpath", "$variable"),
    ("xpath", "x:y"),
    ("xpath", "/" * 5000),
    ("regex", "("),
    ("regex", "((a{1000}){1000}){1000}"),
    ("regex", "a" * 5000),
    ("regex", r"\p{Nothing}"),
    ("jsonld", "Product..sku"),
    ("jsonld", "a[x]"),
    ("meta", " "),
]


@pytest.mark.parametrize(("source", "text"), BAD)
def test_rule_that_cannot_be_compiled_is_a_problem_at_its_key(source: str, text: str) -> None:
    kind = record_type({"fine": FieldRule(css="a"), "bad": msgspec.convert({source: text}, FieldRule)})
    assert [problem.key for problem in problems((record_type({}), kind))] == [f"records[1].fields.bad.{source}"]
    with pytest.raises(BadSelector, match=r"Record type product: fields\.bad"):
        Extractor((kind,))


def test_bad_row_selector_is_a_problem_at_its_key() -> None:
    assert [problem.key for problem in problems((record_type({}, rows="a["),))] == ["records[0].rows"]


def test_rules_without_a_time_limit_are_told() -> None:
    assert Extractor((record_type({"a": FieldRule(xpath="//a")}),)).unbounded
    assert Extractor((record_type({"a": FieldRule(css="a:has(b)")}),)).unbounded
    assert not Extractor((record_type({"a": FieldRule(css="a"), "b": FieldRule(regex="(a+)+$")}),)).unbounded


PARTS = st.lists(st.text(min_size=1), min_size=2, max_size=3)


@given(PARTS, PARTS)
def test_natural_keys_of_several_fields_are_joined_unambiguously(left: list[str], right: list[str]) -> None:
    assert (natural_key([*left]) == natural_key([*right])) == (left == right)


def test_missing_part_gives_no_natural_key() -> None:
    assert natural_key(["A", None]) is None
    assert natural_key([""]) is None
    assert natural_key([[]]) is None
    assert natural_key([]) is None
    assert natural_key([0]) == "[0]"


@given(st.text(max_size=200) | st.text('{}[]",:@graphtype1', max_size=60))
def test_no_jsonld_block_makes_a_rule_raise(block: str) -> None:
    markup = f'<script type="application/ld+json">{block}</script>'
    kind = record_type({"a": FieldRule(jsonld="Product.a[0].b"), "b": FieldRule(jsonld="a.b", cast="money")}, key="a")
    assert len(Extractor((kind,)).extract(page(markup))) == 1


def test_deep_jsonld_is_left_out() -> None:
    markup = f'<script type="application/ld+json">{"[" * 200_000}</script>'
    (found,) = Extractor((record_type({"a": FieldRule(jsonld="a")}),)).extract(page(markup))
    assert found.data == {"a": None}
