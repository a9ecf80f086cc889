"""Rules tried beside the window: answered, killed when they find no end, and started anew."""

from __future__ import annotations

import gc
import os
import threading
from typing import TYPE_CHECKING

import pytest

from core.preview.page_source import PageSource
from core.preview.questions import LookAt, PageKeys, PointAt, ReadKeys, TryType
from core.preview.rule_process import OutOfTime, RuleProcess
from core.settings import FieldRule, RecordType
from tests.core.preview.pages_to_point_at import LIST, PRODUCT

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDLESS = "count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0])"


def page(markup: str = PRODUCT, content_type: str = "text/html") -> PageSource:
    return PageSource("http://shop.test/p/1", content_type, "utf-8", markup.encode())


def kind(rows: str = "", key: str = "", **fields: FieldRule) -> RecordType:
    return RecordType(name="product", match="/", rows=rows, key=key, fields=fields)


@pytest.fixture
def process() -> Iterator[RuleProcess]:
    made = RuleProcess(limit=20.0)
    yield made
    made.close()


def test_every_question_is_answered_by_one_process(process: RuleProcess) -> None:
    trial = process.ask(TryType(page(), kind(price=FieldRule(css=".price", cast="money"))))
    assert trial.rows[0].fields[0].value == "1299.5 EUR"
    started = process._process
    look = process.ask(LookAt(page()))
    assert look.title == "Lampe Lux – Laden"
    assert look.offers[0].title == "Product"
    assert look.source == PRODUCT
    part = next(part for part in look.parts if part.text == "1.299,50 €")
    pointed = process.ask(PointAt(page(), part.number, part.attribute, rows="a["))
    assert pointed.rule == FieldRule(css=".price", cast="money")
    asked = ReadKeys(page(LIST), kind(".card", "link", link=FieldRule(css="a::attr(href)")))
    assert process.ask(asked).keys == tuple(f"/p/{n}" for n in range(1, 9))
    assert process._process is started


def test_what_is_no_html_has_nothing_to_point_at(process: RuleProcess) -> None:
    look = process.ask(LookAt(page('{"a": 1}', "application/json")))
    assert (look.parts, look.offers, bool(look.note)) == ((), (), True)
    assert process.ask(PointAt(page("{}", "application/json"), 0)) is None
    assert process.ask(ReadKeys(page("{}", "application/json"), kind())) == PageKeys(read=False)
    assert process.ask(ReadKeys(page(), kind(a=FieldRule(css="a[")))) == PageKeys(read=False)


def test_an_xpath_without_an_end_is_killed_and_the_next_question_answered(process: RuleProcess) -> None:
    process.ask(TryType(page(), kind(a=FieldRule(css="h1"))))
    process._limit = 0.3
    large = page("<p>" * 3000)
    with pytest.raises(OutOfTime):
        process.ask(TryType(large, kind(a=FieldRule(xpath=ENDLESS))))
    process._limit = 20.0
    assert process.ask(TryType(page(), kind(a=FieldRule(css="h1")))).rows[0].fields[0].value == "Lampe Lux"


def test_closing_ends_a_question_under_way(process: RuleProcess) -> None:
    process.ask(LookAt(page()))
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            process.ask(TryType(page("<p>" * 3000), kind(a=FieldRule(xpath=ENDLESS))))
        except OutOfTime as fault:
            faults.append(fault)

    thread = threading.Thread(target=ask)
    thread.start()
    process.close()
    thread.join(20.0)
    assert not thread.is_alive()


def test_a_process_that_nobody_holds_any_more_is_ended() -> None:
    process = RuleProcess()
    process.ask(LookAt(page()))
    assert process._process is not None
    number = process._process.pid
    del process
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_page_that_says_noindex_gives_no_records_where_the_crawl_obeys_it(process: RuleProcess) -> None:
    said = page('<meta name="robots" content="noindex"><h1>x</h1>')
    rules = kind(a=FieldRule(css="h1"))
    assert "noindex" in process.ask(TryType(said, rules, noindex=True)).note
    assert process.ask(TryType(said, rules)).note == ""
    assert process.ask(TryType(page(), rules, noindex=True)).note == ""
