"""How fast one host is asked: a frozen value that each answer turns into the next one. Pure.

The delay never falls below its floor (the analyst's, or the site's Crawl-delay). It doubles when the host pushes back
or grows clearly slower than its own custom, and comes back geometrically. Retry-After is a wait for the whole host.
Answers to requests that were under way when the pace last fell say nothing new: a burst, a sleep of the machine or one
slow page costs one step (as in RFC 5681, section 3.2: one reduction a window, not one a lost segment).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

PUSHED_BACK = frozenset({429, 503})
SLOWEST = 60.0  # seconds; adaptivity alone never waits longer between two requests
_FIRST_STEP = 0.5  # seconds, where there was no delay to double
_RECOVERY = 0.8  # the part of the delay that is left after each good answer
_DEFAULT_WAIT = 2.0  # seconds after a first 429 or 503 without a usable Retry-After; doubles with each further one
_MOST_STRIKES = 16
_SMOOTHING = 0.3  # the newest answer's weight in the recent latency
_SETTLING = 0.02  # its weight in the custom, when it is slower than that
_CLEARLY = 2.0  # times its custom, and by a quarter of a second: then a host has grown slow
_MARGIN = 0.25


@dataclass(frozen=True, slots=True)
class Pace:
    """One host's pace, in seconds. `until` is the moment, on the caller's clock, before which nothing is asked.

    `floor` is the smallest delay, `cap` bounds every wait that the host asks for. `delay` is the present one.
    `custom` is the host's own latency when all is well, `recent` that of the last few answers. `slowed` is the moment
    of the last step down, on the caller's clock.
    """

    floor: float
    adaptive: bool = True
    cap: float = 300.0
    extra: float = 0.0
    until: float = -math.inf
    strikes: int = 0
    custom: float | None = None
    recent: float | None = None
    slowed: float = -math.inf

    @property
    def delay(self) -> float:
        """Seconds between the starts of two requests to this host."""
        return max(self.floor, self.extra)

    def ready(self, last_start: float) -> float:
        """The moment from which the host may be asked again, its last request having begun at `last_start`."""
        return max(last_start + self.delay, self.until)

    def with_floor(self, floor: float, *, adaptive: bool, cap: float) -> Pace:
        """The pace under changed settings or a Crawl-delay; what was learnt about the host stays."""
        return replace(self, floor=floor, adaptive=adaptive, cap=cap, extra=self.extra if adaptive else 0.0)

    def after(self, outcome: str, seconds: float, status: int | None, retry_after: float | None, now: float) -> Pace:
        """The pace after an answer that took `seconds` and came at `now`."""
        if status in PUSHED_BACK:
            return self._pushed_back(retry_after, seconds, now)
        if outcome == "error:timeout":
            return self._slower(seconds, now)
        if outcome.startswith("error:") or outcome == "truncated":
            return self  # a host that cannot be reached, or a broken page, says nothing about load
        return replace(self, strikes=0)._measured(max(seconds, 0.0), now)

    def after_soft_block(self, seconds: float, now: float) -> Pace:
        """The pace after an answer that was no page, though its status says so."""
        return self._slower(seconds, now)

    def _pushed_back(self, retry_after: float | None, seconds: float, now: float) -> Pace:
        named = retry_after is not None and retry_after >= 0
        if self._known(seconds, now) and not named:
            return self
        wait = retry_after if named and retry_after is not None else _DEFAULT_WAIT * 2**self.strikes
        until = max(self.until, now + min(wait, self.cap))
        strikes = self.strikes if self._known(seconds, now) else min(self.strikes + 1, _MOST_STRIKES)
        return replace(self, until=until, strikes=strikes)._slower(seconds, now)

    def _known(self, seconds: float, now: float) -> bool:
        """Whether the request was under way when the pace last fell. A clock that went back knows nothing."""
        return now - seconds < self.slowed <= now

    def _slower(self, seconds: float, now: float) -> Pace:
        if self._known(seconds, now):
            return self
        if not self.adaptive:
            return replace(self, slowed=now)
        return replace(self, extra=min(max(self.delay * 2, _FIRST_STEP), max(SLOWEST, self.floor)), slowed=now)

    def _faster(self) -> Pace:
        extra = self.extra * _RECOVERY
        return replace(self, extra=extra if extra > max(self.floor, _FIRST_STEP / 10) else 0.0)

    def _measured(self, seconds: float, now: float) -> Pace:
        recent = seconds if self.recent is None else self.recent + _SMOOTHING * (seconds - self.recent)
        custom = recent if self.custom is None else self.custom
        custom += (_SMOOTHING if recent < custom else _SETTLING) * (recent - custom)
        known = replace(self, recent=recent, custom=custom)
        slow = min(seconds, recent)  # one slow page among quick ones is no slow host
        grown_slow = slow > _CLEARLY * custom and slow > custom + _MARGIN
        return known._slower(seconds, now) if grown_slow else known._faster()
