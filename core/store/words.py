"""Counts and endings as people read them, in logs and on the command line. Programs read the machine's words."""

from __future__ import annotations

import re

from core.store.names import CrawlState

_STOPPED = {
    "": "on request",
    "interrupted": "by Ctrl-C",
    "terminated": "by a signal of the system",
    "the window closed": "because the window closed",
    "the terminal closed": "because the terminal closed",
}


# What would move the cursor, reorder a line or end it: control and direction characters, line separators, halves of a
# surrogate pair (which no output can write). Written out as in JSON, `--json` goes on to mean the same.
_LESS = "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
_HIDDEN = re.compile(f"[\\t\\n{_LESS}]")
_HIDDEN_IN_LINES = re.compile(f"[{_LESS}]")


def in_one_line(text: str) -> str:
    """A text from anywhere as one line of a log or a message: what cannot be seen is written out."""
    return _HIDDEN.sub(_code, text)


def in_lines(text: str) -> str:
    """The same for a text of ours that has lines and tabs."""
    return _HIDDEN_IN_LINES.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def quantity(number: int, noun: str) -> str:
    """`1 URL`, `2 URLs`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def state_in_words(state: str, reason: str = "") -> str:
    """A crawl's state: the same word in the window and on the command line. The machine's is `stopped` after a kill."""
    if state == CrawlState.STOPPED and reason.startswith("killed"):
        return "killed"
    return "not started" if state == CrawlState.IDLE else str(state)


def reason_in_words(reason: str) -> str:
    """Why a crawl is not going on; a reason that is no stop says it itself."""
    word, _, rest = reason.partition(":")
    return _STOPPED.get(rest.strip(), rest.strip()) if word == "stop" else reason


def ending_in_words(outcome: str, reason: str) -> str:
    """The sentence of a session's end: `Finished.`, `Stopped on request.`, `Stopped: bytes: 500 used up.`"""
    if not reason:
        return f"{outcome.capitalize()}."
    words = reason_in_words(reason)
    return f"{outcome.capitalize()}{' ' if words != reason else ': '}{words}."
