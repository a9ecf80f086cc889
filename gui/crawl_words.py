"""How a crawl's state is said and coloured: one place, so that sidebar, header and dialogs agree."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.store.names import CrawlState


@dataclass(frozen=True, slots=True)
class StateWords:
    """`label` for a pill, `tone` a label's tone, `dot` the token of the sidebar's dot, `hollow` for nothing yet."""

    label: str
    tone: str
    dot: str
    hollow: bool = False


def state_words(state: str, reason: str = "") -> StateWords:
    """The words for a CrawlState."""

    def say(text: str) -> str:
        return QCoreApplication.translate("crawl_words", text)

    if state == CrawlState.STOPPED and reason.startswith("killed"):
        return StateWords(say("Killed"), "bad", "bad")
    words = {
        CrawlState.IDLE: StateWords(say("Not started"), "muted", "faint", hollow=True),
        CrawlState.RUNNING: StateWords(say("Running"), "good", "good"),
        CrawlState.OFFLINE: StateWords(say("Offline"), "warning", "warning"),
        CrawlState.STOPPING: StateWords(say("Stopping"), "warning", "warning"),
        CrawlState.STOPPED: StateWords(say("Stopped"), "warning", "warning"),
        CrawlState.FINISHED: StateWords(say("Finished"), "muted", "faint"),
        CrawlState.CRASHED: StateWords(say("Crashed"), "bad", "bad"),
    }
    return words[CrawlState(state)]
