"""What a page offers for a record, and that it never offers more than it holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.extract import Extractor
from core.parse import ParseOptions, parse_page
from core.preview.jsonld_offers import jsonld_offers
from core.preview.meta_offers import meta_offers
from core.preview.naming import fitting_cast, free_name, spelled_name
from core.preview.offers import RecordOffer, source_of
from core.preview.parts import Part, parts_of, point
from core.preview.repeated import repeated_offers
from core.settings import FieldRule, RecordType
from tests.core.preview.pages_to_point_at import LIST, MARKUP, PRODUCT, TABLE

if TYPE_CHECKING:
    from core.extract import Extracted
    from core.extract.place import Source
    from core.parse import ParsedPage


def page(markup: str) -> ParsedPage:
    return parse_page(markup.encode(), "text/html", "utf-8", ParseOptions())


def source(markup: str) -> Source:
    return source_of(page(markup).document, markup)


def offers_of(markup: str) -> tuple[RecordOffer, ...]:
    return (*jsonld_offers(source(markup)), *meta_offers(source(markup)), *repeated_offers(source(markup)))


def extracted(offer: RecordOffer, markup: str) -> list[Extracted]:
    fields = {field.name: field.rule for field in offer.fields}
    kind = RecordType(name="x", match="/", rows=offer.rows, key=offer.key, fields=fields)
    return Extractor((kind,)).extract(page(markup))


def test_a_product_s_jsonld_is_offered_as_one_type_with_key_and_casts() -> None:
    product, crumbs = jsonld_offers(source(PRODUCT))
    assert (product.title, product.key) == ("Product", "sku")
    assert {field.name: (field.rule.jsonld, field.rule.cast) for field in product.fields} == {
        "sku": ("Product.sku", "text"),
        "name": ("Product.name", "text"),
        "brand": ("Product.brand.name", "text"),
        "price": ("Product.offers.price", "money"),
        "price_currency": ("Product.offers.priceCurrency", "text"),
        "image": ("Product.image", "text"),
        "release_date": ("Product.releaseDate", "date"),
        "rating_value": ("Product.aggregateRating.ratingValue", "number"),
    }
    assert crumbs.title == "BreadcrumbList"  # what frames the page comes last
    assert extracted(product, PRODUCT)[0].data["price"] == "1299.5 EUR"


def test_the_members_of_a_list_are_things_of_their_own() -> None:
    block = {
        "@type": "ItemList",
        "itemListElement": [{"@type": "Product", "sku": "A"}, {"@type": "Product", "sku": "B"}],
    }
    markup = f'<script type="application/ld+json">{json.dumps(block)}</script>'
    assert "Product" in [offer.title for offer in jsonld_offers(source(markup))]


def test_meta_tags_are_offered_without_those_for_programs() -> None:
    (meta,) = meta_offers(source(PRODUCT))
    assert [(field.name, field.rule.meta, field.rule.cast) for field in meta.fields] == [
        ("title", "og:title", "text"),
        ("price", "product:price:amount", "money"),
        ("price_currency", "product:price:currency", "text"),
    ]


def test_microdata_is_offered_by_its_names() -> None:
    named = '<b itemprop="name">X</b><i itemprop="price" content="12.50">12</i><u itemprop="empty"></u>'
    markup = f"<div itemscope>{named}</div>"
    (micro,) = meta_offers(source(markup))
    assert [(field.name, field.sample) for field in micro.fields] == [("name", "X"), ("price", "12.50")]


def test_the_cards_of_a_list_are_rows_with_fields() -> None:
    (cards,) = repeated_offers(source(LIST))
    assert (cards.rows, cards.count, cards.key) == (".card", 8, "link")
    assert {field.name: field.rule for field in cards.fields} == {
        "title": FieldRule(css=".title"),
        "link": FieldRule(css=".title::attr(href)"),
        "image": FieldRule(css="img::attr(src)"),
        "price": FieldRule(css=".price", cast="money"),
    }
    records = extracted(cards, LIST)
    assert [each.natural_key for each in records] == [f"/p/{n}" for n in range(1, 9)]
    assert records[0].data["price"] == "19.9 EUR"


def test_a_table_s_columns_are_called_as_its_head_says_and_the_head_is_no_row() -> None:
    (rows,) = repeated_offers(source(TABLE))
    assert rows.count == 5
    records = extracted(rows, TABLE)
    assert len(records) == 5
    assert records[0].data == {"name": "Bulb 1", "power": 3, "price": "1299.5 CHF"}


@pytest.mark.parametrize("markup", ["", "<p>one", "<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>", "plain"])
def test_a_page_that_has_nothing_offers_nothing(markup: str) -> None:
    assert offers_of(markup) == ()


def test_a_box_around_a_row_is_not_offered_again_and_boxes_in_boxes_are_no_rows() -> None:
    boxed = LIST.replace("<article", '<div class="box"><article').replace("</article>", "</article></div>")
    assert [offer.count for offer in repeated_offers(source(boxed))] == [8]
    assert repeated_offers(source('<div class="a">x<b>y</b>' * 50)) == ()


def test_a_link_is_called_as_the_heading_or_the_box_it_stands_in() -> None:
    rows = "".join(f'<li class="r"><h3 class="name"><a href="/{n}">N {n}</a></h3><h4>T {n}</h4></li>' for n in range(4))
    (offer,) = repeated_offers(source(f"<ul>{rows}</ul>"))
    assert [field.name for field in offer.fields] == ["name", "link", "title"]


def test_without_any_name_a_link_is_a_name_and_the_rest_text() -> None:
    rows = "".join(f'<li><a href="/{n}">N {n}</a><em>{n}9.90</em></li>' for n in range(1, 5))
    (offer,) = repeated_offers(source(f"<main><ol>{rows}</ol></main>"))
    assert [(field.name, field.rule.cast) for field in offer.fields] == [
        ("name", "text"),
        ("link", "text"),
        ("text", "number"),
    ]


def test_what_repeats_in_the_navigation_or_says_the_same_is_no_field() -> None:
    names = {field.sample for offer in repeated_offers(source(LIST)) for field in offer.fields}
    assert "Neu" not in names
    assert "?p=1" not in names


@pytest.mark.parametrize("markup", [PRODUCT, LIST, TABLE])
def test_every_offered_field_reads_its_sample(markup: str) -> None:
    for offer in offers_of(markup):
        assert not offer.key or offer.key in {field.name for field in offer.fields}
        records = extracted(offer, markup)
        assert len(records) == offer.count
        for field in offer.fields:
            assert field.sample
            assert any(record.data[field.name] is not None for record in records)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["@type", "@graph", "@id", "name", "a b", "offers", "price"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(MARKUP, JSON, st.sampled_from(["Product", "x y", "https://schema.org/Offer"]))
def test_never_more_is_offered_than_the_page_holds(markup: str, value: object, type_: str) -> None:
    block = json.dumps([value, {"@type": type_, "name": value}]).replace("</", "<\\/")
    whole = f'{markup * 3}<script type="application/ld+json">{block}</script>'
    for offer in offers_of(whole):
        records = extracted(offer, whole)
        assert len(records) == offer.count
        assert offer.fields
        names = [field.name for field in offer.fields]
        assert len(set(names)) == len(names)
        for field in offer.fields:
            assert field.sample
            asked = RecordOffer("meta", "", (field,), rows=offer.rows)
            found = [record.data[field.name] for record in extracted(asked, whole)]
            assert any(each is not None for each in found) or field.rule.cast == "date"


def test_a_click_on_a_part_is_a_field_with_a_name_and_a_cast() -> None:
    document = page(PRODUCT).document
    assert document is not None
    parts = {(part.label, part.attribute): part for part in parts_of(document)}
    price = parts["div.css-1x8k2p9", ""]
    assert price.text == "1.299,50 €"
    pointed = point(document, price.number)
    assert pointed is not None
    assert (pointed.name, pointed.rule) == ("price", FieldRule(css=".price", cast="money"))
    time = parts["time", "datetime"]
    dated = point(document, time.number, time.attribute)
    assert dated is not None
    assert (dated.name, dated.rule) == ("date", FieldRule(css="time::attr(datetime)", cast="date"))
    assert point(document, 100_000) is None
    assert point(document, -1) is None


def test_a_click_within_a_row_is_relative_to_the_row() -> None:
    document = page(LIST).document
    assert document is not None
    part = next(part for part in parts_of(document) if part.text == "39,90 €")
    pointed = point(document, part.number, rows=".card")
    assert pointed is not None
    assert pointed.in_row
    assert pointed.rule == FieldRule(css=".price", cast="money")


@settings(max_examples=100, deadline=None)
@given(MARKUP)
def test_the_rule_of_a_part_reads_that_part(markup: str) -> None:
    document = page(markup).document
    if document is None:
        return
    parts: tuple[Part, ...] = parts_of(document)
    for part in parts:
        pointed = point(document, part.number, part.attribute)
        assert pointed is not None
        assert part.attribute or part.text.split()[0] in pointed.sample


@pytest.mark.parametrize(
    ("name", "values", "cast"),
    [
        ("price", ["1.299,50 €"], "money"),
        ("price", ["19.90"], "money"),
        ("sku", ["123"], "text"),
        ("zip", ["12345"], "text"),
        ("code", ["007"], "text"),
        ("weight", ["2,5 kg"], "number"),
        ("rating", ["4.5", "3"], "number"),
        ("title", ["Model 12 of 2026"], "text"),
        ("date", ["12. März 2026"], "date"),
        ("date", ["03/12/2026"], "date"),
        ("note", ["00123"], "text"),
        ("note", [""], "text"),
        ("text", ["From 12 € a day, and more if you want it"], "text"),
    ],
)
def test_a_fitting_cast_keeps_codes_as_text(name: str, values: list[str], cast: str) -> None:
    assert fitting_cast(name, values) == cast


def test_names_are_spelled_alike_and_never_twice() -> None:
    assert [spelled_name(text) for text in ("og:priceAmount", "product-title", "SKU", "é")] == [
        *("price_amount", "product_title", "sku", ""),
    ]
    assert free_name("a", {"a", "a2"}) == "a3"
