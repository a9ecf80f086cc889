"""Counts and endings in words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.store.words import ending_in_words, in_lines, in_one_line, quantity, reason_in_words, state_in_words


def test_one_is_no_plural() -> None:
    assert [quantity(number, "URL") for number in (0, 1, 2, 1234)] == ["0 URLs", "1 URL", "2 URLs", "1,234 URLs"]


@pytest.mark.parametrize(
    ("outcome", "reason", "sentence"),
    [
        ("finished", "", "Finished."),
        ("stopped", "stop", "Stopped on request."),
        ("stopped", "stop: interrupted", "Stopped by Ctrl-C."),
        ("stopped", "stop: the window closed", "Stopped because the window closed."),
        ("stopped", "bytes: 500 used up", "Stopped: bytes: 500 used up."),
    ],
)
def test_an_ending_is_a_sentence(outcome: str, reason: str, sentence: str) -> None:
    assert ending_in_words(outcome, reason) == sentence


def test_a_reason_that_is_no_stop_stays_as_it_is() -> None:
    assert reason_in_words("host-limit: 1 URL left at a.test") == "host-limit: 1 URL left at a.test"


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        ("idle", "", "not started"),
        ("stopped", "killed", "killed"),
        ("stopped", "stop", "stopped"),
        ("crashed", "error: the engine ended without a word", "crashed"),
    ],
)
def test_a_state_has_one_word(state: str, reason: str, words: str) -> None:
    assert state_in_words(state, reason) == words


ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_a_line_of_the_log_is_one_line_that_can_be_written_anywhere(text: str) -> None:
    line = in_one_line(text)
    assert len(line.splitlines()) <= 1
    assert not set("\x1b\x9b\x07\u202e\u2066\u200f") & set(line)
    line.encode()


@given(st.text())
def test_what_is_told_in_lines_keeps_them_and_json_keeps_its_meaning(text: str) -> None:
    assert in_lines(text).count("\n") == text.count("\n")
    assert json.loads(in_lines(json.dumps({"said": text}, ensure_ascii=False))) == {"said": text}


def test_a_forged_line_is_written_out() -> None:
    assert (
        in_one_line("ok\r\n2026-01-01 CRITICAL forged\x1b[2J") == "ok\\u000d\\u000a2026-01-01 CRITICAL forged\\u001b[2J"
    )
