"""Whether the network is gone: a pure rule over how the last requests ended. Times and the system's routes come in.

Offline means that nothing of what the crawl asks can be reached, so that asking on would teach nothing of any host.
The decision, as carefully as it can be made from outside:

- An answer from anywhere, however bad, proves the network. So does a connection that was accepted.
- Requests to every active host fail: since the last answer at least two, one after the other or of different places,
  could not resolve or connect, one of them at a place that has answered before; and every place that has answered
  lately is among them, or they are many. A place is an origin: one closed port says nothing of its host's others.
- Where nothing has answered in this session, nothing is known of any host, and a seed may be mistyped. Then the
  system's own word counts: no route leads to any of the failing hosts; or they are many. Not so this machine's own
  servers, and names that exist nowhere: that they fail says nothing of the network.
- The machine slept, or this process was stopped: connections are dead and addresses may have changed. The first probe
  goes out at once, and an answer ends it.

So a single dead host is told from a lost network where the two can be told apart: a host that never answered, while
others do or while there is a route, is down, and the store holds it (unreachable). A crawl whose only host answered,
and then does so no more, is offline: from outside it is the same, whichever of the two was unplugged; it asks every ten
seconds instead of ever more seldom, and `politeness.unreachable_after` ends both alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PROBE_EVERY = 10.0  # seconds
FEWEST = 2  # failures, each begun after the one before had ended, or at another place
MANY = 5  # places that answered before and fail together: the others need not be waited for
STILL_ACTIVE = 10.0  # seconds, and two of its delays, after its answer in which a place counts as active
NEVER = float("inf")


class End(Enum):
    """How a request ended, as far as the network is concerned."""

    ANSWERED = "answered"
    UNREACHED = "unreached"  # no address, no connection
    BROKEN = "broken"  # connected, and then nothing: it tells neither


@dataclass(frozen=True, slots=True)
class Ended:
    """A request to a place (an origin's number; `host` is its name) that began and ended at these monotonic times."""

    place: int
    host: str
    end: End
    began: float
    now: float
    delay: float = 0.0  # seconds between two requests there
    error: str = ""


@dataclass(slots=True)
class Offline:
    """`since` is the monotonic time from which nothing could be reached, None while online; `cause` says how.

    `answered` are the places that have answered in earlier sessions; `leads_out` says whether the system has
    a route to a host, None where that tells nothing.
    """

    answered: set[int]
    leads_out: Callable[[str], bool | None]
    since: float | None = None
    cause: str = ""
    _heard: bool = False
    _separate: int = 0
    _failed: dict[int, tuple[str, float]] = field(default_factory=dict)  # since the last answer: host, when
    _active: dict[int, float] = field(default_factory=dict)  # until when each counts as active
    _next_probe: float = NEVER

    def ended(self, request: Ended) -> None:
        """A request ended."""
        if request.end is End.UNREACHED:
            self._unreached(request)
        elif request.end is End.ANSWERED or self.since is not None:
            self._reached(request)

    def slept(self, now: float, cause: str) -> None:
        """The machine slept, or this process was stopped."""
        if self.since is None:
            self._begin(now, now, cause)
        self._next_probe = now

    def probe(self, now: float) -> bool:
        """Whether a probe is due; it is taken to be sent then."""
        if now < self._next_probe:
            return False
        self._next_probe = now + PROBE_EVERY
        return True

    def lasted(self, now: float, longest: float) -> bool:
        """Whether it has lasted that long."""
        return self.since is not None and now - self.since >= longest

    def _reached(self, request: Ended) -> None:
        if self.since is not None and request.began < self.since:
            return  # it was under way before: what was in the air says nothing of now
        self._heard = True
        self.answered.add(request.place)
        self._active[request.place] = request.now + STILL_ACTIVE + 2 * request.delay
        self._failed.clear()
        self._separate = 0
        self.since, self.cause = None, ""

    def _unreached(self, request: Ended) -> None:
        known = self._failed.get(request.place)
        if known is None or request.began >= known[1]:
            self._separate += 1
            self._failed[request.place] = (request.host, request.now)
        if self.since is None and self._nothing_answers(request.now):
            self._begin(request.now, request.now + PROBE_EVERY, request.error)

    def _nothing_answers(self, now: float) -> bool:
        known = self.answered & self._failed.keys()
        if known:
            self._active = {place: until for place, until in self._active.items() if until > now}
            return self._separate >= FEWEST and (len(known) >= MANY or self._active.keys() <= self._failed.keys())
        return not self._heard and self._has_no_way()

    def _has_no_way(self) -> bool:
        """Whether the system knows no route to any of those that failed, or they are many strangers."""
        routes = {host: self.leads_out(host) for host, _ in self._failed.values()}
        telling = [route for route in routes.values() if route is not None]
        return bool(telling) and (not any(telling) or len(telling) >= MANY)

    def _begin(self, now: float, probe: float, cause: str) -> None:
        self.since, self.cause, self._next_probe = now, cause, probe
