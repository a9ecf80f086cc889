"""What a lease ends with when its way failed where nothing was foreseen: a recorded outcome, like any other failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.fetch.fault import Step, fault_of
from core.store.results import Answer, Pace, PageResult, Result, RobotsResult, SourceResult

if TYPE_CHECKING:
    from core.store.results import Work

NEXT_LOOK = 300.0  # seconds until a robots.txt is looked at again


def unforeseen(work: Work, error: Exception, delay: float, at: float) -> Result:
    """The end of the lease: failed, without another try, for it would fail in the same way. `delay` is the host's."""
    fault = fault_of(error, Step.READ)
    answer = Answer(at, None, fault.outcome, error=fault.sentence)
    pace = Pace(delay, error=fault.sentence)
    if work.purpose == "page":
        return PageResult(work, answer, pace)
    if work.purpose == "robots":
        return RobotsResult(work, answer, pace, "disallow", due=at + NEXT_LOOK)
    return SourceResult(work, answer, pace, message=fault.sentence, failed=True)
