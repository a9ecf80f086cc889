"""What the banner and the window say of a certificate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.store.read.audit import Certificate
from gui.check.words import ended_uncleanly, notice, promises, verdict
from gui.explain.groups import NO
from tests.gui.test_header import status

GOOD = Certificate(True, 0, 0, (), ("http://shop.test/a", "http://shop.test/b"), "ok", 1)


def test_a_whole_file_is_told_quietly_with_what_may_have_been_sent_twice() -> None:
    said = notice(GOOD, crashed=True)
    assert said.tone == "good"
    assert said.offer is not None
    assert said.title.startswith("After the crash the file was checked: nothing is lost")
    assert said.text == "2 requests may have been sent twice, at 1 unclean end."
    assert notice(GOOD, crashed=False).title.startswith("After the kill")
    assert verdict(GOOD)[1] == "good"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (replace(GOOD, ok=False, integrity="page 7 is torn"), "page 7 is torn"),
        (replace(GOOD, ok=False, lost_links=3), "3 stored links lead to nothing"),
        (replace(GOOD, ok=False, doubled_records=1), "1 record is there twice"),
        (replace(GOOD, ok=False, counter_errors=("pages: 3 kept, 4 counted",)), "pages: 3 kept, 4 counted"),
    ],
)
def test_a_broken_promise_is_named(wrong: Certificate, words: str) -> None:
    said = notice(wrong, crashed=True)
    assert said.tone == "bad"
    assert words in said.text
    assert [line.mark for line in promises(wrong).lines].count(NO) == 1
    assert verdict(wrong)[1] == "bad"


@pytest.mark.parametrize(
    ("state", "reason", "unclean"),
    [
        ("crashed", "error: x", True),
        ("stopped", "killed", True),
        ("stopped", "stop", False),
        ("finished", "", False),
        ("running", "", False),
    ],
)
def test_which_ends_are_unclean(state: str, reason: str, unclean: bool) -> None:
    assert ended_uncleanly(status(state, reason)) is unclean
