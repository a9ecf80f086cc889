"""`explain`: what becomes of a URL, in words or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.commands.output import say
from core.store.times import iso_or_none

if TYPE_CHECKING:
    from pathlib import Path

    from core.explain import Explanation


FIXED_NAMES = "url key steps allowed reason state depth priority found_on next_due robots".split()


def explain(path: Path, text: str, *, as_json: bool) -> int:
    """Print the explanation. What is allowed or not is the answer, not a failure: the exit status is 0."""
    from core.explain import explain as ask

    found = ask(path, text)
    say(json.dumps(_stable(found), ensure_ascii=False) if as_json else "\n".join(_in_words(found)))
    return 0


def _stable(found: Explanation) -> dict[str, Any]:
    whole = asdict(found)
    whole = {name: whole[name] for name in FIXED_NAMES}
    whole["found_on"] = found.found_on or None
    whole["next_due"] = iso_or_none(found.next_due)
    return whole


def _in_words(found: Explanation) -> list[str]:
    rows = [
        ("key", found.key),
        *((f"step {step.rule}", f"{step.before} -> {step.after}") for step in found.steps),
        ("allowed", "yes" if found.allowed else f"no: {found.why} ({found.reason})"),
        ("state", f"{found.state} ({found.reason})" if found.reason and found.allowed else found.state),
        *([("depth", str(found.depth))] if found.depth is not None else []),
        ("priority", str(found.priority)),
        *([("found on", found.found_on)] if found.found_on else []),
        *([("next due", str(iso_or_none(found.next_due)))] if found.next_due else []),
        *([("next due", "now, when its host has its turn")] if found.state == "pending" else []),
        *([("same as", found.same_as)] if found.same_as else []),
        *([("stands for", f"{found.stands_for:,} other known URLs")] if found.stands_for else []),
        *([("canonical", _canonical(found))] if found.canonical else []),
        *([("robots.txt", f"line {found.robots.line}: {found.robots.rule}")] if found.robots else []),
        *(
            (question.rule, question.detail if question.passed else _against(question.rule, question.detail, found))
            for question in found.questions
        ),
    ]
    return [found.url, *(f"  {label:<20}{text}" for label, text in rows)]


def _against(rule: str, detail: str, found: Explanation) -> str:
    """An answer that speaks against the URL; the one that decides is marked."""
    return f"{'NO, and this decides' if rule == found.decides else 'no'}: {detail}"


def _canonical(found: Explanation) -> str:
    """What the page names, and whether it is believed."""
    if found.alias_of:
        return f"{found.canonical} (this page counts as an alias of {found.alias_of})"
    if found.canonical_doubt:
        return f"{found.canonical} (this page counts as its own. {found.canonical_why})"
    return found.canonical if found.canonical == found.url else f"{found.canonical} (this page counts as its own)"
