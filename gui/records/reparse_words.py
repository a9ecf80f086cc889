"""A re-parse in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.store.words import quantity

if TYPE_CHECKING:
    from core.store.reparsed import ReparseReport


def report_words(report: ReparseReport) -> tuple[str, str]:
    """What came of it, or would, and the tone it is said in."""
    pages = quantity(report.pages, "stored page")
    if not report.finished:
        words = f"Ended after {report.done:,} of {pages}."
        if report.dry_run:
            return words, "muted"
        return f"{words} What is done stays; the next one goes on there.", "warning"
    changes = sum(each.created + each.updated + each.gone for each in report.records.values())
    if not report.dry_run:
        return f"Done: {quantity(changes, 'record')} changed by the rules, over {pages}.", "good"
    if report.collisions:
        collisions = quantity(len(report.collisions), "collision")
        return (
            f"{collisions}: one key on two pages or rows with different data. The second would be a conflict.",
            "warning",
        )
    if not changes:
        return f"Nothing would change: {pages} say by these rules what the records say.", "good"
    return f"{quantity(changes, 'record')} would change, over {pages}. Nothing is changed yet.", "muted"


def left_words(report: ReparseReport) -> str:
    """What could not be parsed again, and why; empty where all could."""
    parts = []
    if report.missing:
        parts.append(f"{quantity(report.missing, 'response')} kept no more")
    if report.unreadable:
        parts.append(f"{quantity(report.unreadable, 'page')} that cannot be read")
    return f"{' and '.join(parts)}: their records stay as they are." if parts else ""
