"""A record type tried on a page: the extractor's values, with what each rule found and what is wrong with it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.extract import CASTS, Extractor
from core.extract.trial import MOST_FOUND, MOST_ROWS, try_type
from core.parse import ParsedPage, ParseOptions, parse_page
from core.settings import FieldRule, RecordType

PAGE = """<title>Lamp</title><b class=price>1.299,50 €</b><i>03/12/2026</i><u></u>
<ul><li><a>1</a><li><a>1</a><li><a>2</a><li></ul>"""


def page(markup: str = PAGE, content_type: str = "text/html") -> ParsedPage:
    return parse_page(markup.encode(), content_type, "utf-8", ParseOptions())


def record_type(fields: dict[str, FieldRule], **rest: Any) -> RecordType:
    return RecordType(name="product", match="*", fields=fields, **rest)


def test_found_and_value_stand_side_by_side() -> None:
    trial = try_type(record_type({"price": FieldRule(css=".price", cast="money")}), page())
    (field,) = trial.rows[0].fields
    assert (field.found, field.times, field.value, field.remark) == (("1.299,50 €",), 1, "1299.5 EUR", "")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (FieldRule(css=".no"), "Nothing on this page matches."),
        (FieldRule(css="u"), "What matches is empty."),
        (FieldRule(css="li a"), "3 places match: the first one counts."),
        (FieldRule(css="i", cast="date"), "2026-12-03 or 2026-03-12"),
        (FieldRule(css="li a", cast="list"), ""),
    ],
)
def test_what_is_to_be_known_about_a_value_is_said(rule: FieldRule, said: str) -> None:
    remark = try_type(record_type({"x": rule}), page()).rows[0].fields[0].remark
    assert said in remark if said else remark == ""


def test_a_wrong_rule_costs_its_own_field_only() -> None:
    trial = try_type(record_type({"bad": FieldRule(css="a["), "good": FieldRule(css="title")}), page())
    assert [key for key, _ in trial.problems] == ["fields.bad.css"]
    assert [(field.name, field.value) for field in trial.rows[0].fields] == [("good", "Lamp")]


def test_a_wrong_row_selector_is_told() -> None:
    trial = try_type(record_type({"good": FieldRule(css="title")}, rows="a["), page())
    assert trial.rows == ()
    assert trial.problems[0][0] == "rows"
    assert trial.note


def test_rows_are_counted_with_those_that_have_no_key_or_another_s() -> None:
    kind = record_type({"n": FieldRule(css="a")}, rows="li", key="n")
    trial = try_type(kind, page())
    assert (trial.total, trial.without_key, trial.repeated) == (4, 1, ("1",))
    assert [row.key for row in trial.rows] == ["1", "1", "2", None]
    assert try_type(record_type({}, rows=".none"), page()).note


def test_what_is_no_html_gives_a_note() -> None:
    assert "no page of HTML" in try_type(record_type({}), page("{}", "application/json")).note


def test_an_endless_expression_is_said_and_ends() -> None:
    ticks = itertools.chain([0.0, 0.999], itertools.repeat(2.0))
    rule = FieldRule(regex="(?:\\w|\\w\\w)+7c$")
    trial = try_type(record_type({"slow": rule}), page("<p>" + "ab" * 5000 + " 7c "), lambda: next(ticks))
    assert "longer than 1 s" in trial.rows[0].fields[0].remark


def test_what_is_shown_is_bounded() -> None:
    many = page("<ul>" + "<li><i>x</i>" * 300)
    trial = try_type(record_type({"x": FieldRule(css="i")}, rows="li"), many)
    assert (len(trial.rows), trial.total) == (MOST_ROWS, 300)
    (row,) = try_type(record_type({"x": FieldRule(css="i", cast="list")}), many).rows
    assert (len(row.fields[0].found), row.fields[0].times) == (MOST_FOUND, 300)


RULES = st.sampled_from(
    [
        *(FieldRule(css="a"), FieldRule(css="b::attr(class)"), FieldRule(xpath=".//b"), FieldRule(regex=r"\d+")),
        *(FieldRule(meta="price"), FieldRule(jsonld="a.b"), FieldRule(css="[")),
    ]
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(RULES, st.sampled_from(sorted(CASTS))), max_size=4),
    st.lists(st.sampled_from(["<a>1.299,5 €</a>", "<b class=x>", "<li>", "03/12/2026", "<a>", " "]), max_size=8),
    st.sampled_from(["", "li", "a"]),
)
def test_the_values_are_the_extractor_s(rules: list[Any], parts: list[str], rows: str) -> None:
    import msgspec

    fields = {f"f{n}": msgspec.structs.replace(rule, cast=cast) for n, (rule, cast) in enumerate(rules)}
    trial = try_type(record_type(fields, rows=rows), page("".join(parts)))
    good = {name: rule for name, rule in fields.items() if rule.css != "["}
    whole = Extractor((record_type(good, rows=rows),)).extract(page("".join(parts)))
    assert [{field.name: field.value for field in row.fields} for row in trial.rows] == [each.data for each in whole]
