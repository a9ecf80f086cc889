"""An explanation as groups of lines, what decided first: values for the dialog, and for the clipboard. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from core.policy.authorisation import WORD as AUTHORISATION
from gui.foreign_text import shown
from gui.tables.cells import moment_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.explain import Explanation
    from core.policy.verdict import Step as Asked
    from gui.explain.answer import Answer

LONGEST = 2000
PRIORITY = "priority: "
SCOPE = ("links", "scope", "host", "length", "extension", "exclude", "include", "path repeats")
YES, NO = "✓", "✕"


@dataclass(frozen=True, slots=True)
class Line:
    """A fact: `tone` is good, bad, muted or "", `mark` stands before it, `code` is set in the code font."""

    label: str
    text: str
    tone: str = ""
    mark: str = ""
    code: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under a heading."""

    title: str
    lines: tuple[Line, ...]


def verdict(answer: Answer) -> tuple[str, str]:
    """The decision in one sentence, and its tone."""
    found = answer.explanation
    if found is None:
        return (shown(answer.fault, LONGEST), "bad") if answer.fault else (say("Type or paste a URL."), "muted")
    if not found.allowed:
        return say("Not allowed: {0}").format(shown(found.why or found.reason, LONGEST)), "bad"
    if found.state in {"failed", "gone", "held", "excluded", "blocked", "refused"} and found.reason:
        return say("Allowed today; it is {0}: {1}").format(found.state, shown(found.reason)), "warning"
    return say("Allowed"), "good"


def groups(answer: Answer) -> tuple[Group, ...]:
    """Everything there is to say, in the order in which an analyst asks; no empty groups."""
    found = answer.explanation
    if found is None:
        return ()
    asked = found.questions
    made = (
        Group(say("What decides"), tuple(_deciding(found))),
        Group(say("State"), tuple(_state(found))),
        Group(say("Where it was found"), tuple(_way(answer, found))),
        Group(say("The same page"), tuple(_forms(found))),
        Group(say("Scope and patterns"), tuple(_line(each) for each in asked if each.rule in SCOPE)),
        Group(say("Permission"), tuple(_permission(found))),
        Group(say("Budgets and limits"), tuple(_line(each) for each in asked if _is_budget(each))),
        Group(say("Priority"), tuple(_priority(found))),
    )
    return tuple(group for group in made if group.lines)


def as_text(answer: Answer) -> str:
    """The whole for the clipboard."""
    parts = [verdict(answer)[0]]
    for group in groups(answer):
        parts += ["", group.title, *(f"  {line.mark or ' '} {line.label}: {line.text}" for line in group.lines)]
    return "\n".join(parts)


def _deciding(found: Explanation) -> Iterator[Line]:
    against = [each for each in found.questions if not each.passed]
    yield from (_line(each) for each in against)
    if not against and not found.allowed:
        yield Line(say("Reason"), shown(found.reason, LONGEST), "bad", NO)
    if not against and found.allowed:
        yield Line(say("Every rule"), say("lets it pass"), "good", YES)


def _state(found: Explanation) -> Iterator[Line]:
    yield Line(say("State"), shown(found.state))
    if found.reason and found.state != "unknown":
        yield Line(say("Reason"), shown(found.reason, LONGEST))
    if found.depth is not None:
        yield Line(say("Depth"), str(found.depth))
    if found.state == "pending":
        yield Line(say("Due"), say("now, when its host has its turn"))
    elif found.next_due is not None:
        yield Line(say("Due"), say("{0} UTC").format(moment_text(found.next_due)))
    else:
        yield Line(say("Due"), say("not planned"), "muted")


def _way(answer: Answer, found: Explanation) -> Iterator[Line]:
    way = answer.way
    if found.state == "unknown":
        yield Line(say("Found"), say("this crawl has not found it so far"), "muted")
    if way.seed:
        yield Line(say("Seed"), say("the URL itself is one"))
    if way.source:
        yield Line(SOURCES.get(way.kind, way.kind), shown(way.source, LONGEST), code=True)
    for number, step in enumerate(way.pages):
        label = say("Seed") if number == 0 else say("Link {0}").format(number)
        yield Line(label, shown(step, LONGEST), code=True)
    if way.pages:
        yield Line(say("This URL"), shown(found.url, LONGEST), code=True)
    elif found.found_on:
        yield Line(say("Found on"), shown(found.found_on, LONGEST), code=True)


def _forms(found: Explanation) -> Iterator[Line]:
    yield Line(say("Fetched as"), shown(found.url, LONGEST), code=True)
    yield Line(say("Compared as"), shown(found.key, LONGEST), code=True)
    if not found.steps:
        yield Line(say("Steps"), say("none: it is written as it is compared"), "muted")
    for step in found.steps:
        text = f"{shown(step.before, LONGEST)}\n→ {shown(step.after, LONGEST)}"
        yield Line(step.rule.replace("_", " ").capitalize(), text, code=True)
    if found.canonical:
        yield Line(say("Canonical"), shown(found.canonical, LONGEST), code=True)
    if found.alias_of:
        yield Line(say("Alias of"), shown(found.alias_of, LONGEST), code=True)
    elif found.canonical and found.canonical != found.url:
        yield Line(say("Alias of"), say("nothing: this page counts as its own"), "muted")
        if found.canonical_why:
            yield Line(say("Why"), shown(found.canonical_why, LONGEST))


def _permission(found: Explanation) -> Iterator[Line]:
    for each in found.questions:
        if each.rule in {AUTHORISATION, "robots"}:
            yield _line(each)
    if found.robots is not None:
        yield Line(say("robots.txt"), f"{found.robots.line}: {shown(found.robots.rule, LONGEST)}", code=True)


def _priority(found: Explanation) -> Iterator[Line]:
    yield Line(say("Points"), str(found.priority))
    for each in found.questions:
        if each.rule.startswith(PRIORITY):
            yield Line(each.rule.removeprefix(PRIORITY).capitalize(), shown(each.detail))


def _is_budget(each: Asked) -> bool:
    return each.rule not in {*SCOPE, AUTHORISATION, "robots"} and not each.rule.startswith(PRIORITY)


def _line(each: Asked) -> Line:
    label = NAMES.get(each.rule, each.rule.capitalize())
    tone, mark = ("good", YES) if each.passed else ("bad", NO)
    return Line(say(label), shown(each.detail, LONGEST), tone, mark)


SOURCES = {"sitemap": "Sitemap", "feed": "Feed", "archive": "Web archive"}
NAMES = {
    "links": "Links to it",
    "scope": "Scope",
    "host": "Host",
    "length": "Length",
    "extension": "Extension",
    "exclude": "Exclusions",
    "include": "Inclusions",
    "path repeats": "Path repeats",
    "depth": "Depth",
    "parameters": "Parameters",
    "host-limit": "Pages per host",
    "total-limit": "Pages in all",
    "pattern-limit": "Pages per pattern",
    "robots": "robots.txt",
    AUTHORISATION: "Authorisation",
}


def say(text: str) -> str:
    return QCoreApplication.translate("explain", text)
