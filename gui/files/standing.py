"""What keeps a crawl file that can be looked at from being run: told when it is opened, not when Start is pressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.errors import SharedFolder
from core.store.crawl_file import inspect
from core.store.folders import refuse_shared_folder
from gui.banner import Notice, Offer

if TYPE_CHECKING:
    from pathlib import Path

COPY, UPDATE = "copy", "update"


@dataclass(frozen=True, slots=True)
class Standing:
    """A sentence and what to do; `runs` where the crawl can be started all the same."""

    title: str
    text: str
    offer: Offer
    runs: bool = False

    def notice(self) -> Notice:
        """As the banner shows it."""
        return Notice(self.title, self.text, "warning", offer=self.offer)


def standing_of(path: Path) -> Standing | None:
    """None for most files. Asks the file system, which may take its time: for a thread. Raises the FileErrors."""
    inspected = inspect(path)
    copy = Offer(COPY, say("Save a copy…"))
    if inspected.newer:
        title = say("This file was made by a later version of Fronteira: it can be looked at, and is not changed.")
        return Standing(title, say("Update Fronteira to crawl on."), copy)
    if inspected.names > 1:
        title = say("This file has several names (hard links): it can be looked at, and is not changed.")
        return Standing(title, say("Save a copy of its own and crawl in that, or delete the other names."), copy)
    if not inspected.writable:
        title = say("This file or its folder cannot be written: it can be looked at, and is not changed.")
        return Standing(title, say("Save a copy where you may write, and crawl in that."), copy)
    try:
        refuse_shared_folder(path)
    except SharedFolder as fault:
        text = say("Two programs would write it at once there. Save a copy in a local folder, and crawl in that.")
        return Standing(fault.sentence, text, copy)
    if inspected.older:
        title = say("This file was made by an earlier version of Fronteira.")
        text = say("It is brought up to date when you start it, or now; the file as it is is kept beside it.")
        return Standing(title, text, Offer(UPDATE, say("Bring up to date")), runs=True)
    return None


def say(text: str) -> str:
    return QCoreApplication.translate("standing", text)
