"""A certificate in words: the notice after an unclean end, and what is told of each promise. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.store.names import CrawlState
from gui.banner import Notice, Offer
from gui.explain.groups import NO, YES, Group, Line
from gui.foreign_text import shown

if TYPE_CHECKING:
    from core.store.read.audit import Certificate
    from core.store.rows import Status

DETAILS = "details"


def ended_uncleanly(status: Status) -> bool:
    """Whether the last engine was killed or crashed, and none runs now."""
    killed = status.state == CrawlState.STOPPED and status.reason.startswith("killed")
    return status.engine is None and (status.state == CrawlState.CRASHED or killed)


def notice(certificate: Certificate, *, crashed: bool) -> Notice:
    """What the banner says of it; the details are asked for by its button."""
    offer = Offer(DETAILS, say("Details…"))
    when = say("After the crash") if crashed else say("After the kill")
    if certificate.ok:
        title = say("{0} the file was checked: nothing is lost, and nothing is there twice.").format(when)
        return Notice(title, certificate.sentences()[-1], "good", offer=offer)
    title = say("{0} the file was checked, and it is not as it should be.").format(when)
    wrong = next(line.text for line in promises(certificate).lines if line.mark == NO)
    return Notice(title, shown(wrong), "bad", offer=offer)


def verdict(certificate: Certificate) -> tuple[str, str]:
    """In one sentence, with its tone."""
    if certificate.ok:
        return say("The file keeps what it promises."), "good"
    return say("The file is not as it should be. Use a backup, or salvage what can be read into a new file."), "bad"


def promises(certificate: Certificate) -> Group:
    """A line for each promise."""
    kept = (
        certificate.integrity == "ok",
        not certificate.lost_links,
        not certificate.doubled_records,
        not certificate.counter_errors,
        True,  # what may have been sent twice is told, and no fault
    )
    labels = (say("File"), say("Links"), say("Records"), say("Counters"), say("Requests"))
    lines = zip(labels, certificate.sentences(), kept, strict=True)
    return Group(say("What was checked"), tuple(_line(*line) for line in lines))


def _line(label: str, sentence: str, kept: bool) -> Line:
    return Line(label, sentence, "good" if kept else "bad", YES if kept else NO)


def say(text: str) -> str:
    return QCoreApplication.translate("check", text)
