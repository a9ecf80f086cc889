"""Whether a natural key holds, page by page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.preview.key_tally import MOST_EXAMPLES, KeyTally, OtherKey, SharedKey
from core.preview.questions import PageKeys


def test_a_key_that_every_page_has_once_holds() -> None:
    tally = KeyTally()
    for number in range(3):
        tally.add(f"/{number}", "shop.test", PageKeys((f"K{number}",)), (f"K{number}",))
    report = tally.report()
    assert report.holds
    assert (report.pages, report.records) == (3, 3)


def test_missing_shared_and_other_keys_are_counted_with_examples() -> None:
    tally = KeyTally()
    tally.add("/1", "shop.test", PageKeys(("A",)))
    tally.add("/2", "shop.test", PageKeys((None,), ("sku",)))
    tally.add("/3", "shop.test", PageKeys(("A",)))
    tally.add("/4", "shop.test", PageKeys(("B",)), ("Z",))
    tally.add("/5", "shop.test", PageKeys(()))
    tally.add("/6", "shop.test", PageKeys(read=False))
    report = tally.report()
    assert not report.holds
    assert (report.pages, report.records, report.unread, report.empty) == (6, 4, 1, 1)
    assert (report.without, report.missing, report.without_examples) == (1, (("sku", 1),), ("/2",))
    assert (report.shared, report.shared_examples) == (1, (SharedKey("A", "/1", "/3"),))
    assert (report.other, report.other_examples) == (1, (OtherKey("/4", "Z", "B"),))


def test_the_same_key_of_two_sources_is_two_records() -> None:
    tally = KeyTally()
    tally.add("http://a.test/", "a.test", PageKeys(("A",)))
    tally.add("http://b.test/", "b.test", PageKeys(("A",)))
    assert tally.report().holds


def test_a_key_twice_on_one_page_is_shared() -> None:
    tally = KeyTally()
    tally.add("/list", "shop.test", PageKeys(("A", "B", "A")))
    assert tally.report().shared_examples == (SharedKey("A", "/list", "/list"),)


def test_a_page_that_had_several_keys_tells_of_them() -> None:
    tally = KeyTally()
    tally.add("/1", "shop.test", PageKeys(("A",)), ("A", "OLD"))
    assert tally.report().other_examples == (OtherKey("/1", "OLD", "A"),)


KEYS = st.lists(st.none() | st.sampled_from("ABC"), max_size=4)


@given(st.lists(KEYS, max_size=12))
def test_counts_agree_with_what_was_added_and_examples_are_few(pages: list[list[str | None]]) -> None:
    tally = KeyTally()
    for number, keys in enumerate(pages):
        tally.add(f"/{number}", "s", PageKeys(tuple(keys), ("k",) if None in keys else ()))
    report = tally.report()
    every = [key for keys in pages for key in keys]
    assert report.records == len(every)
    assert report.without == sum(None in keys for keys in pages)
    assert report.shared == sum(every.count(key) > 1 for key in "ABC")
    assert len(report.without_examples) <= MOST_EXAMPLES
    assert report.holds == (None not in every and len(set(every)) == len(every))
