"""The check of a whole draft: what stands in the way of applying it, and what is worth a warning. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import Problem
from core.validation import check
from gui.setup.draft import shape_problem
from gui.setup.part import Finding

if TYPE_CHECKING:
    from core.settings import CrawlSettings

STOPPED_ONLY = "Stop the crawl to change how URLs are compared."


@dataclass(frozen=True, slots=True)
class Question:
    """A draft, what is in force, and whether an engine is at work."""

    draft: CrawlSettings
    base: CrawlSettings
    running: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The draft that was checked, with everything found."""

    draft: CrawlSettings
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        return sum(finding.tone == "bad" for finding in self.findings)


def judge(question: Question) -> Verdict:
    """Shape first: the other checks rely on it."""
    draft = question.draft
    shape = shape_problem(draft)
    if shape is not None:
        return Verdict(draft, (Finding(shape, "bad"),))
    errors, warnings = check(draft)
    found = [Finding(problem, "bad") for problem in errors]
    if question.running and draft.normalise != question.base.normalise:
        found.append(Finding(Problem("normalise", STOPPED_ONLY), "bad"))
    found += [Finding(problem, "warning") for problem in warnings]
    return Verdict(draft, tuple(found))
