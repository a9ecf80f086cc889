"""What is offered for a file that cannot be opened: one question a fault, with its sentence. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.errors import (
    CorruptFile,
    FileMissing,
    ForeignFile,
    ManyNames,
    NewerFile,
    NotACrawl,
    OlderFile,
    ReadOnlyFile,
)
from gui.dialogs.question import Answer

if TYPE_CHECKING:
    from core.errors import FronteiraError

CLOSE, OTHER, LOCATE, SALVAGE, UPDATE = "close", "other", "locate", "salvage", "update"


@dataclass(frozen=True, slots=True)
class Remedy:
    """The title, what is told below the sentence of the fault, and the answers; Close is always the harmless one."""

    title: str
    text: str
    answers: tuple[Answer, ...]


def remedy(fault: FronteiraError) -> Remedy:
    """What helps against this fault."""
    close = Answer(CLOSE, say("Close"), "quiet")
    other = Answer(OTHER, say("Choose another file…"))
    match fault:
        case FileMissing():
            text = say("It may have been moved or renamed.")
            find = Answer(LOCATE, say("Find the file…"), "primary")
            return Remedy(say("The file is not there"), text, (close, find))
        case CorruptFile():
            text = say("What can still be read can be rescued into a new file, in which the crawl goes on.")
            return Remedy(say("The file is damaged"), text, (close, other, _salvage(say("Rescue into a new file…"))))
        case ForeignFile():
            text = say(
                "Another program changed it, so it is not trusted. Its rows can be copied into a new file, each "
                "checked. Settings that reach further, or name credentials or places to send texts to, are left out "
                "until you set them, and nothing starts by itself."
            )
            return Remedy(say("The file was changed"), text, (close, other, _salvage(say("Copy into a new file…"))))
        case OlderFile():
            text = say("It is brought up to date on a copy that takes its place; the file as it is is kept beside it.")
            update = Answer(UPDATE, say("Bring up to date"), "primary")
            return Remedy(say("The file is of an earlier version"), text, (close, update))
        case NotACrawl():
            text = say("If it is one and its beginning is damaged, what can be read can be rescued into a new file.")
            rescue = Answer(SALVAGE, say("Rescue into a new file…"))
            answers = (close, rescue, Answer(OTHER, say("Choose another file…"), "primary"))
            return Remedy(say("The file is no crawl"), text, answers)
        case NewerFile() | ManyNames() | ReadOnlyFile():
            return Remedy(say("The file could not be opened"), fault.advice, (close, other))
    return Remedy(say("The file could not be opened"), fault.advice, (Answer(CLOSE, say("Close"), "primary"),))


def _salvage(text: str) -> Answer:
    return Answer(SALVAGE, text, "primary")


def say(text: str) -> str:
    return QCoreApplication.translate("offers", text)
