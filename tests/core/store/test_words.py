"""Counts and endings in words."""

from __future__ import annotations

import pytest

from core.store.words import ending_in_words, quantity, reason_in_words, state_in_words


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
