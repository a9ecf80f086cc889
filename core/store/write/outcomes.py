"""What a final answer means: the URL's state with its reason, and whether a page came. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.store.names import UrlState

if TYPE_CHECKING:
    from core.store.results import Answer, PageResult, Parsed


def outcome_of(answer: Answer, accepted: bool, parsed: Parsed | None, was_there: bool) -> tuple[UrlState, str | None]:
    """State and reason of a URL after its final answer (SETTINGS, stable outputs)."""
    if answer.outcome == "error:blocked":
        return UrlState.BLOCKED, "private"
    if answer.outcome in {"not_modified", "redirect"}:
        return UrlState.DONE, None
    if answer.outcome != "ok" or answer.status is None:
        return UrlState.FAILED, f"error: {answer.outcome.removeprefix('error:')}"
    if answer.status in {404, 410} and was_there:
        return UrlState.GONE, f"status: {answer.status}"
    if answer.status >= 400 or answer.status < 200 or 300 <= answer.status < 400:
        return UrlState.FAILED, f"status: {answer.status}"
    if not accepted:
        return UrlState.DONE, f"content-type: {answer.content_type}"[:200]
    if parsed and parsed.soft_block:
        return UrlState.FAILED, "soft-block"
    return UrlState.DONE, None


def is_good(result: PageResult) -> bool:
    """2xx, an accepted type, checks passed: useful, unless it is a copy or an alias."""
    answer = result.answer
    good = answer.outcome == "ok" and answer.status is not None and 200 <= answer.status < 300 and result.accepted
    return good and not (result.parsed and result.parsed.soft_block)


def with_fault(answer: Answer, fault: str) -> Answer:
    """An answer that says what is against the rules: an error, with the fault in its sentence."""
    kind = "protocol" if answer.outcome == "not_modified" else "redirect"
    return replace(answer, outcome=f"error:{kind}", error=f"Not followed: {fault}.")
