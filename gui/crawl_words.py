"""How a crawl's state is said and coloured: one place, so that sidebar, header and dialogs agree."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.store.names import CrawlState
from core.store.words import reason_in_words, state_in_words

LOOKS = {  # tone and dot
    "not started": ("muted", "faint"),
    "running": ("good", "good"),
    "offline": ("warning", "warning"),
    "stopping": ("warning", "warning"),
    "stopped": ("warning", "warning"),
    "killed": ("bad", "bad"),
    "finished": ("muted", "faint"),
    "crashed": ("bad", "bad"),
}
REASONS = {
    "pages": "the limit of pages is reached",
    "bytes": "the limit of bytes is reached",
    "seconds": "the limit of time is reached",
    "total-limit": "the limit of pages is reached",
    "host-limit": "the limit of pages of a host is reached",
    "pattern-limit": "the limit of a pattern is reached",
    "unreachable": "a host cannot be reached",
    "authorisation": "an authorisation has ended",
    "error": "an error",
}


@dataclass(frozen=True, slots=True)
class StateWords:
    """`label` for a pill, `tone` of a label, `dot` the token of the sidebar's dot, `hollow` if nothing is fetched."""

    label: str
    tone: str
    dot: str
    hollow: bool = False


def state_words(state: str, reason: str = "") -> StateWords:
    """The words for a CrawlState."""

    def say(text: str) -> str:
        return QCoreApplication.translate("crawl_words", text)

    word = state_in_words(state, reason)
    return StateWords(say(word.capitalize()), *LOOKS[word], hollow=state in (CrawlState.IDLE, CrawlState.OFFLINE))


def start_word(state: str, run: int) -> str:
    """What Start is called now: the word on the button, in the menu and in the sentences that point to it."""

    def say(text: str) -> str:
        return QCoreApplication.translate("crawl_words", text)

    if state == CrawlState.FINISHED:
        return say("Crawl again")
    return say("Resume") if run and state in (CrawlState.STOPPED, CrawlState.CRASHED) else say("Start")


def offline_words(reason: str) -> str:
    """How the network is gone: the engine's cause, without its word for it."""
    return reason.partition(": ")[2] or reason


def reason_words(reason: str) -> str:
    """Why a crawl is not running, as a person says it; empty where the state says it already.

    The engine's reasons are a word, a colon and the particulars; a word that is not known here is shown as it is.
    """
    word, _, rest = reason.partition(": ")
    if word in {"stop", "stop:"}:
        return reason_in_words(reason)
    if word == "killed":
        return ""
    known = REASONS.get(word)
    if known is None:
        return reason
    return f"{known}: {rest}" if rest else known
