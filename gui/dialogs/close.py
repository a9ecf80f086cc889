"""The question when the window closes while engines of its own run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from gui.closing import CloseChoice
from gui.dialogs.question import Answer, Question
from gui.foreign_text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

STAY = "stay"


def close_question(parent: QWidget, names: Sequence[str]) -> Question:
    """Asks what becomes of the running crawls; staying is the harmless answer."""

    def say(text: str) -> str:
        return QCoreApplication.translate("close", text)

    if len(names) == 1:
        title = say("“{0}” is running").format(shown(names[0], 60))
    else:
        title = say("{0} crawls are running").format(len(names))
    question = Question(
        parent,
        title,
        (
            say("It can go on without the window; open it again at any time to watch it."),
            say(
                "Or only the requests in flight are finished, in at most eight seconds: the crawl itself stops, "
                "and goes on where it was when you start it again."
            ),
        ),
        (
            Answer(STAY, say("Stay here"), "quiet"),
            Answer(CloseChoice.DRAIN, say("Finish requests and close")),
            Answer(CloseChoice.KEEP, say("Keep crawling"), "primary"),
        ),
        harmless=STAY,
    )
    question.offer_to_remember()
    return question
