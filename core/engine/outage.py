"""What the engine does about a network that is gone: whose failures count, when to ask, and what the file is told.

The rule itself is in offline.py; here it is fed with what came of each request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.offline import End, Ended, Offline
from core.fetch.route import leads_out
from core.store.results import OutageChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.engine.clock import Clock
    from core.fetch.response import Fetched
    from core.store.results import Work

MOST_SUSPECTS = 1_000


class Outage:
    """Used on the engine's loop alone. `answered` are the origins that have answered in earlier sessions."""

    def __init__(self, clock: Clock, answered: set[int], route: Callable[[str], bool | None] = leads_out) -> None:
        self._clock = clock
        self._rule = Offline(answered, route)
        self._told: float | None = None
        self._blameless = -1.0  # what was under way then (monotonic) may have ended by the network's or our own fault
        self._suspects: list[Work] = []  # what failed since the last answer anywhere, and may have paid for it
        self._lapse = ""

    @property
    def offline(self) -> bool:
        return self._rule.since is not None

    def note(self, work: Work, fetched: Fetched, delay: float) -> None:
        """A request ended."""
        if fetched.starved:
            return
        now, before = self._clock.now(), self._rule.since
        end = _end(fetched)
        self._rule.ended(
            Ended(work.origin, work.url.host, end, now - fetched.seconds, now, delay, (fetched.error or "").rstrip("."))
        )
        if end is End.ANSWERED:
            self._suspects.clear()
        elif len(self._suspects) < MOST_SUSPECTS and not (work.purpose == "page" and fetched.unreached):
            self._suspects.append(work)  # but for pages that were not even connected: they pay for nothing
        if self._rule.since != before:
            self._blameless = now

    def lapsed(self, seconds: float) -> None:
        """The machine slept, or this process was stopped."""
        now = self._clock.now()
        self._blameless = now
        self._lapse = f"This machine slept, or the engine was stopped, for {seconds:,.0f} s"
        self._rule.slept(now, self._lapse)

    def overlaps(self, fetched: Fetched) -> bool:
        """Whether a request that has just ended was under way while the network was gone, or the machine slept."""
        return self.offline or self._clock.now() - fetched.seconds < self._blameless

    def may_ask(self) -> bool:
        """Whether requests may be sent: offline a single one, when it is time for a probe."""
        return not self.offline or self._rule.probe(self._clock.now())

    def over(self, longest: float) -> str:
        """Why the run ends where it has lasted too long (`longest` seconds, 0: never); else empty."""
        if not longest or not self._rule.lasted(self._clock.now(), longest):
            return ""
        return f"unreachable: nothing could be reached for {longest:,.0f} s"

    def take_change(self) -> OutageChange | None:
        """Whether the engine went offline or came back since it was asked last."""
        since = self._rule.since
        if since == self._told:
            return None
        gone, self._told = self._told, since
        if since is None:
            seconds = self._clock.now() - (gone or 0.0)
            return OutageChange(False, f"Online again after {seconds:,.0f} s. Nothing counts against any page or host.")
        suspects, self._suspects = tuple(self._suspects), []
        return OutageChange(True, self._rule.cause, suspects)


def _end(fetched: Fetched) -> End:
    if fetched.unreached:
        return End.UNREACHED
    return End.ANSWERED if fetched.status is not None or fetched.outcome == "error:tls" else End.BROKEN
