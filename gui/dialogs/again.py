"""The question when a finished crawl is started: which pages to ask for again."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.store.words import quantity
from gui.dialogs.question import Answer, Question
from gui.figures import since
from gui.foreign_text import shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class AgainChoice(StrEnum):
    """What the person wants of a finished crawl."""

    NOT_NOW = "not-now"
    DUE = "due"
    EVERYTHING = "everything"


def again_question(parent: QWidget, name: str, due: int, next_due: float | None, now: float) -> Question:
    """Asks what to crawl again; nothing is the harmless answer. `next_due` and `now` are seconds since the epoch."""
    return Question(
        parent,
        say("Crawl “{0}” again?").format(shown(name, 60)),
        (
            f"{say('It is finished.')} {due_words(due, next_due, now)}",
            say("New seeds and raised limits are taken up either way. Unchanged pages cost little: each is only asked")
            + " "
            + say("whether it changed."),
        ),
        (
            Answer(AgainChoice.NOT_NOW, say("Not now"), "quiet"),
            Answer(AgainChoice.EVERYTHING, say("Everything")),
            Answer(AgainChoice.DUE, say("What is due"), "primary"),
        ),
        harmless=AgainChoice.NOT_NOW,
    )


def due_words(due: int, next_due: float | None, now: float) -> str:
    """How much is due, or from when on something is."""
    if due:
        verb = say("is") if due == 1 else say("are")
        return say("{0} {1} due by now.").format(quantity(due, "URL"), verb)
    if next_due is None:
        return say("No page is due again at any time.")
    return say("No page is due before {0}.").format(since(next_due, now))


def say(text: str) -> str:
    return QCoreApplication.translate("again", text)
