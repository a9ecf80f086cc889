"""Content checks: a 200 that is no page (a soft block, a login wall, an empty template) shows by its markers."""

from __future__ import annotations


def failed_check(source: str, must: str, must_not: str) -> str | None:
    """Why decoded page text fails a check, as a sentence; None where it passes. Markers are plain text, case counts."""
    if must and must not in source:
        return f"The page does not contain {_quoted(must)}."
    if must_not and must_not in source:
        return f"The page contains {_quoted(must_not)}."
    return None


def _quoted(marker: str) -> str:
    return "“" + (marker if len(marker) <= 100 else marker[:99] + "…") + "”"
