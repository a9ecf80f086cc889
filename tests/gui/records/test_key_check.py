"""A natural key tried on kept pages, and what is said about it."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec

from core.preview.key_tally import KeyReport, OtherKey, SharedKey
from core.settings import FieldRule, Normalise, RecordType
from core.store.responses import responses_path
from gui.records.kept import MOST_PAGES, Wanted, choice_of, matches, read_kept
from gui.records.key_check import KeyAnswer, KeyQuestion, check_key, is_checkable, question_of
from gui.records.words import key_in_short, key_words
from tests.gui.records.conftest import KIND, PAGES

KIND_PATH = Path("shop.crawl")


def never() -> bool:
    return False


def told(_progress: object) -> None:
    """Nobody listens."""


def checked(path: Path, kind: RecordType = KIND, *, whole: bool = True) -> KeyAnswer:
    return check_key(question_of(wanted(path, kind.match), kind, whole=whole), never, told)


def wanted(path: Path, match: str = "/p/*") -> Wanted:
    return Wanted(path, match, Normalise())


def test_the_kept_pages_that_match_are_offered_and_read(shop: Path) -> None:
    choice = choice_of(wanted(shop))
    assert len(choice.pages) == PAGES <= MOST_PAGES
    page = read_kept(shop, choice.pages[0])
    assert page is not None
    assert page.read().title == "Lampe Lux – Laden"
    assert choice_of(wanted(shop, "re:(")).fault
    assert choice_of(wanted(shop.with_name("none.crawl"))).fault


def test_an_address_matches_as_the_crawl_would_match_it() -> None:
    assert matches("http://shop.test/p/1", "/p/*", Normalise())
    assert not matches("http://shop.test/list", "/p/*", Normalise())
    assert not matches("no url", "/p/*", Normalise())
    assert not matches("http://shop.test/p/1", "re:(", Normalise())


def test_pages_without_a_key_with_a_shared_and_with_another_one_are_counted(shop: Path) -> None:
    answer = checked(shop)
    report = answer.report
    assert answer.whole
    assert (report.pages, report.records) == (PAGES, PAGES)
    assert report.without_examples == ("http://shop.test/p/1",)
    assert [(each.key, {each.first, each.second}) for each in report.shared_examples] == [
        ("S3", {"http://shop.test/p/2", "http://shop.test/p/3"})
    ]
    assert report.other_examples == (OtherKey("http://shop.test/p/4", "OLD", "S4"),)


def test_a_sample_ends_early_and_says_that_it_is_one(shop: Path) -> None:
    question = KeyQuestion(wanted(shop), KIND, 2)
    answer = check_key(question, never, told)
    assert (answer.report.pages, answer.whole) == (2, False)
    assert "sample of 2 stored pages" in key_words(answer)[0]


def test_a_check_that_is_called_off_ends_with_what_it_has(shop: Path) -> None:
    ticks = itertools.count()
    answer = check_key(question_of(wanted(shop), KIND, whole=True), lambda: next(ticks) > PAGES + 2, told)
    assert (answer.report.pages, answer.whole) == (3, False)


def test_responses_that_are_gone_are_said(shop: Path) -> None:
    responses_path(shop).unlink()
    answer = checked(shop)
    assert (answer.report.pages, answer.gone) == (0, PAGES)


def test_a_page_of_many_records_is_not_compared_with_one(shop: Path) -> None:
    rows = RecordType(name="x", match="/list", rows=".card", key="a", fields={"a": FieldRule(css="a::attr(href)")})
    report = checked(shop, rows).report
    assert (report.records, report.holds) == (8, True)


def test_only_a_key_of_fields_that_exist_can_be_checked() -> None:
    assert is_checkable(KIND)
    assert not is_checkable(msgspec.structs.replace(KIND, key=""))
    assert not is_checkable(msgspec.structs.replace(KIND, key=("sku", "none")))


def said(report: KeyReport, *, whole: bool = True) -> tuple[str, str]:
    return key_words(KeyAnswer(KeyQuestion(wanted(KIND_PATH), KIND, 60), report, whole=whole))


def test_a_key_that_holds_is_said_in_plain_words() -> None:
    assert said(KeyReport(pages=3, records=3)) == (
        "Checked on 3 stored pages: each of 3 records has its own sku.",
        "muted",
    )
    assert said(KeyReport(pages=1, records=1), whole=False)[0].startswith(
        "Checked on a sample of 1 stored page: the one"
    )
    assert "No stored page" in said(KeyReport())[0]


def test_what_speaks_against_a_key_is_said_with_what_it_does() -> None:
    shared = (SharedKey("A", "/1", "/1"),)
    report = KeyReport(9, 9, 1, 1, 2, (("sku", 2),), ("/2",), 1, shared, 1, (OtherKey("/4", "Z", "B"),))
    text, tone = said(report)
    assert tone == "warning"
    for words in (
        "2 have no sku",
        "The key A stands on one page",
        "begins anew",
        "1 page gave no record",
        "could not be",
    ):
        assert words in text
    answer = KeyAnswer(KeyQuestion(wanted(KIND_PATH), KIND, 60), report)
    assert key_in_short(answer) == (
        "Of 9 stored pages: 2 without sku, 1 key in several places, 1 record would get another key. See Key."
    )
    assert key_in_short(KeyAnswer(answer.question, KeyReport(pages=3, records=3))) == ""
