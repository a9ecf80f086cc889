"""Whether and when a fetch is tried again. Pure: chance and time come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.fetch.fault import RETRIED, outcome_of

if TYPE_CHECKING:
    from core.fetch.response import Fetched

FIRST_DELAY = 1.0  # seconds
LONGEST_DELAY = 300.0
STARVED_DELAY = 1.0  # seconds until a request that our own system had no room for is tried again; that spends no try

_TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_TRANSIENT_OUTCOMES = frozenset(outcome_of(kind) for kind in RETRIED)


def is_transient(fetched: Fetched) -> bool:
    """Whether the same request may well succeed later."""
    return fetched.outcome in _TRANSIENT_OUTCOMES or (fetched.outcome == "ok" and fetched.status in _TRANSIENT_STATUS)


def retry_delay(attempt: int, random: float, retry_after: float | None = None, cap: float = LONGEST_DELAY) -> float:
    """Seconds until the next try after `attempt` tries (from 1), at most `cap`.

    Exponential with half of it left to chance (`random` in 0..1), so that what failed together does not come back
    together; never sooner than a Retry-After says, as far as the cap allows.
    """
    delay = FIRST_DELAY * 2.0 ** min(max(attempt - 1, 0), 30) * (0.5 + random)
    if retry_after is not None and retry_after >= 0:
        delay = max(delay, retry_after)
    return min(delay, cap)
