"""The pages that are kept, and the order in which they are asked for."""

from __future__ import annotations

from core.store.read.columns import TableRow
from gui.tables.pages import KEPT, MOST_WISHES, Pages

ROW = TableRow((1,), (1,))


def test_the_newest_wish_is_asked_first_and_one_at_a_time() -> None:
    pages = Pages()
    for number in range(10):
        assert pages.get(number) is None
    assert pages.next_wish() == 9
    assert pages.next_wish() is None
    pages.put(9, [ROW])
    assert pages.next_wish() == 8


def test_pages_scrolled_past_are_forgotten() -> None:
    pages = Pages()
    for number in range(1000):
        pages.get(number)
    asked = []
    while (number_ := pages.next_wish()) is not None:
        asked.append(number_)
        pages.put(number_, [ROW])
    assert asked == list(range(999, 999 - MOST_WISHES, -1))


def test_memory_is_bounded_and_the_least_used_page_goes() -> None:
    pages = Pages()
    for number in range(KEPT):
        pages.put(number, [ROW])
    pages.get(0)
    pages.put(KEPT, [ROW])
    assert len(pages) == KEPT
    assert pages.peek(0) is not None
    assert pages.peek(1) is None


def test_a_stale_page_is_shown_until_the_new_one_comes() -> None:
    pages = Pages()
    pages.put(0, [ROW])
    pages.make_stale()
    assert pages.get(0) == [ROW]
    assert pages.next_wish() == 0
    pages.put(0, [ROW, ROW])
    pages.get(0)
    assert pages.next_wish() is None
