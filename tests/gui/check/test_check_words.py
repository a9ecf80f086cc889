"""What the banner and the window say of a certificate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.store.read.audit import Certificate
from core.store.rows import Holder, KeptCertificate, UncleanEnd
from gui.check.words import ends_text, is_due, notice, promises, told, verdict
from gui.explain.groups import NO
from tests.gui.test_header import status

GOOD = Certificate(True, 0, 0, (), ("http://shop.test/a", "http://shop.test/b"), "ok", 1)


def test_a_whole_file_is_told_quietly_with_what_may_have_been_sent_twice() -> None:
    said = notice(told(GOOD), status("crashed", "error: x"))
    assert said.tone == "good"
    assert said.offer is not None
    assert said.title.startswith("After the crash the file was checked: nothing is lost")
    assert said.text == "2 requests may have been sent twice, at 1 unclean end."
    assert notice(told(GOOD), status("stopped", "killed")).title.startswith("After the kill")
    assert notice(told(GOOD), status("running")).title.startswith("After the last unclean end")
    assert verdict(told(GOOD))[1] == "good"


def test_a_kept_certificate_is_told_as_one_made_now() -> None:
    assert told(KeptCertificate(1.0, True, GOOD.sentences())) == told(GOOD)
    assert notice(told(KeptCertificate(1.0, True, ())), status("running")).text == ""


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
    said = notice(told(wrong), status("crashed", "error: x"))
    assert said.tone == "bad"
    assert words in said.text
    assert [line.mark for line in promises(told(wrong)).lines].count(NO) == 1
    assert verdict(told(wrong))[1] == "bad"


def test_an_audit_is_due_after_an_unclean_end_that_nobody_looked_into() -> None:
    due = replace(status("crashed", "error: x"), certificate=KeptCertificate(due=True))
    assert is_due(due)
    assert not is_due(replace(due, engine=Holder(1, 0.0)))
    assert not is_due(replace(due, certificate=KeptCertificate(1.0, True, ())))
    assert not is_due(status("finished"))


def test_each_end_is_told_with_its_requests_the_newest_first() -> None:
    ends = (UncleanEnd(1, 11, 0.0, "killed", ()), UncleanEnd(2, 12, 60.0, "crashed", ("http://a.test/\x1b[2J",)))
    assert ends_text(ends).splitlines() == [
        "Crashed 1970-01-01 00:01:00 UTC, process 12:",
        "    http://a.test/\\x1b[2J",
        "Killed 1970-01-01 00:00:00 UTC, process 11:",
        "    no request in doubt",
    ]
