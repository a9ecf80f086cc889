"""The question before a kill: what is lost, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from gui.dialogs.question import Answer, Question
from gui.foreign_text import shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

KILL = "kill"
KEEP = "keep"


def kill_question(parent: QWidget, name: str, in_flight: int) -> Question:
    """Asks whether to kill the crawl; the harmless answer is the default."""

    def say(text: str) -> str:
        return QCoreApplication.translate("kill", text)

    if in_flight == 1:
        lost = say("The one request in flight is lost and sent again when you start the crawl again.")
    elif in_flight:
        lost = say("The {0} requests in flight are lost and sent again when you start the crawl again.")
    else:
        lost = say("At most the requests in flight are lost; they are sent again when you start the crawl again.")
    return Question(
        parent,
        say("Kill “{0}” now?").format(shown(name, 60)),
        (
            say("The engine process ends at once. {0} Everything already committed is kept.").format(
                lost.format(in_flight)
            ),
            say("Use Stop to finish open requests first."),
        ),
        (Answer(KILL, say("Kill crawl"), "danger"), Answer(KEEP, say("Keep running"), "primary")),
        harmless=KEEP,
    )
