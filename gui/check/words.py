"""A certificate in words: the notice after an unclean end, and what is told of each promise. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.store.names import CrawlState
from core.store.read.audit import Certificate
from gui.banner import Notice, Offer
from gui.explain.groups import NO, YES, Group, Line
from gui.foreign_text import shown
from gui.tables.cells import moment_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.store.rows import KeptCertificate, Status, UncleanEnd

DETAILS = "details"
KEPT = Certificate(True, 0, 0, (), (), "ok").sentences()[:-1]  # what is said of a promise that holds
LONGEST_ADDRESS = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """What an audit said, now or when it was kept; last, which requests may have been sent twice."""

    ok: bool
    sentences: tuple[str, ...]


def told(certificate: Certificate | KeptCertificate) -> Told:
    """The same of one that was made now and of one that was kept."""
    if isinstance(certificate, Certificate):
        return Told(certificate.ok, certificate.sentences())
    return Told(bool(certificate.ok), certificate.sentences)


def is_due(status: Status) -> bool:
    """Whether the last engine ended uncleanly, and neither it nor the window has audited the file since."""
    return status.engine is None and status.certificate is not None and status.certificate.due


def notice(found: Told, status: Status) -> Notice:
    """What the banner says of it; the details are asked for by its button."""
    offer = Offer(DETAILS, say("Details…"))
    when = _when(status)
    if found.ok:
        title = say("{0} the file was checked: nothing is lost, and nothing is there twice.").format(when)
        return Notice(title, _in_doubt(found), "good", offer=offer)
    title = say("{0} the file was checked, and it is not as it should be.").format(when)
    wrong = [line.text for line in promises(found).lines if line.mark == NO]
    return Notice(title, shown(wrong[0]) if wrong else "", "bad", offer=offer)


def verdict(found: Told) -> tuple[str, str]:
    """In one sentence, with its tone."""
    if found.ok:
        return say("The file keeps what it promises."), "good"
    return say("The file is not as it should be. Use a backup, or salvage what can be read into a new file."), "bad"


def promises(found: Told) -> Group:
    """A line for each promise; the last is told, and is no fault."""
    labels = (say("File"), say("Links"), say("Records"), say("Counters"), say("Requests"))
    lines = zip(labels, found.sentences, (*KEPT, ""), strict=False)
    return Group(say("What was checked"), tuple(_line(label, said, kept) for label, said, kept in lines))


def ends_text(ends: Sequence[UncleanEnd]) -> str:
    """Which end left which requests in doubt, a line each; the newest end first."""
    lines: list[str] = []
    for end in reversed(ends):
        outcome = shown(end.outcome, 40).capitalize()
        lines.append(say("{0} {1} UTC, process {2}:").format(outcome, moment_text(end.at), end.pid))
        lines += [f"    {shown(address, LONGEST_ADDRESS)}" for address in end.requests]
        lines += [] if end.requests else [say("    no request in doubt")]
    return "\n".join(lines)


def _in_doubt(found: Told) -> str:
    said = shown(found.sentences[-1]) if found.sentences else ""
    return say("No request can have been sent twice.") if said.startswith("0 ") else said


def _when(status: Status) -> str:
    if status.state == CrawlState.CRASHED:
        return say("After the crash")
    if status.state == CrawlState.STOPPED and status.reason.startswith("killed"):
        return say("After the kill")
    return say("After the last unclean end")


def _line(label: str, sentence: str, kept: str) -> Line:
    good = not kept or sentence == kept
    return Line(label, shown(sentence, LONGEST_ADDRESS), "good" if good else "bad", YES if good else NO)


def say(text: str) -> str:
    return QCoreApplication.translate("check", text)
